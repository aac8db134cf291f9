import PaymentModels
import ProviderInterface
import SEBProvider
import TestSupport
import Testing

@Suite("What an answer says")
struct PaymentAnswerTests {
  private func read(
    _ json: String, _ change: (inout SEBSettings) -> Void = { _ in }
  ) async throws -> PaymentReading {
    try await provider(json, change).read(paymentID)
  }

  @Test func `a whole answer is read`() async throws {
    let json = paymentJSON(
      extra: #""orderNumber":"\#(ourPaymentID)","merchantReference":"\#(ourOrderID)""#)
    #expect(
      try await read(json)
        == PaymentReading(
          providerPaymentID: paymentID, status: .pending, amount: try money("5768.20"),
          orderReference: ourOrderID.rawValue, paymentReference: ourPaymentID.rawValue))
  }

  @Test(arguments: [
    ("INITIALIZED", PaymentStatus.pending), ("SENT_FOR_PROCESSING", .pending),
    ("AUTHORIZED", .authorized), ("CAPTURED", .captured), ("SETTLED", .captured),
    ("REFUNDED", .captured), ("FAILED", .rejected), ("CANCELLED", .cancelled),
    ("EXPIRED", .expired), ("ABANDONED", .expired), ("captured", .captured),
    // Words of a session are words of one try, which ends no payment.
    ("COMPLETED", .unknown("COMPLETED")), ("WAITING_SCA", .unknown("WAITING_SCA")),
    ("PAID", .unknown("PAID")), ("", .unknown("")), ("CAPTURED ", .unknown("CAPTURED ")),
  ])
  func `each word has one meaning and an unknown word stays unknown`(
    word: String, status: PaymentStatus
  ) async throws {
    #expect(try await read(paymentJSON(status: #""\#(word)""#)).status == status)
  }

