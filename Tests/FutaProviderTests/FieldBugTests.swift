import FutaProvider
import HTTPExchange
import PaymentModels
import ProviderInterface
import TestSupport
import Testing

@Suite("FB-09 Minor units: JPY x100, UGX /100, KWD /10, at Futa")
struct MinorUnitTests {
  private func request(
    _ decimal: String, _ code: String, _ exponent: Int?
  ) throws -> String {
    let total = try money(decimal, code)
    let bytes = try makeProvider(answering("")) {
      $0.currency = code
      $0.exponent = exponent
    }.prepareCreate(makeTerms(total: total))
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test(arguments: integerAmountRows)
  func `the account's exponent decides, there and back`(
    row: (decimal: String, code: String, exponent: Int?, wire: String)
  ) async throws {
    let text = try request(row.decimal, row.code, row.exponent)
    #expect(text.hasPrefix(#"{"amount":\#(row.wire),"currency":"\#(row.code)","#))
    let answer = paymentJSON(amount: row.wire, currency: #""\#(row.code)""#)
    let reading = try await provider(answer) {
      $0.currency = row.code
      $0.exponent = row.exponent
    }.read(paymentID)
    #expect(reading.amount == (try money(row.decimal, row.code)))
  }

  @Test(arguments: unsayableAmountRows)
  func `digits that the wire has no place for are refused`(
    decimal: String, code: String, exponent: Int
  ) async throws {
    #expect(await failure { try request(decimal, code, exponent) }?.kind == .refused)
  }

  @Test func `a currency that nobody knows is refused, two digits are never assumed`() {
    #expect(throws: FutaConfigurationError.self) {
      try makeConfiguration {
        $0.currency = "XXQ"
        $0.exponent = 2
      }
    }
  }
}

@Suite("FB-10 Decimal to minor units through a binary float, at Futa")
struct ExactAmountTests {
  @Test(arguments: exactAmountRows)
  func `no cent is lost on the way to the integer`(decimal: String, wire: String) throws {
    let bytes = try provider("").prepareCreate(makeTerms(total: try money(decimal)))
    #expect(String(decoding: bytes, as: UTF8.self).hasPrefix(#"{"amount":\#(wire),"#))
  }
}

@Suite("FB-14 Idempotency key changes on retry, or is reused for something else, at Futa")
struct BoundTermsTests {
  private func bytes(_ change: (inout CheckoutTerms) -> Void = { _ in }) throws -> [UInt8] {
    var terms = makeTerms(total: try money("100.00"))
    change(&terms)
    return try provider("").prepareCreate(terms)
  }

  @Test func `what is no term of the payment is not in its bytes`() throws {
    let first = try bytes()
    #expect(try bytes { $0.language = "fr" } == first)
    #expect(try bytes { $0.placedAt = Instant(milliseconds: 0) } == first)
    #expect(
      try bytes {
        $0.buyer = Buyer(name: "Other", email: "o@shop.example", phone: "+243810000002")
      } == first)
  }

  @Test func `another total is another request`() throws {
    let other = try provider("").prepareCreate(makeTerms(total: try money("120.00")))
    #expect(try bytes() != other)
  }

  @Test func `the key goes out as it was stored, at every repeat`() async throws {
    let transport = answering(paymentJSON())
    let futa = try makeProvider(transport)
    let stored = try bytes()
    for _ in 0..<3 { _ = try await futa.create(stored, idempotencyKey: "01936f5e.2.c") }
    #expect(transport.sent.allSatisfy { $0.body == stored })
    #expect(
      transport.sent.map { $0.headers["Idempotency-Key"] }
        == Array(repeating: "01936f5e.2.c", count: 3))
  }
}
