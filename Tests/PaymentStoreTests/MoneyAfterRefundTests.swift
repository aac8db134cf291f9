import PaymentModels
import PaymentStore
import TestSupport
import Testing

@Suite("Money that comes after an order was refunded")
struct MoneyAfterRefundTests {
  private struct Step: Sendable {
    let payment: Int
    let status: PaymentStatus
    let items: [PaymentItem.Kind]
  }

  private func settle(
    _ steps: [Step]
  ) async throws -> (states: [OrderState], messages: [MessageRow.Kind], reviews: [ReviewKind]) {
    let store = InMemoryPaymentStore()
    try await store.seed()
    return try await store.write { transaction in
      try transaction.insertPayment(Sample.payment(2, order: 1, attempt: 2))
      var states: [OrderState] = []
      for (index, step) in steps.enumerated() {
        guard let row = try transaction.payment(Sample.paymentID(step.payment)) else { continue }
        var number = 100 * (index + 1)
        let settlement = Settlement(
          transaction, policy: SettlementPolicy(), now: Sample.start,
          newUUID: {
            number += 1
            return Sample.uuid(9, number)
          })
        let items = step.items.map { kind in
          PaymentItem(
            kind: kind, providerItemID: "\(kind.rawValue)-\(step.payment)", reference: nil,
            amount: row.amount, createdAt: nil)
        }
        _ = try settlement.apply(
          PaymentReading(
            providerPaymentID: ProviderPaymentID("p-\(step.payment)"), status: step.status,
            amount: row.amount, paymentReference: row.id.rawValue, items: items),
          to: row.id, startedAt: nil, channel: .poll)
        if let state = try transaction.order(row.orderID)?.state { states.append(state) }
      }
      return (
        states, try transaction.messages(of: Sample.orderID(1)).map(\.kind),
        try transaction.reviews(of: Sample.orderID(1)).map(\.kind)
      )
    }
  }

  @Test func `is held for a person, and the goods do not go out again`() async throws {
    let found = try await settle([
      Step(payment: 1, status: .captured, items: [.capture]),
      Step(payment: 1, status: .captured, items: [.capture, .refund]),
      Step(payment: 2, status: .captured, items: [.capture]),
      // A later look says the same.
      Step(payment: 2, status: .captured, items: [.capture]),
      Step(payment: 2, status: .captured, items: [.capture, .refund]),
    ])
    #expect(found.states == [.paid, .refunded, .needsReview, .needsReview, .refunded])
    #expect(found.messages.count { $0 == .fulfil } == 1)
    #expect(found.messages.count { $0 == .revoke } == 1)
    #expect(found.reviews.contains(.lateMoney))
  }

  @Test func `is not mistaken where a surplus is refunded`() async throws {
    let found = try await settle([
      Step(payment: 1, status: .captured, items: [.capture]),
      Step(payment: 2, status: .captured, items: [.capture]),
      Step(payment: 2, status: .captured, items: [.capture, .refund]),
    ])
    #expect(found.states == [.paid, .paid, .paid])
    #expect(found.messages.count { $0 == .fulfil } == 1)
    #expect(!found.messages.contains(.revoke))
    #expect(!found.reviews.contains(.lateMoney))
  }
}
