import HTTPExchange
import PaymentModels
import ProviderInterface
import RaisProvider
import TestSupport
import Testing

private func request(
  _ decimal: String, _ code: String = "GNF", exponent: Int? = nil
) throws -> String {
  let bytes = try makeProvider(answering("")) {
    $0.currency = code
    $0.exponent = exponent
  }.prepareCreate(makeTerms(total: try money(decimal, code)))
  return String(decoding: bytes, as: UTF8.self)
}

@Suite("FB-09 Minor units: JPY x100, UGX /100, KWD /10, at Raïs")
struct MinorUnitTests {
  @Test(arguments: integerAmountRows)
  func `the account's exponent decides, there and back`(
    row: (decimal: String, code: String, exponent: Int?, wire: String)
  ) async throws {
    let text = try request(row.decimal, row.code, exponent: row.exponent)
    #expect(text.hasPrefix(#"{"amount":\#(row.wire),"#))
    let reading = try await provider(paymentJSON(amount: row.wire)) {
      $0.currency = row.code
      $0.exponent = row.exponent
    }.read(paymentID)
    #expect(reading.amount == (try money(row.decimal, row.code)))
  }

  @Test(arguments: unsayableAmountRows)
  func `digits that the wire has no place for are refused`(
    decimal: String, code: String, exponent: Int
  ) async throws {
    let error = await failure { try request(decimal, code, exponent: exponent) }
    #expect(error?.kind == .refused)
  }

  @Test func `a currency that nobody knows is refused, two digits are never assumed`() {
    #expect(throws: RaisConfigurationError.self) {
      try makeConfiguration {
        $0.currency = "XXQ"
        $0.exponent = 2
      }
    }
  }
}

@Suite("FB-10 Decimal to minor units through a binary float, at Raïs")
struct ExactAmountTests {
  @Test(arguments: exactAmountRows)
  func `no cent is lost on the way to the integer`(decimal: String, wire: String) throws {
    #expect(try request(decimal, "EUR").hasPrefix(#"{"amount":\#(wire),"#))
  }
}

@Suite("FB-14 Idempotency key changes on retry, or is reused for something else, at Raïs")
struct BoundTermsTests {
  private func bytes(_ change: (inout CheckoutTerms) -> Void = { _ in }) throws -> [UInt8] {
    var terms = makeTerms(total: try money("500000"))
    change(&terms)
    return try provider("").prepareCreate(terms)
  }

  @Test func `what is no term of the payment is not in its bytes`() throws {
    let first = try bytes()
    #expect(try bytes { $0.language = "ar" } == first)
    #expect(try bytes { $0.placedAt = Instant(milliseconds: 0) } == first)
    #expect(
      try bytes {
        $0.buyer = Buyer(name: "Other", email: "o@shop.example", phone: "+224620000002")
      } == first)
    #expect(try bytes { $0.returnURLs.failure = "myapp://pay/other" } == first)
  }

  @Test func `another attempt at the same order is another request`() throws {
    let second = PaymentID("01936f5e-8a00-7000-8000-0000000000b2")
    #expect(try bytes { $0.paymentID = second } != bytes())
  }

  @Test func `the key goes out as it was stored, at every repeat`() async throws {
    let transport = answering(paymentJSON())
    let rais = try makeProvider(transport)
    let stored = try bytes()
    for _ in 0..<3 { _ = try await rais.create(stored, idempotencyKey: "01936f5e.2.c") }
    #expect(transport.sent.allSatisfy { $0.body == stored })
    #expect(
      transport.sent.map { $0.headers["Idempotency-Key"] }
        == Array(repeating: "01936f5e.2.c", count: 3))
  }
}

@Suite("FB-16 A new status value, or other casing, breaks the whole answer, at Raïs")
struct StatusWordTests {
  private func status(_ word: String?) async throws -> PaymentStatus {
    try await provider(
      paymentJSON(status: word, extra: #""source":{"card_type":"NotSet"},"new":[null]"#)
    ).read(paymentID).status
  }

  @Test(arguments: [
    (#""PAID""#, PaymentStatus.captured), (#""paid""#, .captured), (#""Paid""#, .captured),
    (#""canceled""#, .cancelled), (#""cancelled""#, .cancelled),
    (#""retry_scheduled""#, .unknown("retry_scheduled")), (#""""#, .unknown("")),
    (#""paid ""#, .unknown("paid ")), (#""PA\u0130D""#, .unknown("PAİD")),
  ])
  func `a text is a known state or unknown, never failed`(
    word: String, wanted: PaymentStatus
  ) async throws {
    #expect(try await status(word) == wanted)
  }

  @Test(arguments: [nil, "null", "7"])
  func `no text is no answer`(word: String?) async throws {
    #expect(await failure { try await status(word) }?.kind == .unknown)
  }
}

@Suite("FB-24 Phone numbers the provider refuses, at Raïs")
struct PhoneTests {
  @Test(arguments: ["0500000001", "+0500000001", "", "١٢", "+971 (0)50-000-0001"])
  func `Raïs is told no phone, so none can stop a payment`(phone: String) throws {
    var terms = makeTerms(total: try money("500000"))
    terms.buyer.phone = phone
    let text = String(decoding: try provider("").prepareCreate(terms), as: UTF8.self)
    #expect(!text.contains("phone"))
    #expect(!text.contains("buyer"))
  }
}
