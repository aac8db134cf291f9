import HTTPExchange
import KitEnvironment
import PaymentModels
import ProviderInterface
import RaisProvider
import TestSupport
import Testing

/// Bodies of every call, typed from Raïs' page. It shows one request and reads three members of
/// the answer; the other members ride on its return link.
private enum Golden {
  static let all = [createRequest, createWithoutLanguage, created, bareCreated, paid, webhook]

  static let createRequest = GoldenBody(
    "create, request", source: "seed",
    #"""
    {
      "amount": 500000,
      "reference": "order-1042",
      "success_url": "myapp://pay/result",
      "cancel_url": "myapp://pay/cancelled",
      "language": "fr"
    }
    """#)

  static let createWithoutLanguage = GoldenBody(
    "create, request of the server sample", source: "seed",
    #"""
    {
      "amount": 500000,
      "reference": "order-1042",
      "success_url": "myapp://pay/result",
      "cancel_url": "myapp://pay/cancelled"
    }
    """#)

  static let created = GoldenBody(
    "create, answer", source: "seed: id, checkout_url, expires_at and the link's; assumed",
    #"""
    { "id": "5b1c2f4e-9d3a-4c61-8a7e-0f2d6b9e1a33", "status": "pending", "amount": 500000,
      "reference": "order-1042", "order_number": "RS12AB34CD",
      "checkout_url": "https://pay.rais.app/c/5b1c2f4e?l=%66r",
      "expires_at": "2026-10-19T14:00:00Z" }
    """#)

  static let bareCreated = GoldenBody(
    "create, answer with what the page reads alone", source: "seed",
    #"""
    { "id": "5b1c2f4e-9d3a-4c61-8a7e-0f2d6b9e1a33",
      "checkout_url": "https://pay.rais.app/c/5b1c2f4e?l=%66r",
      "expires_at": "2026-10-19T14:00:00Z" }
    """#)

  static let paid = GoldenBody(
    "read, answer", source: "seed: the members of the return link; assumed",
    #"""
    { "id": "5b1c2f4e-9d3a-4c61-8a7e-0f2d6b9e1a33", "status": "paid", "amount": 500000,
      "reference": "order-1042", "order_number": "RS12AB34CD", "checkout_url": null,
      "expires_at": "2026-10-19T14:00:00Z" }
    """#)

  static let webhook = GoldenBody(
    "webhook", source: "assumed",
    #"""
    { "id": "evt_1", "type": "payment.paid",
      "data": { "id": "5b1c2f4e-9d3a-4c61-8a7e-0f2d6b9e1a33", "status": "paid",
        "amount": 500000, "reference": "01936f5e-8a00-7000-8000-0000000000b1",
        "order_number": "RS12AB34CD" } }
    """#)
}

@Suite("Golden bodies of Raïs")
struct GoldenTests {
  private static let page = "https://pay.rais.app/c/5b1c2f4e?l=%66r"

  private var captured: PaymentReading {
    get throws {
      let amount = try money("500000")
      return PaymentReading(
        providerPaymentID: paymentID, status: .captured, amount: amount,
        paymentReference: "order-1042",
        items: [
          PaymentItem(
            kind: .capture, providerItemID: paymentID.rawValue, reference: nil, amount: amount,
            createdAt: nil)
        ], expiresAt: Instant(iso8601: "2026-10-19T14:00:00Z"))
    }
  }

  @Test(arguments: Golden.all)
  func `each is decoded and encoded again without loss`(body: GoldenBody) throws {
    #expect(try body.violations() == [])
  }

  @Test(arguments: [("fr", Golden.createRequest), (nil, Golden.createWithoutLanguage)])
  func `a create sends the page's own request`(language: String?, body: GoldenBody) throws {
    var terms = makeTerms(total: try money("500000"))
    terms.paymentID = PaymentID("order-1042")
    let sent = try makeProvider(answering("")) { $0.language = language }.prepareCreate(terms)
    #expect(try body.isSaid(by: sent))
  }

  @Test func `the answers are read, with members that nobody knows too`() async throws {
    for text in [Golden.created.text, try Golden.created.withUnknownMembers()] {
      let created = try await provider(text, status: 201).create([0x7B], idempotencyKey: "k")
      #expect(created.checkoutURL == Self.page)
      #expect(created.reading.status == .pending)
      #expect(created.reading.amount == (try money("500000")))
      #expect(created.reading.paymentReference == "order-1042")
    }
    let bare = try await provider(Golden.bareCreated.text).create([0x7B], idempotencyKey: "k")
    #expect(bare.checkoutURL == Self.page)
    #expect(bare.reading.status == .created)
    #expect(bare.reading.amount == nil)
    for text in [Golden.paid.text, try Golden.paid.withUnknownMembers()] {
      #expect(try await provider(text).read(paymentID) == captured)
    }
  }

  @Test func `a delivery proves what a read of the same payment does`() async throws {
    let rais = try provider("") {
      $0.webhook = PaymentDeliverySettings.rais(secrets: [Secret("s")])
    }
    let proof = try #require(rais.webhookProof(Golden.webhook.bytes, of: paymentID))
    #expect(proof.reading.items == (try captured.items))
    #expect(proof.reading.paymentReference == ourPaymentID.rawValue)
  }
}
