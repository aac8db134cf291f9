import FutaProvider
import HTTPExchange
import KitEnvironment
import PaymentModels
import ProviderInterface
import TestSupport
import Testing

/// Bodies of every call, typed from Futa's page. It shows one request; what answers hold beside the
/// members that the page names is assumed.
private enum Golden {
  static let all = [createRequest, created, paid, webhook]

  static let createRequest = GoldenBody(
    "create, request", source: "seed",
    #"""
    {
      "amount": 2500000,
      "currency": "CDF",
      "merchant_reference": "order-10482",
      "description": "Order 10482",
      "return_url": "https://shop.example/thanks",
      "expires_at": "2026-10-20T12:00:00Z",
      "embedding": { "mode": "app" }
    }
    """#)

  static let created = GoldenBody(
    "create, answer", source: "seed: checkout_url, id, state, final and the request's; assumed",
    #"""
    { "id": "pay_7Q2m-01", "state": "created", "final": false, "amount": 2500000,
      "currency": "CDF", "merchant_reference": "order-10482", "description": "Order 10482",
      "return_url": "https://shop.example/thanks", "expires_at": "2026-10-20T12:00:00Z",
      "embedding": { "mode": "app" },
      "checkout_url": "https://checkout.sandbox.futa-app.com/c/7Q2m?l=%66r" }
    """#)

  static let paid = GoldenBody(
    "read, answer", source: "seed: id, state, final and the request's; assumed",
    #"""
    { "id": "pay_7Q2m-01", "state": "paid", "final": true, "amount": 2500000, "currency": "CDF",
      "merchant_reference": "order-10482", "description": "Order 10482",
      "expires_at": "2026-10-20T12:00:00Z", "checkout_url": null }
    """#)

  static let webhook = GoldenBody(
    "webhook", source: "assumed",
    #"""
    { "event": "payment.updated", "payment": { "id": "pay_7Q2m-01", "state": "paid",
      "final": true, "amount": 2500000, "currency": "CDF",
      "merchant_reference": "01936f5e-8a00-7000-8000-0000000000b1" } }
    """#)
}

@Suite("Golden bodies of Futa")
struct GoldenTests {
  private var captured: PaymentReading {
    get throws {
      let amount = try money("25000.00")
      return PaymentReading(
        providerPaymentID: paymentID, status: .captured, amount: amount,
        paymentReference: "order-10482",
        items: [
          PaymentItem(
            kind: .capture, providerItemID: paymentID.rawValue, reference: nil, amount: amount,
            createdAt: nil)
        ], expiresAt: Instant(iso8601: "2026-10-20T12:00:00Z"))
    }
  }

  @Test(arguments: Golden.all)
  func `each is decoded and encoded again without loss`(body: GoldenBody) throws {
    #expect(try body.violations() == [])
  }

  @Test func `a create sends the page's own request`() throws {
    // An hour before the instant of the page: the life of a payment.
    let clock = ManualClock(
      start: try #require(Instant(iso8601: "2026-10-20T11:00:00Z")))
    let terms = CheckoutTerms.sample(try money("25000.00")) {
      $0.orderID = OrderID("10482")
      $0.paymentID = PaymentID("order-10482")
    }
    let sent = try makeProvider(answering(""), clock: clock).prepareCreate(terms)
    #expect(try Golden.createRequest.isSaid(by: sent))
  }

  @Test func `the answers are read, with members that nobody knows too`() async throws {
    for text in [Golden.created.text, try Golden.created.withUnknownMembers()] {
      let created = try await provider(text, status: 201).create([0x7B], idempotencyKey: "k")
      #expect(created.checkoutURL == "https://checkout.sandbox.futa-app.com/c/7Q2m?l=%66r")
      #expect(created.reading.status == .pending)
      #expect(created.reading.amount == (try money("25000.00")))
    }
    for text in [Golden.paid.text, try Golden.paid.withUnknownMembers()] {
      #expect(try await provider(text).read(paymentID) == captured)
    }
  }

  @Test func `a delivery proves what a read of the same payment does`() async throws {
    let futa = try provider("") {
      $0.webhook = PaymentDeliverySettings.futa(secrets: [Secret("s")])
    }
    let proof = try #require(futa.webhookProof(Golden.webhook.bytes, of: paymentID))
    #expect(proof.reading.items == (try captured.items))
    #expect(proof.reading.paymentReference == ourPaymentID.rawValue)
  }
}