  @Test func `every word but the documented two is a setting`() async throws {
    func status(_ word: String, _ states: SEBStates) async throws -> PaymentStatus {
      try await read(paymentJSON(status: #""\#(word)""#)) { $0.states = states }.status
    }
    let own = SEBStates(
      authorized: ["RESERVED"], captured: ["PAID"], refunded: ["RETURNED"], failed: ["REFUSED"],
      cancelled: ["VOIDED"], expired: ["LAPSED"])
    #expect(try await status("RESERVED", own) == .authorized)
    #expect(try await status("PAID", own) == .captured)
    #expect(try await status("RETURNED", own) == .captured)
    #expect(try await status("REFUSED", own) == .rejected)
    #expect(try await status("VOIDED", own) == .cancelled)
    #expect(try await status("LAPSED", own) == .expired)
    for word in ["AUTHORIZED", "CAPTURED", "REFUNDED", "FAILED", "CANCELLED", "EXPIRED"] {
      #expect(try await status(word, own) == .unknown(word))
    }
    #expect(try await status("INITIALIZED", own) == .pending)
    #expect(try await status("SENT_FOR_PROCESSING", own) == .pending)
  }

  @Test func `for a live account no guessed word means anything`() async throws {
    for word in ["CAPTURED", "FAILED", "AUTHORIZED", "EXPIRED"] {
      let seb = try makeProvider(
        answering(paymentJSON(status: #""\#(word)""#)), mode: .live, liveSettings)
      #expect(try await seb.read(paymentID).status == .unknown(word))
    }
  }

  @Test(arguments: [nil, "null", "7", "true", "{}"])
  func `an answer without a status is none`(status: String?) async throws {
    #expect(await failure { try await read(paymentJSON(status: status)) }?.kind == .unknown)
  }

  // EGW shows both: "5768.2" and 5877.78.
  @Test(arguments: [
    (#""5768.2""#, "5768.20"), ("5877.78", "5877.78"), ("5768.2", "5768.20"), ("10", "10.00"),
    (#""0.01""#, "0.01"), (#""10.000""#, "10.00"), ("10.0000", "10.00"),
  ])
  func `an amount is a text or a number`(wire: String, decimal: String) async throws {
    let json = paymentJSON(amount: #"{"amount":\#(wire),"currency":"EUR"}"#)
    #expect(try await read(json).amount == (try money(decimal)))
  }

  @Test(arguments: [
    #"{"amount":"5768,2","currency":"EUR"}"#, #"{"amount":5.7682e3,"currency":"EUR"}"#,
    #"{"amount":"57.682","currency":"EUR"}"#, #"{"amount":"-1","currency":"EUR"}"#,
    #"{"amount":true,"currency":"EUR"}"#, #"{"currency":"EUR"}"#, #"{"amount":"1"}"#,
    #"{"amount":"1","currency":"eur"}"#, #"{"amount":"1","currency":"XXQ"}"#, "7", #""7""#, "[]",
    #"{"amount":"99999999999999999999","currency":"EUR"}"#,
  ])
  func `what is no amount is an error, not an amount`(amount: String) async throws {
    #expect(await failure { try await read(paymentJSON(amount: amount)) }?.kind == .unknown)
  }

  @Test func `an amount that is not there is not zero`() async throws {
    for amount in [nil, "null"] {
      let reading = try await read(paymentJSON(status: #""CAPTURED""#, amount: amount))
      #expect(reading.status == .captured)
      #expect(reading.amount == nil)
      #expect(reading.items.isEmpty)
    }
  }

  @Test func `another currency is given as it is`() async throws {
    let json = paymentJSON(amount: #"{"amount":"5768.2","currency":"SEK"}"#)
    #expect(try await read(json).amount?.currency.code == "SEK")
  }

  @Test func `paid is one capture of the whole, the same at every read`() async throws {
    let reading = try await read(paymentJSON(status: #""CAPTURED""#))
    #expect(
      reading.items == [
        PaymentItem(
          kind: .capture, providerItemID: paymentID.rawValue, reference: nil,
          amount: try money("5768.20"), createdAt: nil)
      ])
    #expect(try await read(paymentJSON(status: #""CAPTURED""#)) == reading)
  }

  @Test func `refunded is a capture and a refund of the whole`() async throws {
    let items = try await read(paymentJSON(status: #""REFUNDED""#)).items
    #expect(items.map(\.kind) == [.capture, .refund])
    #expect(try items.allSatisfy { $0.amount == (try money("5768.20")) })
    #expect(Set(items.map(\.providerItemID)).count == 2)
  }

  @Test func `stated sums count where they stand`() async throws {
    let json = paymentJSON(
      status: #""CAPTURED""#,
      extra: #""capturedAmount":{"amount":"100.00","currency":"EUR"},"#
        + #""sums":{"refunded":{"amount":30,"currency":"EUR"}}"#)
    #expect(try await read(json).items.map(\.amount) == [try money("100")])
    let asked = try await read(json) {
      $0.operations = .assumed
      $0.operations?.refundedAmountPath = "sums.refunded"
    }
    #expect(asked.items.map(\.amount) == [try money("100"), try money("30")])
    let unasked = try await read(json) { $0.operations = SEBOperations() }
    #expect(unasked.items.map(\.amount) == [try money("5768.20")])
  }

  @Test func `what is held is no capture until a part of it is taken`() async throws {
    #expect(try await read(paymentJSON(status: #""AUTHORIZED""#)).items.isEmpty)
    let part = paymentJSON(
      status: #""AUTHORIZED""#, extra: #""capturedAmount":{"amount":"10","currency":"EUR"}"#)
    #expect(try await read(part).items.map(\.amount) == [try money("10")])
    let none = paymentJSON(
      status: #""AUTHORIZED""#, extra: #""capturedAmount":{"amount":"0.00","currency":"EUR"}"#)
    #expect(try await read(none).items.isEmpty)
  }

  @Test(arguments: ["", #""orderNumber":null"#, #""orderNumber":"""#, #""orderNumber":7"#])
  func `an order number that is none names nobody`(extra: String) async throws {
    let reading = try await read(paymentJSON(extra: extra))
    #expect(reading.paymentReference == nil)
    #expect(reading.orderReference == nil)
  }

  @Test func `members that nobody knows change nothing`() async throws {
    let plain = try await read(paymentJSON())
    let known = #""orderNumber":"\#(ourPaymentID)""#
    let json = paymentJSON(extra: known + #","customer":{"email":"x"},"fees":[1],"x":null"#)
    #expect(try await read(json) == plain)
  }

  @Test func `an answer about another payment is not believed`() async throws {
    let other = paymentJSON(id: "00000000-9d1a-4d0b-8f53-0a5b7d6c2e11")
    #expect(await failure { try await read(other) }?.kind == .unknown)
  }
}

@Suite("The answer to a create")
struct CreateAnswerTests {
  private func create(
    _ json: String, mode: PaymentMode = .test, _ change: (inout SEBSettings) -> Void = { _ in }
  ) async throws -> CreatedPayment {
    try await makeProvider(answering(json), mode: mode) {
      if mode == .live { liveSettings(&$0) }
      change(&$0)
    }.create([], idempotencyKey: "k")
  }

  @Test func `page and key are kept as they came`() async throws {
    let created = try await create(paymentJSON())
    #expect(created.checkoutURL == "https://checkout.ecomm.tietoevry.com/p/9?x=%66")
    #expect(created.verificationKey?.reveal() == verificationKey)
    #expect(created.reading.status == .created)
    #expect(created.reading.paymentReference == ourPaymentID.rawValue)
  }

  // EGW sessions have HAL links; SEB's page reads the member itself.
  @Test func `the page stands flat or among the links`() async throws {
    let links = #""_links":{"checkoutRedirect":{"href":"https://pay.example/h"}}"#
    let flat = #""checkoutRedirect":"https://pay.example/f""#
    for (redirect, url) in [
      (links, "https://pay.example/h"), ("\(flat),\(links)", "https://pay.example/f"),
      (#""checkoutRedirect":null,\#(links)"#, "https://pay.example/h"),
    ] {
      #expect(try await create(paymentJSON(redirect: redirect)).checkoutURL == url)
    }
  }

  @Test(arguments: [
    nil, #""checkoutRedirect":null"#, #""checkoutRedirect":7"#, #""checkoutRedirect":"""#,
    #""checkoutRedirect":"pay.example""#, #""checkoutRedirect":"javascript:x""#,
    #""checkoutRedirect":"myapp://x""#, #""checkoutRedirect":"https://u@pay.example/c""#,
    #""_links":{"checkoutRedirect":"https://pay.example/h"}"#,
  ])
  func `without a page on the web it is no answer`(redirect: String?) async throws {
    #expect(
      await failure { try await create(paymentJSON(redirect: redirect)) }?.kind == .unknown)
  }

  @Test func `a live page is https`() async throws {
    let json = paymentJSON(redirect: #""checkoutRedirect":"http://127.0.0.1:4010/seb/p/x""#)
    #expect(try await create(json).checkoutURL == "http://127.0.0.1:4010/seb/p/x")
    #expect(await failure { try await create(json, mode: .live) }?.kind == .unknown)
  }

  @Test(arguments: [
    "", #""verificationKey":null"#, #""verificationKey":"""#, #""verificationKey":7"#,
    #""verificationKey":"a b""#,
    #""verificationKey":"\#(String(repeating: "k", count: 1_025))""#,
  ])
  func `without a usable key it is no answer, unless told`(extra: String) async throws {
    #expect(await failure { try await create(paymentJSON(extra: extra)) }?.kind == .unknown)
    let isAbsent = extra.isEmpty || extra.hasSuffix("null")
    let created = try? await create(paymentJSON(extra: extra)) {
      $0.requiresVerificationKey = false
    }
    #expect((created != nil) == isAbsent)
    #expect(created?.verificationKey == nil)
  }

  @Test func `the longest key passes`() async throws {
    let key = String(repeating: "k", count: 1_024)
    let created = try await create(paymentJSON(extra: #""verificationKey":"\#(key)""#))
    #expect(created.verificationKey == Secret(key))
  }

  private static let hints: [(String?, String?, String)] = [
    ("method", "card", "?x=1&method=card#y"), ("method", "bank", "?x=1&method=bank#y"),
    ("m", "click-to-pay", "?x=1&m=click-to-pay#y"), ("method", "Card", "?x=1#y"),
    ("method", "clickToPay", "?x=1#y"), ("method", "", "?x=1#y"), ("method", nil, "?x=1#y"),
    (nil, "card", "?x=1#y"),
  ]

  @Test(arguments: hints)
  func `a hint is appended only if method and parameter are known`(
    row: (parameter: String?, method: String?, end: String)
  ) async throws {
    let json = paymentJSON(redirect: #""checkoutRedirect":"https://pay.example/p?x=1#y""#)
    let created = try await create(json) {
      $0.methodHintParameter = row.parameter
      $0.preferredMethod = row.method
    }
    #expect(created.checkoutURL == "https://pay.example/p\(row.end)")
  }

  @Test(arguments: ["{}", "[]", "null", #"{"paymentId":7}"#, #"{"paymentId":"","x":1}"#])
  func `an answer without an id is unknown`(json: String) async throws {
    #expect(await failure { try await create(json) }?.kind == .unknown)
  }

  @Test func `an id has at most 64 characters`() async throws {
    let (most, more) = (String(repeating: "a", count: 64), String(repeating: "a", count: 65))
    #expect(try await create(paymentJSON(id: most)).reading.providerPaymentID.rawValue == most)
    #expect(await failure { try await create(paymentJSON(id: more)) }?.kind == .unknown)
  }
}
