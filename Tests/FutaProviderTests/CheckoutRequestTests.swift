import FutaProvider
import PaymentModels
import ProviderInterface
import TestSupport
import Testing

@Suite("The create request for an app")
struct CheckoutRequestTests {
  private func prepare(
    _ terms: CheckoutTerms, clock: ManualClock = exampleClock(),
    _ change: (inout FutaSettings) -> Void = { _ in }
  ) throws -> String {
    let bytes = try makeProvider(answering(""), clock: clock, change).prepareCreate(terms)
    return String(decoding: bytes, as: UTF8.self)
  }

  // Seed, “Create the payment for an app”: the members, their order and their forms.
  @Test func `it holds the members of Futa's example, byte for byte`() throws {
    let expected =
      #"{"amount":2500000,"currency":"CDF","merchant_reference":"\#(ourPaymentID)","#
      + #""description":"Order \#(ourOrderID)","return_url":"https://shop.example/thanks","#
      + #""expires_at":"2026-10-19T12:00:00Z","embedding":{"mode":"app"}}"#
    #expect(try prepare(makeTerms(total: try money("25000.00"))) == expected)
  }

  @Test func `it never asks for direct mode, which refuses embedding`() throws {
    let text = try prepare(makeTerms(total: try money("25000.00")))
    #expect(!text.contains("msisdn"))
    #expect(!text.contains(#""method""#))
  }

  @Test(arguments: [(30, "2026-10-19T11:30:00Z"), (1_430, "2026-10-20T10:50:00Z")])
  func `expires_at lies a set time after the making and within 24 hours`(
    minutes: Int, instant: String
  ) throws {
    let text = try prepare(makeTerms(total: try money("1.00"))) {
      $0.paymentLifeMinutes = minutes
    }
    #expect(text.contains(#""expires_at":"\#(instant)""#))
  }

  @Test func `an attempt made later has an instant of its own`() throws {
    let clock = exampleClock()
    let terms = makeTerms(total: try money("1.00"))
    let first = try prepare(terms, clock: clock)
    clock.advance(by: .seconds(90))
    let second = try prepare(terms, clock: clock)
    #expect(first.contains("2026-10-19T12:00:00Z"))
    #expect(second.contains("2026-10-19T12:01:30Z"))
  }

  // The unit of amount is not documented.
  @Test(arguments: [
    (2, "25000.00", "2500000"), (0, "25000.00", "25000"), (3, "25000.00", "25000000"),
    (2, "0.01", "1"),
  ])
  func `the exponent decides what the integer counts`(
    exponent: Int, decimal: String, wire: String
  ) throws {
    let text = try prepare(makeTerms(total: try money(decimal))) { $0.exponent = exponent }
    #expect(text.hasPrefix(#"{"amount":\#(wire),"#))
  }

  @Test func `an amount that the wire cannot say is refused, never rounded`() async throws {
    let terms = makeTerms(total: try money("25000.50"))
    let error = await failure { try prepare(terms) { $0.exponent = 0 } }
    #expect(error?.kind == .refused)
    #expect(error?.detail.contains("25000.50 CDF") == true)
  }

  @Test(arguments: [("JPY", "500", "500"), ("KWD", "5.500", "5500"), ("UGX", "2500", "2500")])
  func `another account has another currency`(code: String, decimal: String, wire: String) throws {
    let text = try prepare(makeTerms(total: try money(decimal, code))) { $0.currency = code }
    #expect(text.hasPrefix(#"{"amount":\#(wire),"currency":"\#(code)""#))
  }

  @Test(arguments: [("10.00", "USD"), ("500", "JPY")])
  func `another currency than the account's is refused here`(
    decimal: String, code: String
  ) async throws {
    let terms = makeTerms(total: try money(decimal, code))
    let error = await failure { try prepare(terms) }
    #expect(error?.kind == .refused)
    #expect(error?.detail.contains(code) == true)
  }

  @Test func `the same currency with other decimals is refused`() async throws {
    let odd = try #require(Currency(code: "CDF", exponent: 0))
    let terms = makeTerms(total: Money(minorUnits: 25_000, currency: odd))
    #expect(await failure { try prepare(terms) }?.kind == .refused)
  }

  @Test(arguments: [0, -1] as [Int64])
  func `a total that is not positive is refused`(minorUnits: Int64) async throws {
    let currency = try money("1.00").currency
    let terms = makeTerms(total: Money(minorUnits: minorUnits, currency: currency))
    #expect(await failure { try prepare(terms) }?.kind == .refused)
  }

  @Test(arguments: [
    "https://shop.example/thanks", "https://shop.example:8443/a?attempt=1", "HTTPS://x",
  ])
  func `an https return URL is sent as it is`(url: String) async throws {
    let terms = makeTerms(total: try money("1.00"), returnURL: url)
    let isLowerCase = url.hasPrefix("https")
    let text = try? prepare(terms)
    #expect(text?.contains(#""return_url":"\#(url)""#) == (isLowerCase ? true : nil))
  }

  @Test(arguments: [
    "http://shop.example/thanks", "http://127.0.0.1:9000/x", "https://", "https://u@shop.example/",
    "", "shop", "https://shop.example/a b", "HTTP://shop.example/",
  ])
  func `another web address is refused, whatever the settings`(url: String) async throws {
    let terms = makeTerms(total: try money("1.00"), returnURL: url)
    for isAllowed in [false, true] {
      let error = await failure { try prepare(terms) { $0.allowsAppReturnURL = isAllowed } }
      #expect(error?.kind == .refused)
    }
  }

  @Test func `an address of the app's own scheme passes where the setting says so`() async throws {
    let terms = makeTerms(
      total: try money("1.00"), returnURL: "tillshop://checkout/success?attempt=1")
    #expect(await failure { try prepare(terms) }?.kind == .refused)
    let text = try prepare(terms) { $0.allowsAppReturnURL = true }
    #expect(text.contains(#""return_url":"tillshop://checkout/success?attempt=1""#))
  }
}

@Suite("FB-11 Order total differs from the sum of the items by one cent, at Futa")
struct TotalTests {
  @Test(arguments: ItemTotalRow.all)
  func `only lines that add up pass, and the error names both values and the order`(
    row: ItemTotalRow
  ) async throws {
    let terms = row.terms(try money("1").currency)
    let error = await failure { try provider("").prepareCreate(terms) }
    #expect(row.violations(of: error, terms) == [])
  }

  @Test func `a line in another currency makes no total`() async throws {
    let line = OrderLine(
      productID: "p", title: "P", category: "c", quantity: 1, unitPrice: try money("10.00", "USD"))
    let terms = makeTerms(total: try money("10.00"), lines: [line])
    #expect(await failure { try provider("").prepareCreate(terms) }?.kind == .refused)
  }
}

@Suite("FB-24 Phone numbers the provider refuses, at Futa")
struct PhoneTests {
  @Test(arguments: ["0500000001", "+0500000001", "", "١٢", "+971 (0)50-000-0001"])
  func `Futa is told no phone, so none can stop a payment`(phone: String) throws {
    var terms = makeTerms(total: try money("100.00"))
    terms.buyer.phone = phone
    let text = String(decoding: try provider("").prepareCreate(terms), as: UTF8.self)
    #expect(!text.contains("msisdn"))
    #expect(!text.contains("buyer"))
  }
}
