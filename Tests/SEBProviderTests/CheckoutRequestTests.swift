import PaymentModels
import ProviderInterface
import SEBProvider
import TestSupport
import Testing

@Suite("The create request")
struct CheckoutRequestTests {
  private func prepare(
    _ terms: CheckoutTerms, _ change: (inout SEBSettings) -> Void = { _ in }
  ) throws -> String {
    let bytes = try makeProvider(answering(""), change).prepareCreate(terms)
    return String(decoding: bytes, as: UTF8.self)
  }

  private func refusal(
    _ terms: CheckoutTerms, _ change: (inout SEBSettings) -> Void = { _ in }
  ) async -> ProviderError? {
    await failure { try prepare(terms, change) }
  }

  // EGW, *Payments*: the members of `POST …/payments/cit`.
  @Test func `it holds the documented members, byte for byte`() throws {
    let terms = makeTerms(total: try money("5768.2"))
    let expected =
      #"{"channel":"BROWSER","orderNumber":"\#(ourPaymentID)","#
      + #""merchantReference":"\#(ourOrderID)","participantId":"participant-1","#
      + #""shopAgreementId":"shop-1","shopRedirectUrl":"myapp://checkout/return","#
      + #""instructedAmount":{"amount":"5768.20","currency":"EUR"},"preferredLocale":"en","#
      + #""customer":{"name":"Test Buyer","email":"buyer@shop.example","#
      + #""phone":{"cc":"372","subscriber":"55500001"}}}"#
    #expect(try prepare(terms) == expected)
    #expect(try prepare(terms) == prepare(terms))
  }

  @Test(arguments: [
    "myapp://checkout/return", "MyApp://Checkout/Return?o=1", "https://shop.example/pay/done",
    "http://192.168.1.4:3000/done", "com.shop.app:/r",
  ])
  func `the return URL goes out as it is written`(url: String) throws {
    let body = try prepare(makeTerms(total: try money("1"), returnURL: url))
    #expect(body.contains(#""shopRedirectUrl":"\#(url)","#))
  }

  @Test(arguments: [
    "", "return", "/return", "//shop.example/r", "1app://x", "my app://x", "myapp://ü", "://x",
    "my_app://x", "myapp://" + String(repeating: "x", count: 2_041),
  ])
  func `what is no address is refused`(url: String) async throws {
    let error = await refusal(makeTerms(total: try money("1"), returnURL: url))
    #expect(error?.kind == .refused)
    #expect(error?.detail.contains("return URL") == true)
  }

  @Test func `the longest address passes`() throws {
    let url = "myapp://" + String(repeating: "x", count: 2_040)
    #expect(try prepare(makeTerms(total: try money("1"), returnURL: url)).contains(url))
  }

  @Test(arguments: [("et", true), ("sv", true), ("ru", true), ("ar", false), ("", false)])
  func `a language that the page does not speak is left to it`(
    language: String, isSent: Bool
  ) throws {
    let body = try prepare(makeTerms(total: try money("1"), language: language))
    #expect(body.contains(#""preferredLocale":"\#(language)""#) == isSent)
    #expect(body.contains("preferredLocale") == isSent)
  }

  @Test func `whether the buyer is told is a setting`() throws {
    let body = try prepare(makeTerms(total: try money("1"))) { $0.sendsCustomer = false }
    #expect(!body.contains("customer"))
    var unknown = makeTerms(total: try money("1"))
    unknown.buyer = Buyer(name: " ", email: "", phone: "")
    #expect(try !prepare(unknown).contains("customer"))
  }

  @Test func `currencies of the account are a setting`() async throws {
    let kroner = makeTerms(total: try money("19.99", "SEK"))
    #expect(await refusal(kroner)?.detail.contains("EUR with 2") == true)
    #expect(await refusal(kroner) { $0.currencies = ["EUR", "SEK"] } == nil)
    let odd = try #require(Currency(code: "EUR", exponent: 3))
    let terms = makeTerms(total: Money(minorUnits: 550, currency: odd))
    #expect(await refusal(terms)?.kind == .refused)
  }

  @Test(arguments: [0, -1] as [Int64])
  func `a total that is not positive is refused`(minorUnits: Int64) async throws {
    let total = Money(minorUnits: minorUnits, currency: try money("1").currency)
    #expect(await refusal(makeTerms(total: total))?.kind == .refused)
  }

  @Test func `fourteen digits pass and fifteen are refused`() async throws {
    let most = try money("999999999999.99")
    #expect(try prepare(makeTerms(total: most)).contains(#""amount":"999999999999.99""#))
    let more = Money(minorUnits: most.minorUnits + 1, currency: most.currency)
    #expect(await refusal(makeTerms(total: more))?.detail.contains("14 digits") == true)
  }

  // EGW, *Payments*: letters, digits and / - ? : ( ) . , ' +
  @Test(arguments: [
    ("A1/-?:().,'+", true), ("a;b", false), ("a b", false), ("ä", false), ("", false),
  ])
  func `an order number stays inside the allowed characters`(id: String, passes: Bool) async throws
  {
    var terms = makeTerms(total: try money("1"))
    terms.paymentID = PaymentID(id)
    #expect((await refusal(terms) == nil) == passes)
  }

  @Test(arguments: [(255, true), (256, false)])
  func `an order number has at most 255 characters`(count: Int, passes: Bool) async throws {
    var terms = makeTerms(total: try money("1"))
    terms.paymentID = PaymentID(String(repeating: "a", count: count))
    #expect((await refusal(terms) == nil) == passes)
  }
}
