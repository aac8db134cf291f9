import PaymentModels
import PaymentStore
import SQLitePaymentStore
import TestSupport
import Testing

@Suite("Two processes that decide one case")
struct OneDecisionTests {
  @Test(arguments: [ReviewDecision.refund, .accept])
  func `one wins, and the others write nothing`(decision: ReviewDecision) async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/till.sqlite"
      let stores = [
        try SQLitePaymentStore.open(path: path), try SQLitePaymentStore.open(path: path),
      ]
      try await lateMoney(stores[0])
      let refusals = try await withThrowingTaskGroup(of: String?.self) { group in
        for number in 0..<8 {
          let store = stores[number % 2]
          group.addTask { try await decide(decision, number, store) }
        }
        return try await group.reduce(into: [String?]()) { $0.append($1) }
      }
      #expect(refusals.count { $0 == nil } == 1)
      #expect(refusals.compactMap(\.self).allSatisfy { $0.hasPrefix("It was decided already") })
      let (operations, lines, order) = try await stores[1].read { transaction in
        (
          try transaction.operations(of: Sample.paymentID(1)),
          try transaction.journal(of: Sample.orderID(1), limit: 99)
            .filter { $0.change == "late_money: \(decision.rawValue)" },
          try transaction.order(Sample.orderID(1))
        )
      }
      #expect(operations.count == (decision == .refund ? 1 : 0))
      #expect(lines.count == 1)
      #expect(order?.state == (decision == .refund ? .needsReview : .paid))
      for store in stores { await store.close() }
    }
  }

  /// Money that was captured after its order had been cancelled.
  private func lateMoney(_ store: SQLitePaymentStore) async throws {
    try await store.seed()
    try await store.write { transaction in
      var order = try #require(try transaction.order(Sample.orderID(1)))
      order.state = .cancelled
      order.cancelRequestedAt = Sample.start
      order.cancelledAt = Sample.start
      try transaction.updateOrder(order)
      var payment = try #require(try transaction.payment(Sample.paymentID(1)))
      payment.status = .captured
      try transaction.updatePayment(payment)
      try transaction.putItem(
        PaymentItem(
          kind: .capture, providerItemID: "c", reference: nil, amount: payment.amount,
          createdAt: nil), of: payment.id)
      try settlement(transaction, 0).deriveOrder(order.id)
    }
  }

  /// Why the decision was refused; nil if it was taken.
  private func decide(
    _ decision: ReviewDecision, _ number: Int, _ store: SQLitePaymentStore
  ) async throws -> String? {
    do {
      try await store.write { transaction in
        let review = try #require(try transaction.review(1))
        try settlement(transaction, number + 1).decide(
          ReviewRow.Decided(
            decision, by: OperatorName("op-\(number)"), because: "r",
            idempotencyKey: "k-\(number)"), on: review)
      }
      return nil
    } catch let refused as DecisionRefused {
      return refused.description
    }
  }

  private func settlement(_ transaction: any PaymentTransaction, _ number: Int) -> Settlement {
    var next = 100 * number
    return Settlement(
      transaction, policy: SettlementPolicy(capture: .manual), now: Sample.start,
      newUUID: {
        next += 1
        return Sample.uuid(9, next)
      })
  }
}
