import HTTPExchange
import PaymentModels
import ProviderInterface
import TebexProvider
import TestSupport
import Testing

/// Bodies of every call, typed from Tebex' API descriptions (Headless 2.0.0, Checkout 1.1.4), with
/// the values of their examples where they have any, and from reports of the live API.
private enum Golden {
  static let all = [
    basketRequest, addRequest, emptyBasket, basket, paidBasket, payment, refund, problem,
    validation, completed,
  ]

  static let basketRequest = GoldenBody(
    "make a basket, request", source: "Headless API description; seed: the URLs",
    #"""
    { "complete_url": "tebexpay://complete", "cancel_url": "tebexpay://cancel",
      "complete_auto_redirect": true,
      "custom": { "order_id": "01936f5e-8a00-7000-8000-0000000000a1",
        "payment_id": "01936f5e-8a00-7000-8000-0000000000b1", "packages": "6276316:1",
        "base_price": "1.27", "currency": "USD" } }
    """#)

  static let addRequest = GoldenBody(
    "add a package, request", source: "Headless API description",
    #"{ "package_id": "6276316", "quantity": 1 }"#)

  static let emptyBasket = basket(
    "make a basket, answer", source: "Headless API description; live API: links of an empty basket",
    packages: "", links: "[]")

  static let basket = basket(
    "read a basket, answer", source: "Headless API description",
    links: #"{ "checkout": "https://checkout.tebex.io/checkout/1a-55fff410" }"#)

  static let paidBasket = basket(
    "read a paid basket, answer", source: "Headless API description", isComplete: true,
    links: #"{ "payment": "https://checkout.tebex.io/payments/tbx-26929122a56954-0e15be" }"#)

  static let payment = payment(
    "look a payment up, answer", source: "Checkout API description",
    status: #"{ "id": 1, "description": "Complete" }"#)

  static let refund = payment(
    "refund, answer", source: "Checkout API description",
    status: #"{ "id": 2, "description": "Refund" }"#)

  static let problem = GoldenBody(
    "an error", source: "Checkout API, errors (RFC 7807)",
    #"""
    { "type": "about:blank", "title": "Unprocessable Entity", "status": 422,
      "detail": "The payment is not complete.", "instance": "" }
    """#)

  static let validation = GoldenBody(
    "validation webhook", source: "Checkout API description; 121 bytes of tebex.md",
    #"{"id":"2c116b11-1110-91e0-b266-b792c8da5f11","type":"validation.webhook","#
      + #""date":"2021-08-24T12:21:47+00:00","subject":{}}"#)

  static let completed = GoldenBody(
    "completed webhook", source: "Checkout API description; 274 bytes of tebex.md",
    #"{"id":"2f1c0a7e-6a0b-4d0e-9a55-0d6a5f3c9b11","type":"payment.completed","#
      + #""date":"2026-11-30T10:00:00+00:00","subject":{"#
      + #""transaction_id":"tbx-000000000000a1-b2c3d4","#
      + #""status":{"id":1,"description":"Complete"},"#
      + #""price":{"amount":5.35,"currency":"USD"},"custom":{"order":"1042"}}}"#)

  private static let custom = #"""
    { "order_id": "01936f5e-8a00-7000-8000-0000000000a1",
      "payment_id": "01936f5e-8a00-7000-8000-0000000000b1", "packages": "6276316:1",
      "base_price": "1.27", "currency": "USD" }
    """#

  private static let package = #"""
    { "id": 6276316, "description": "100 coins added to your character", "name": "100 Coins",
      "slug": "100-coins", "image": null, "type": "single",
      "in_basket": { "quantity": 1, "price": 1.27, "gift_username_id": null,
        "gift_username": null }, "revenue_share": [] }
    """#

  private static func basket(
    _ name: String, source: String, packages: String = package, isComplete: Bool = false,
    links: String
  ) -> GoldenBody {
    GoldenBody(
      name, source: source,
      #"""
      { "data": { "id": "244127617", "ident": "1a-55fff4107740a1f40d844ff89607557f45bfafb3",
        "complete": \#(isComplete), "email": "support@tebex.io", "username": null,
        "coupons": [ { "code": "Academy10" } ], "giftcards": [], "creator_code": "",
        "cancel_url": "tebexpay://cancel", "complete_url": "tebexpay://complete",
        "complete_auto_redirect": true, "country": "US", "ip": "127.0.0.1",
        "username_id": 127244, "base_price": 1.27, "sales_tax": 0.11, "total_price": 1.38,
        "currency": "USD", "packages": [ \#(packages) ], "custom": \#(custom),
        "links": \#(links) } }
      """#)
  }

  private static func payment(_ name: String, source: String, status: String) -> GoldenBody {
    GoldenBody(
      name, source: source,
      #"""
      { "transaction_id": "tbx-26929122a56954-0e15be", "status": \#(status),
        "payment_sequence": "oneoff", "created_at": "2022-10-19T15:49:15.000000Z",
        "price": { "amount": 1.27, "currency": "USD" },
        "price_paid": { "amount": 1.27, "currency": "USD" },
        "payment_method": { "name": "Test Payments", "refundable": true },
        "fees": { "tax": { "amount": 0, "currency": "USD" },
          "gateway": { "amount": 0.45, "currency": "USD" } },
        "customer": { "first_name": "Test", "last_name": "Test", "email": "test@test.com",
          "ip": "1.2.3.4", "username": null, "marketing_consent": false, "country": "TS",
          "postal_code": null },
        "products": [ { "id": 6276316, "name": "100 Coins", "quantity": 1,
          "base_price": { "amount": 1.27, "currency": "USD" },
          "paid_price": { "amount": 1.27, "currency": "USD" }, "variables": [],
          "expires_at": null, "custom": null, "username": null } ],
        "coupons": [], "gift_cards": [], "recurring_payment_reference": null,
        "custom": \#(custom), "revenue_share": [], "decline_reason": null }
      """#)
  }
}

@Suite("Golden bodies of Tebex")
struct GoldenTests {
  private var create: (make: String, add: String, read: String) {
    let basket = "\(headless)/accounts/\(publicToken)/baskets"
    return (
      "POST \(basket)", "POST \(headless)/baskets/\(ident)/packages", "GET \(basket)/\(ident)"
    )
  }

  @Test(arguments: Golden.all)
  func `each is decoded and encoded again without loss`(body: GoldenBody) throws {
    #expect(try body.violations() == [])
  }

  @Test func `a create sends what the description shows, and reads what it shows`() async throws {
    for isOdd in [false, true] {
      let transport = routes([
        create.make: .json(200, try text(Golden.emptyBasket, isOdd)),
        create.add: .json(200, try text(Golden.basket, isOdd)),
        create.read: .json(200, try text(Golden.basket, isOdd)),
      ])
      let tebex = try makeProvider(transport)
      let created = try await tebex.create(
        try tebex.prepareCreate(try makeTerms()), idempotencyKey: "k")
      #expect(created.checkoutURL == "https://checkout.tebex.io/checkout/1a-55fff410")
      #expect(created.reading.amount == (try money("1.27")))
      #expect(created.reading.paymentReference == ourPaymentID.rawValue)
      #expect(try Golden.basketRequest.isSaid(by: transport.sent[0].body))
      #expect(try Golden.addRequest.isSaid(by: transport.sent[1].body))
    }
  }

  @Test func `a paid basket and its payment are read`() async throws {
    for isOdd in [false, true] {
      let reading = try await provider(try text(Golden.paidBasket, isOdd)).read(ident)
      #expect(reading.status == .captured)
      #expect(reading.amount == (try money("1.27")))
      #expect(reading.transactionID == transactionID)
      let tebex = try provider(try text(Golden.payment, isOdd))
      let transaction = try #require(try await tebex.readTransaction(transactionID, of: ident))
      #expect(transaction.status == .captured)
      #expect(transaction.items == reading.items)
      let refunded = try provider(try text(Golden.refund, isOdd))
      let second = try #require(try await refunded.readTransaction(transactionID, of: ident))
      #expect(second.items.map(\.kind) == [.capture, .refund])
    }
  }

  @Test func `an error of Tebex' own is a refusal`() async throws {
    let tebex = try provider(Golden.problem.text, status: 422)
    #expect(await failure { try await tebex.read(ident) }?.kind == .refused)
  }

  @Test func `the deliveries have the lengths of the document and are known by their signatures`()
    throws
  {
    #expect(Golden.validation.bytes.count == 121)
    #expect(Golden.completed.bytes.count == 274)
    let tebex = try makeProvider()
    let asked = tebex.inspectWebhook(
      request(
        Golden.validation.bytes,
        "2e9adfb8fe3556601789a37078f88e55455ee601957ee677b480148e25381e22"))
    guard case .handshake = asked else {
      Issue.record("\(asked)")
      return
    }
    let told = tebex.inspectWebhook(
      request(
        Golden.completed.bytes,
        "66d83e65b610ba211f6e7dc15af0eecf8b44bf747e1fc4d184069ef651652b4b"))
    guard case .notice(let notice) = told else {
      Issue.record("\(told)")
      return
    }
    #expect(notice.topic == "payment.completed")
  }

  private func text(_ body: GoldenBody, _ isOdd: Bool) throws -> String {
    isOdd ? try body.withUnknownMembers() : body.text
  }
}
