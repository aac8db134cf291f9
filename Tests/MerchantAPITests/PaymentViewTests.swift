import MerchantAPI
import PaymentModels
import StrictJSON
import Testing

@Suite("Payment views")
struct PaymentViewTests {
  static func view(
    _ state: PaymentView.State = .known(.pending), order: OrderState = .pending, currency: Currency,
    url: String? = "https://checkout.example/?a=1&b=%20", expiresAt: Instant? = nil
  ) -> PaymentView {
    PaymentView(
      paymentID: PaymentID("pay"), orderID: OrderID("ord"), attempt: 2, provider: .tabby,
      providerPaymentID: url.map { _ in ProviderPaymentID("p-1") }, state: state,
      orderState: order, amount: Money(minorUnits: 14_000, currency: currency), captured: 6_001,
      refunded: 1, checkoutURL: url,
      returnURLs: ReturnURLs(success: "app://s", cancel: "app://c", failure: "app://f"),
      rejectionReason: url.map { _ in "not_eligible" }, expiresAt: expiresAt, isFresh: url == nil,
      version: 7, verificationKey: url.map { _ in Secret("vk-1") })
  }

  let aed: Currency

  init() throws {
    aed = try #require(Currency(iso4217: "AED"))
  }

  @Test(
    arguments: [
      .creating, .known(.created), .known(.pending), .known(.authorized), .known(.captured),
      .known(.rejected), .known(.expired), .known(.cancelled), .known(.unknown("NEW")),
      .known(.unknown("creating")), .known(.unknown("")),
    ] as [PaymentView.State])
  func `what is written is read back, in every state`(state: PaymentView.State) throws {
    for order in OrderState.allCases {
      let full = Self.view(state, order: order, currency: aed, expiresAt: Instant(milliseconds: 5))
      let bare = Self.view(state, order: order, currency: aed, url: nil)
      for view in [full, bare] {
        let text = view.json.serialized()
        #expect(try PaymentView(json: JSONValue(parsing: text)) == view)
        #expect(view.text == text)
      }
    }
  }

  @Test(arguments: [("JPY", 0, "14000"), ("UGX", 2, "140.00"), ("KWD", 3, "14.000")])
  func `the exponent travels with the amount`(code: String, exponent: Int, text: String) throws {
    let view = Self.view(currency: try #require(Currency(code: code, exponent: exponent)))
    #expect(view.json["amount"]?.text == text)
    #expect(try PaymentView(json: view.json) == view)
  }

  @Test func `the text escapes what JSON has escaped`() {
    var view = Self.view(currency: aed)
    view.rejectionReason = "a \"b\" \\ \n \u{1} – é"
    #expect(view.text == view.json.serialized())
    #expect(String(decoding: view.text, as: UTF8.self).contains(#""a \"b\" \\ \n \u0001 – é""#))
  }

  @Test func `the JSON is frozen`() {
    let text = String(
      decoding: Self.view(currency: aed, expiresAt: Instant(milliseconds: 0)).json.serialized(),
      as: UTF8.self)
    #expect(
      text == #"{"payment_id":"pay","order_id":"ord","attempt":2,"provider":"tabby","#
        + #""provider_payment_id":"p-1","state":"pending","order_state":"pending","#
        + #""amount":"140.00","currency":"AED","exponent":2,"captured":"60.01","#
        + #""refunded":"0.01","checkout_url":"https://checkout.example/?a=1&b=%20","#
        + #""verification_key":"vk-1","#
        + #""return_urls":{"success":"app://s","cancel":"app://c","failure":"app://f"},"#
        + #""rejection_reason":"not_eligible","expires_at":"1970-01-01T00:00:00Z","#
        + #""fresh":false,"version":7}"#)
  }

  @Test func `members that are not known are ignored`() throws {
    let view = Self.view(currency: aed)
    var members = try #require(view.json.members)
    members.append(JSONMember(name: "new", value: .array([.null])))
    #expect(try PaymentView(json: .object(members)) == view)
  }

  @Test(
    arguments: [
      "payment_id", "order_id", "attempt", "provider", "state", "order_state", "amount",
      "currency", "exponent", "captured", "refunded", "return_urls", "fresh", "version",
    ])
  func `a member that is missing or of another kind is an error`(name: String) throws {
    let members = try #require(Self.view(currency: aed).json.members)
    let without = members.filter { $0.name != name }
    #expect(throws: BodyError.self) { try PaymentView(json: .object(without)) }
    let other = without + [JSONMember(name: name, value: .array([]))]
    #expect(throws: BodyError.self) { try PaymentView(json: .object(other)) }
  }

  @Test(
    arguments: [
      ("amount", "140.001"), ("amount", "-1"), ("captured", "1e2"), ("currency", "aed"),
      ("order_state", "PAID"),
    ])
  func `a value of the wrong form is an error that names it`(name: String, text: String) throws {
    let members = try #require(Self.view(currency: aed).json.members).map {
      JSONMember(name: $0.name, value: $0.name == name ? .string(text) : $0.value)
    }
    let error = #expect(throws: BodyError.self) { try PaymentView(json: .object(members)) }
    #expect(error?.path == name)
  }

  @Test func `the whole body may be of another kind`() {
    for json in [.null, .array([]), .string("x"), .object([])] as [JSONValue] {
      #expect(throws: BodyError.self) { try PaymentView(json: json) }
    }
  }
}
