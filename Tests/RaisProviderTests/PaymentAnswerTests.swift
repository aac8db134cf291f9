import HTTPExchange
import PaymentModels
import ProviderInterface
import RaisProvider
import TestSupport
import Testing

@Suite("What an answer says")
struct PaymentAnswerTests {
  private func read(
    _ json: String, _ change: (inout RaisSettings) -> Void = { _ in }
  ) async throws -> PaymentReading {
    try await provider(json, change).read(paymentID)
  }

  @Test func `a whole answer is read`() async throws {
    let json = paymentJSON(extra: #""reference":"\#(ourPaymentID)","order_number":"RS12AB34CD""#)
    #expect(
      try await read(json)
        == PaymentReading(
          providerPaymentID: paymentID, status: .pending, amount: try money("500000"),
          paymentReference: ourPaymentID.rawValue,
          expiresAt: Instant(iso8601: "2026-10-19T14:00:00Z")))
  }

  @Test func `paid is one capture of the whole amount, the same at every read`() async throws {
    let reading = try await read(paymentJSON(status: #""paid""#))
    #expect(reading.status == .captured)
    #expect(
      reading.items == [
        PaymentItem(
          kind: .capture, providerItemID: paymentID.rawValue, reference: nil,
          amount: try money("500000"), createdAt: nil)
      ])
    #expect(try await read(paymentJSON(status: #""paid""#)) == reading)
  }

  @Test func `paid without an amount names no capture and no amount`() async throws {
    for amount in [nil, "null"] {
      let reading = try await read(paymentJSON(status: #""paid""#, amount: amount))
      #expect(reading.status == .captured)
      #expect(reading.amount == nil)
      #expect(reading.items.isEmpty)
    }
  }

  @Test(arguments: [
    (#""paid""#, PaymentStatus.captured), (#""PAID""#, .captured), (#""pending""#, .pending),
    (#""Pending""#, .pending), (#""failed""#, .rejected), (#""expired""#, .expired),
    (#""cancelled""#, .cancelled), (#""canceled""#, .cancelled),
    (#""refunded""#, .unknown("refunded")), (#""pa\u0131d""#, .unknown("paıd")),
    (#""paid ""#, .unknown("paid ")), (#""""#, .unknown("")),
    (#""declined""#, .unknown("declined")),
  ])
  func `each word has one meaning and an unknown word stays unknown`(
    word: String, status: PaymentStatus
  ) async throws {
    #expect(try await read(paymentJSON(status: word)).status == status)
  }

  @Test func `the words that end a payment unpaid are settings`() async throws {
    func status(_ word: String, _ states: RaisStates) async throws -> PaymentStatus {
      try await read(paymentJSON(status: #""\#(word)""#)) { $0.states = states }.status
    }
    let own = RaisStates(failed: ["refusé"], expired: ["lapsed"], cancelled: ["abandoned"])
    #expect(try await status("refusé", own) == .rejected)
    #expect(try await status("lapsed", own) == .expired)
    #expect(try await status("abandoned", own) == .cancelled)
    #expect(try await status("failed", own) == .unknown("failed"))
    #expect(try await status("expired", .none) == .unknown("expired"))
    #expect(try await status("paid", .none) == .captured)
  }

  @Test func `with a live key no guessed word ends a payment`() async throws {
    let rais = try makeProvider(
      answering(paymentJSON(status: #""failed""#)), key: liveKey, liveSettings)
    #expect(try await rais.read(paymentID).status == .unknown("failed"))
  }

  @Test func `an unknown word is kept to 64 characters`() async throws {
    let word = String(repeating: "w", count: 70)
    let reading = try await read(paymentJSON(status: #""\#(word)""#))
    #expect(reading.status == .unknown(String(word.prefix(64))))
  }

  @Test(arguments: [nil, "null", "7", "true", "{}"])
  func `a read without a status is no answer`(status: String?) async throws {
    #expect(await failure { try await read(paymentJSON(status: status)) }?.kind == .unknown)
  }

  @Test(arguments: [
    "5e5", "500000.0", #""500000""#, "-1", "true", "[]", "1000000000000001",
    "99999999999999999999",
  ])
  func `an amount that is no whole number is an error, not an amount`(
    amount: String
  ) async throws {
    #expect(await failure { try await read(paymentJSON(amount: amount)) }?.kind == .unknown)
  }

  @Test func `another amount or currency is given as it is`() async throws {
    #expect(try await read(paymentJSON(amount: "5000")).amount == (try money("5000")))
    let other = try await read(paymentJSON(extra: #""currency":"EUR""#))
    #expect(other.amount?.currency.code == "EUR")
    let same = try await read(paymentJSON(extra: #""currency":"GNF""#))
    #expect(same.amount == (try money("500000")))
    for odd in ["7", #""gnf""#, "[]"] {
      let json = paymentJSON(extra: #""currency":\#(odd)"#)
      #expect(await failure { try await read(json) }?.kind == .unknown)
    }
  }

  @Test(arguments: [
    ("500000", 0, "500000"), ("500000", 2, "5000"), ("500000", 3, "500"),
  ])
  func `the exponent is a setting`(wire: String, exponent: Int, decimal: String) async throws {
    let reading = try await read(paymentJSON(amount: wire)) { $0.exponent = exponent }
    #expect(reading.amount == (try money(decimal)))
  }

  @Test func `an amount that the kit cannot count is an error`() async throws {
    let error = await failure { try await read(paymentJSON(amount: "500001")) { $0.exponent = 2 } }
    #expect(error?.kind == .unknown)
  }

  @Test(arguments: [
    "", #""reference":null"#, #""reference":"""#, #""reference":7"#,
    #""order_number":"RS12AB34CD""#,
  ])
  func `the provider's own order number is never our reference`(extra: String) async throws {
    #expect(try await read(paymentJSON(extra: extra)).paymentReference == nil)
  }

  @Test func `members that nobody knows change nothing`() async throws {
    let plain = try await read(paymentJSON())
    let json = paymentJSON(
      extra: #""reference":"order-1042","card":{"last4":"4242"},"fees":[1],"x":null"#)
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
    _ json: String, status: Int = 200, key: String = testKey
  ) async throws -> CreatedPayment {
    let transport = answering(json, status: status)
    let rais = try makeProvider(transport, key: key) { if key == liveKey { liveSettings(&$0) } }
    return try await rais.create([], idempotencyKey: "k")
  }

  @Test(arguments: [200, 201])
  func `the page is kept byte for byte`(status: Int) async throws {
    let created = try await create(paymentJSON(), status: status)
    #expect(created.checkoutURL == "https://pay.rais.app/c/5b1c2f4e?l=%66r")
    #expect(created.reading.status == .pending)
    #expect(created.reading.expiresAt == Instant(iso8601: "2026-10-19T14:00:00Z"))
  }

  // The page reads `id`, `checkout_url` and `expires_at`, and nothing else is known to be there.
  @Test func `the three members that the document reads are enough`() async throws {
    let created = try await create(paymentJSON(status: nil, amount: nil, extra: ""))
    #expect(created.reading.status == .created)
    #expect(created.reading.amount == nil)
    #expect(created.checkoutURL?.isEmpty == false)
  }

  @Test func `a replay of a payment that is over needs no page`() async throws {
    let created = try await create(paymentJSON(status: #""paid""#, checkoutURL: nil))
    #expect(created.checkoutURL == nil)
    #expect(created.reading.status == .captured)
  }

  @Test(arguments: [
    nil, "null", "7", #""""#, #""pay.rais.app""#, #""javascript:x""#, #""https://u@rais.app/c""#,
    #""https://rais.app/ c""#,
  ])
  func `an open payment without a usable page is no answer`(url: String?) async throws {
    #expect(await failure { try await create(paymentJSON(checkoutURL: url)) }?.kind == .unknown)
  }

  @Test func `a live page is https`() async throws {
    let json = paymentJSON(checkoutURL: #""http://127.0.0.1:4010/rais/checkout/x""#)
    #expect(try await create(json).checkoutURL == "http://127.0.0.1:4010/rais/checkout/x")
    #expect(await failure { try await create(json, key: liveKey) }?.kind == .unknown)
  }

  @Test(arguments: ["{}", "[]", "null", #"{"id":7}"#, #"{"id":"","status":"pending"}"#])
  func `an answer without an id is unknown`(json: String) async throws {
    #expect(await failure { try await create(json) }?.kind == .unknown)
  }
}
