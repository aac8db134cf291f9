import HTTPExchange
import PaymentModels
import ProviderInterface
import TabbyProvider
import TestSupport
import Testing

@Suite("Golden bodies of Tabby")
struct GoldenTests {
  private func operation(_ amount: String, _ reference: String) throws -> ProviderOperation {
    ProviderOperation(
      providerPaymentID: paymentID, amount: try money(amount), reference: OperationID(reference),
      reason: "damaged")
  }

  private func sent(
    _ answer: GoldenBody, _ call: (TabbyProvider) async throws -> some Sendable
  ) async throws -> [UInt8] {
    let transport = answering(answer.text)
    _ = try await call(try makeProvider(transport))
    return try #require(transport.sent.first).body
  }

  @Test(arguments: Golden.requests + Golden.answers + Golden.deliveries)
  func `each is decoded and encoded again without loss`(body: GoldenBody) throws {
    #expect(try body.violations() == [])
  }

  @Test func `a create sends the required members`() throws {
    var terms = makeTerms(total: try money("100.00"))
    terms.orderID = OrderID("1001")
    #expect(try Golden.createRequest.isSaid(by: provider("").prepareCreate(terms)))
  }

  @Test func `capture, refund and update send what the document shows`() async throws {
    let capture = try operation("100.00", "op-1")
    let captured = try await sent(Golden.closed) { try await $0.capture(capture) }
    #expect(try Golden.captureRequest.isSaid(by: captured))
    let refund = try operation("40.50", "op-2")
    let refunded = try await sent(Golden.refunded) { try await $0.refund(refund) }
    #expect(try Golden.refundRequest.isSaid(by: refunded))
    let updated = try await sent(Golden.authorized) {
      try await $0.updateOrderReference(of: paymentID, to: OrderID("1002"))
    }
    #expect(try Golden.updateRequest.isSaid(by: updated))
    #expect(try await sent(Golden.cancelled) { try await $0.close(paymentID) } == [])
  }

  @Test(arguments: [
    (Golden.fresh, PaymentStatus.created, [String](), [String]()),
    (Golden.authorized, .authorized, [], []),
    (Golden.partlyCaptured, .authorized, ["59.50"], []),
    (Golden.closed, .captured, ["100.00"], []),
    (Golden.refunded, .captured, ["100.00"], ["40.50"]),
    (Golden.cancelled, .cancelled, [], []),
  ])
  func `a payment is read, with members that nobody knows too`(
    body: GoldenBody, status: PaymentStatus, captures: [String], refunds: [String]
  ) async throws {
    for text in [body.text, try body.withUnknownMembers()] {
      let reading = try await provider(text).read(paymentID)
      #expect(reading.status == status)
      #expect(reading.amount == (try money("100.00")))
      #expect(reading.orderReference == "1001")
      #expect(reading.paymentReference == ourPaymentID.rawValue)
      #expect(reading.mode == .test)
      #expect(
        reading.items.filter { $0.kind == .capture }.map(\.amount.decimal) == captures)
      #expect(reading.items.filter { $0.kind == .refund }.map(\.amount.decimal) == refunds)
    }
  }

  @Test func `an empty reference is none, ours comes back`() async throws {
    let closed = try await provider(Golden.closed.text).read(paymentID)
    #expect(closed.items.map(\.reference) == [nil])
    let refunded = try await provider(Golden.refunded.text).read(paymentID)
    #expect(refunded.items.map(\.reference) == ["op-1", "op-2"])
  }

  @Test func `a rejected session and a list are read`() async throws {
    let created = try await provider(Golden.rejected.text).create([0x7B], idempotencyKey: "k")
    #expect(created.checkoutURL == nil)
    #expect(created.rejectionReason == "order_amount_too_high")
    let page = try await provider(Golden.list.text).list(TabbyListQuery())
    #expect(page.readings == [try await provider(Golden.closed.text).read(paymentID)])
    #expect(page.unreadableCount == 0)
    #expect(page.totalCount == 1)
  }

  @Test(arguments: Golden.deliveries)
  func `a delivery leads to the payment`(body: GoldenBody) throws {
    let header = try TabbyWebhookHeader(title: "X-Shop", values: [Secret("s3cret")])
    let found = try makeProvider(answering(""), header: header).inspectWebhook(
      HTTPRequest(
        method: "POST", target: "/webhooks/tabby", headers: ["X-Shop": "s3cret"],
        body: body.bytes))
    #expect(
      found
        == .notice(
          WebhookNotice(
            providerPaymentID: paymentID, paymentReference: ourPaymentID.rawValue,
            matchedSecret: 0, mode: .live)))
  }
}
