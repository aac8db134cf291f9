import PaymentModels
import ProviderInterface
import RaisProvider
import TestSupport
import Testing

@Suite("The create request")
struct CheckoutRequestTests {
  private func prepare(
    _ terms: CheckoutTerms, key: String = testKey,
    _ change: (inout RaisSettings) -> Void = { _ in }
  ) throws -> String {
    let bytes = try makeProvider(answering(""), key: key, change).prepareCreate(terms)
    return String(decoding: bytes, as: UTF8.self)
  }

  private func refusal(
    _ terms: CheckoutTerms, _ change: (inout RaisSettings) -> Void = { _ in }
  ) async -> ProviderError? {
    await failure { try prepare(terms, change) }
  }

  // The example of the document, with our reference.
  @Test func `it holds the documented members, byte for byte`() throws {
    let terms = makeTerms(total: try money("500000"))
    let expected =
      #"{"amount":500000,"reference":"\#(ourPaymentID)","success_url":"myapp://pay/result","#
      + #""cancel_url":"myapp://pay/cancelled","language":"fr"}"#
    #expect(try prepare(terms) == expected)
    #expect(try prepare(terms) == prepare(terms))
  }

  @Test func `the page's language is a setting and not the shop's`() throws {
    let terms = makeTerms(total: try money("500000"), language: "ar")
    #expect(try prepare(terms).contains(#""language":"fr""#))
    #expect(try prepare(terms) { $0.language = "en" }.contains(#""language":"en""#))
    #expect(try !prepare(terms) { $0.language = nil }.contains("language"))
  }

  @Test(arguments: [
    "myapp://pay/result", "MyApp://Pay/Result", "myapp://pay", "myapp://pay/", "myapp:result",
    "com.shop.app://x?a=1&b=%2f#part", "https://shop.example/r?x=%C3%A9",
  ])
  func `return URLs go out as they are written`(url: String) throws {
    let body = try prepare(
      makeTerms(total: try money("1"), success: url, cancel: url), key: liveKey, liveSettings)
    #expect(body.contains(#""success_url":"\#(url)","cancel_url":"\#(url)""#))
  }

  @Test(arguments: ["http://192.168.1.4:3000/r", "HTTP://localhost/r"])
  func `http is for a test key alone`(url: String) async throws {
    for terms in [
      makeTerms(total: try money("1"), success: url), makeTerms(total: try money("1"), cancel: url),
    ] {
      #expect(try prepare(terms).contains(url))
      let error = await failure { try prepare(terms, key: liveKey, liveSettings) }
      #expect(error?.kind == .refused)
      #expect(error?.detail.contains("http") == true)
    }
  }

  @Test(arguments: [
    "", "result", "/result", "1app://x", "my app://x", "myapp://ü", "://x", "my_app://x",
    "myapp://" + String(repeating: "x", count: 2_041),
  ])
  func `what is no address is refused`(url: String) async throws {
    #expect(await refusal(makeTerms(total: try money("1"), success: url))?.kind == .refused)
    #expect(await refusal(makeTerms(total: try money("1"), cancel: url))?.kind == .refused)
  }

  @Test func `the longest address passes`() throws {
    let url = "myapp://" + String(repeating: "x", count: 2_040)
    #expect(try prepare(makeTerms(total: try money("1"), success: url)).contains(url))
  }

  @Test(arguments: [
    ("500000", "GNF", 0, "500000"), ("5000", "GNF", 2, "500000"), ("19.99", "EUR", 2, "1999"),
    ("19", "EUR", 0, "19"), ("1.234", "KWD", 3, "1234"), ("1.230", "KWD", 2, "123"),
    ("7", "UGX", 2, "700"), ("0.01", "EUR", 4, "100"),
  ])
  func `an amount is a whole number of the configured unit`(
    decimal: String, code: String, exponent: Int, wire: String
  ) throws {
    let body = try prepare(makeTerms(total: try money(decimal, code))) {
      $0.currency = code
      $0.exponent = exponent
    }
    #expect(body.hasPrefix(#"{"amount":\#(wire),"#))
  }

  @Test func `what the unit cannot say is refused and never rounded`() async throws {
    let error = await refusal(makeTerms(total: try money("19.99", "EUR"))) {
      $0.currency = "EUR"
      $0.exponent = 1
    }
    #expect(error?.kind == .refused)
    #expect(error?.detail.contains("19.99 EUR") == true)
  }

  @Test func `the account's currency is a setting`() async throws {
    let euros = makeTerms(total: try money("19.99", "EUR"))
    #expect(await refusal(euros)?.detail.contains("GNF") == true)
    #expect(await refusal(euros) { $0.currency = "EUR" } == nil)
    let odd = try #require(Currency(code: "GNF", exponent: 2))
    let terms = makeTerms(total: Money(minorUnits: 550, currency: odd))
    #expect(await refusal(terms)?.kind == .refused)
  }

  @Test(arguments: [0, -1] as [Int64])
  func `a total that is not positive is refused`(minorUnits: Int64) async throws {
    let total = Money(minorUnits: minorUnits, currency: try money("1").currency)
    #expect(await refusal(makeTerms(total: total))?.kind == .refused)
  }
}

@Suite("FB-11 Order total differs from the sum of the items by one cent, at Raïs")
struct ItemTotalTests {
  @Test(arguments: ItemTotalRow.all)
  func `only lines that add up pass, and the error names both values and the order`(
    row: ItemTotalRow
  ) async throws {
    let terms = row.terms(try money("1").currency)
    let error = await failure { try makeProvider(answering("")).prepareCreate(terms) }
    #expect(row.violations(of: error, terms) == [])
  }
}
