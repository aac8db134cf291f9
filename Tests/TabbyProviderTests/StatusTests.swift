import PaymentModels
import ProviderInterface
import TabbyProvider
import TestSupport
import Testing

@Suite("FB-16 A new status value, or other casing, breaks the whole answer, at Tabby")
struct StatusTests {
  // The entry's own object, with a UUID as the id. It has no captures and unknown members.
  private func read(_ status: String?) async throws -> PaymentReading {
    let member = status.map { #""status":\#($0),"# } ?? ""
    return try await provider(
      #"{"id":"\#(paymentID)",\#(member)"amount":"10.00","currency":"AED","#
        + #""source":{"card_type":"NotSet"},"new_member":[{"deep":null}]}"#
    ).read(paymentID)
  }

  @Test(arguments: FieldBugRows.statuses)
  func `each value of the field report means what it should, or the answer is malformed`(
    json: String?, status: PaymentStatus?
  ) async throws {
    guard let status else {
      #expect(await failure { try await read(json) }?.kind == .unknown)
      return
    }
    let reading = try await read(json)
    #expect(reading.status == status)
    #expect(reading.amount == (try money("10.00")))
  }

  @Test(arguments: [
    // Neither a dotless nor a dotted Turkish I is an i, and a Kelvin sign is no k.
    ("authorızed", PaymentStatus.unknown("authorızed")), ("AUTHORİZED", .unknown("AUTHORİZED")),
    ("CREATED", .created), ("Expired", .expired), ("REJECTED", .rejected),
    ("NEW", .unknown("NEW")), ("CAPTURED", .unknown("CAPTURED")),
  ])
  func `a text is a known state or is kept as it came`(
    word: String, status: PaymentStatus
  ) async throws {
    let reading = try await read(#""\#(word)""#)
    #expect(reading.status == status)
    #expect(reading.amount == (try money("10.00")))
  }

  @Test(arguments: [nil, "null", "7", "true", "[]", "{}"])
  func `what is not a text is a malformed answer`(status: String?) async throws {
    let error = await failure { try await read(status) }
    #expect(error?.kind == .unknown)
    #expect(error?.detail.contains("status") == true)
  }

  @Test func `an endless word is cut before it is stored`() async throws {
    let reading = try await read(#""\#(String(repeating: "Z", count: 65))""#)
    #expect(reading.status == .unknown(String(repeating: "Z", count: 64)))
  }
}

@Suite("CLOSED means what the captures say")
struct ClosedTests {
  private func read(
    captures: String?, refunds: String? = "[]", status: String = "CLOSED"
  ) async throws -> PaymentReading {
    try await provider(
      paymentJSON(status: #""\#(status)""#, captures: captures, refunds: refunds)
    ).read(paymentID)
  }

  @Test func `captures make it captured, and refunds stay beside it`() async throws {
    let reading = try await read(
      captures: "[\(itemJSON("c1", #""100""#, reference: "op-1")),\(itemJSON("c2", #""40.00""#))]",
      refunds: "[\(itemJSON("r1", #""12.5""#, reference: "op-2"))]")
    #expect(reading.status == .captured)
    let at = Instant(iso8601: "2026-09-21T15:33:20Z")
    #expect(
      reading.items == [
        PaymentItem(
          kind: .capture, providerItemID: "c1", reference: "op-1", amount: try money("100.00"),
          createdAt: at),
        // An empty reference means that none was given.
        PaymentItem(
          kind: .capture, providerItemID: "c2", reference: nil, amount: try money("40.00"),
          createdAt: at),
        PaymentItem(
          kind: .refund, providerItemID: "r1", reference: "op-2", amount: try money("12.50"),
          createdAt: at),
      ])
  }

  @Test func `a partial capture leaves it authorized`() async throws {
    let reading = try await read(
      captures: "[\(itemJSON("c1", #""40""#))]", status: "AUTHORIZED")
    #expect(reading.status == .authorized)
    #expect(reading.items.count == 1)
  }

  @Test(arguments: ["[]", "null", #"[{"id":"c1","amount":"0"}]"#])
  func `no captured money means cancelled`(captures: String) async throws {
    #expect(try await read(captures: captures).status == .cancelled)
  }

  @Test(arguments: [
    nil, "7", "{}", "[7]", #"[{"amount":"1"}]"#, #"[{"id":"","amount":"1"}]"#,
    #"[{"id":"c1"}]"#, #"[{"id":"c1","amount":null}]"#, #"[{"id":"c1","amount":"x"}]"#,
    #"[{"id":"c1","amount":"1.001"}]"#, #"[{"id":"c1","amount":-1}]"#,
  ])
  func `captures that cannot be summed decide nothing`(captures: String?) async throws {
    #expect(await failure { try await read(captures: captures) }?.kind == .unknown)
  }

  @Test func `a refund of what was never captured decides nothing`() async throws {
    let error = await failure {
      try await read(captures: "[]", refunds: "[\(itemJSON("r1", #""1""#))]")
    }
    #expect(error?.kind == .unknown)
  }
}
