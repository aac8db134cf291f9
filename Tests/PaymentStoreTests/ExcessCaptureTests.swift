import PaymentModels
import PaymentStore
import TestSupport
import Testing

@Suite("More was taken than was asked for")
struct ExcessCaptureTests {
  @Test(arguments: [(Int64(0), false), (1, true)])
  func `the order is paid, and a person is told once`(
    excess: Int64, _ isTold: Bool
  ) async throws {
    let store = InMemoryPaymentStore()
    try await store.seed()
    try await store.write { transaction in
      var number = 0
      let settlement = Settlement(
        transaction, policy: SettlementPolicy(), now: Sample.start,
        newUUID: {
          number += 1
          return Sample.uuid(9, number)
        })
      let payment = try #require(try transaction.payment(Sample.paymentID(1)))
      let captured = Money(
        minorUnits: payment.amount.minorUnits + excess, currency: payment.amount.currency)
      let reading = PaymentReading(
        providerPaymentID: ProviderPaymentID("p-1"), status: .captured, amount: payment.amount,
        items: [
          PaymentItem(
            kind: .capture, providerItemID: "c", reference: nil, amount: captured, createdAt: nil)
        ])
      for _ in 1...2 {
        _ = try settlement.apply(reading, to: payment.id, startedAt: nil, channel: .call)
      }
      let order = try #require(try transaction.order(payment.orderID))
      #expect(order.state == .paid && order.isFulfilled)
      let reviews = try transaction.reviews(of: order.id)
      #expect(reviews.map(\.kind) == (isTold ? [.unexpectedTransition] : []))
      #expect(reviews.allSatisfy { $0.detail == "captured \(captured), asked \(payment.amount)" })
      guard let review = reviews.first else { return }
      try settlement.decide(
        ReviewRow.Decided(.dismiss, by: OperatorName("anna"), because: "refunded"), on: review)
      _ = try settlement.apply(reading, to: payment.id, startedAt: nil, channel: .call)
      let after = try transaction.reviews(of: order.id)
      #expect(after.count == 1)
    }
  }
}
