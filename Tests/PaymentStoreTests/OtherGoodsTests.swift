import PaymentModels
import PaymentStore
import TestSupport
import Testing

@Suite("FB-12 A payment for other goods than those that were asked for")
struct OtherGoodsTests {
  @Test(arguments: [true, false])
  func `it pays nothing until a person has looked, also for the same price`(
    isForOtherGoods: Bool
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
      let id = ProviderPaymentID("p-1")
      _ = try settlement.apply(
        PaymentReading(
          providerPaymentID: id, status: .captured, amount: payment.amount,
          items: [
            PaymentItem(
              kind: .capture, providerItemID: "p-1", reference: nil, amount: payment.amount,
              createdAt: nil)
          ], isForOtherGoods: isForOtherGoods, contradiction: "complete, and not"),
        to: payment.id, startedAt: nil, channel: .call)
      let order = try #require(try transaction.order(payment.orderID))
      #expect(order.state == (isForOtherGoods ? .needsReview : .paid))
      #expect(order.isFulfilled == !isForOtherGoods)
      let reviews = try transaction.reviews(of: order.id).map(\.kind)
      #expect(reviews.contains(.wrongOrder) == isForOtherGoods)
      // An answer that contradicts itself is shown to a person and holds nothing up.
      #expect(reviews.contains(.unexpectedTransition))
    }
  }
}
