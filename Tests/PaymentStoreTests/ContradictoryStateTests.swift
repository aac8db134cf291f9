import PaymentModels
import PaymentStore
import TestSupport
import Testing

@Suite("Money was taken, and the word beside it has none")
struct ContradictoryStateTests {
  private static func reading(
    _ status: PaymentStatus, _ captured: Money, amount: Money?
  ) -> PaymentReading {
    PaymentReading(
      providerPaymentID: ProviderPaymentID("p-1"), status: status, amount: amount,
      items: [
        PaymentItem(
          kind: .capture, providerItemID: "c", reference: nil, amount: captured, createdAt: nil)
      ])
  }

  private static func settlement(_ transaction: any PaymentTransaction) -> Settlement {
    var number = 0
    return Settlement(
      transaction, policy: SettlementPolicy(), now: Sample.start,
      newUUID: {
        number += 1
        return Sample.uuid(9, number)
      })
  }

  @Test(arguments: [
    (PaymentStatus.created, true), (.pending, true), (.rejected, true), (.expired, true),
    (.cancelled, true), (.unknown("NEW"), true), (.captured, false), (.authorized, false),
  ])
  func `it pays the order, and a person is told once`(
    status: PaymentStatus, _ isTold: Bool
  ) async throws {
    let store = InMemoryPaymentStore()
    try await store.seed()
    try await store.write { transaction in
      let settlement = Self.settlement(transaction)
      let payment = try #require(try transaction.payment(Sample.paymentID(1)))
      let reading = Self.reading(status, payment.amount, amount: payment.amount)
      for _ in 1...2 {
        _ = try settlement.apply(reading, to: payment.id, startedAt: nil, channel: .call)
      }
      let order = try #require(try transaction.order(payment.orderID))
      #expect(order.state == .paid && order.isFulfilled)
      let reviews = try transaction.reviews(of: order.id)
      #expect(reviews.map(\.kind) == (isTold ? [.unexpectedTransition] : []))
      guard let review = reviews.first else { return }
      #expect(review.detail == "\(status), and money was captured")
      try settlement.decide(
        ReviewRow.Decided(.dismiss, by: OperatorName("anna"), because: "looked"), on: review)
      _ = try settlement.apply(reading, to: payment.id, startedAt: nil, channel: .call)
      let after = try transaction.reviews(of: order.id)
      #expect(after.count == 1)
    }
  }

  @Test(arguments: [(Int64(1), true), (0, false)])
  func `it needs the amount that was asked for, as any money does`(
    captured: Int64, _ isRefused: Bool
  ) async throws {
    let store = InMemoryPaymentStore()
    try await store.seed()
    try await store.write { transaction in
      let payment = try #require(try transaction.payment(Sample.paymentID(1)))
      let money = Money(minorUnits: captured, currency: payment.amount.currency)
      let outcome = try Self.settlement(transaction).apply(
        Self.reading(.unknown("NEW"), money, amount: nil), to: payment.id, startedAt: nil,
        channel: .call)
      let refusal = Settlement.Outcome.unusable(reason: "no amount in the answer")
      #expect((outcome == refusal) == isRefused)
      let kept = try transaction.items(of: payment.id)
      #expect(kept.isEmpty == isRefused)
    }
  }
}
