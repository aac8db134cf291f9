import PaymentModels
import PaymentStore
import TestSupport
import Testing

@Suite("FB-12 A provider that is known not to report the amount")
struct UnreportedAmountTests {
  private static let ours = ProviderPaymentID("p-1")

  /// What becomes of a paid answer without an amount.
  private func settle(
    _ accounts: Set<AccountKey>, _ id: ProviderPaymentID = ours,
    amount: Money? = nil
  ) async throws -> (outcome: Settlement.Outcome, state: OrderState, reviews: [ReviewKind]) {
    let store = InMemoryPaymentStore()
    try await store.seed()
    return try await store.write { transaction in
      var number = 0
      var policy = SettlementPolicy()
      policy.unreportedAmounts = accounts
      let settlement = Settlement(
        transaction, policy: policy, now: Sample.start,
        newUUID: {
          number += 1
          return Sample.uuid(9, number)
        })
      let payment = Sample.paymentID(1)
      _ = try settlement.apply(
        PaymentReading(providerPaymentID: Self.ours, status: .created, amount: nil),
        to: payment, startedAt: nil, channel: .call)
      let outcome = try settlement.apply(
        PaymentReading(
          providerPaymentID: id, status: .captured, amount: amount,
          paymentReference: payment.rawValue),
        to: payment, startedAt: nil, channel: .poll)
      let order = try #require(try transaction.order(Sample.orderID(1)))
      return (outcome, order.state, try transaction.reviews(of: order.id).map(\.kind))
    }
  }

  private static let setting: Set<AccountKey> = [AccountKey(.tabby, ProviderAccount("uae"))]

  @Test func `by default an absent amount is an error`() async throws {
    let found = try await settle([])
    #expect(found.outcome == .unusable(reason: "no amount in the answer"))
    #expect(found.state == .pending)
    let other = try await settle([AccountKey(.tabby, ProviderAccount("ksa"))])
    #expect(other.state == .pending)
  }

  @Test func `where the setting says so, what the payment was made with counts`() async throws {
    let found = try await settle(Self.setting)
    #expect(found.outcome == .applied(changed: true))
    #expect(found.state == .paid)
    #expect(found.reviews == [])
  }

  @Test func `it never stands for another payment, nor for an amount that is told`() async throws {
    let twin = try await settle(Self.setting, ProviderPaymentID("p-2"))
    #expect(twin.outcome == .unusable(reason: "no amount in the answer"))
    #expect(twin.state == .pending)
    let less = try await settle(
      Self.setting, amount: Money(minorUnits: 100, currency: Sample.aed))
    #expect(less.state == .needsReview)
    #expect(less.reviews.contains(.amountMismatch))
  }
}
