import PaymentModels
import PaymentStore
import TestSupport
import Testing

/// A provider may refuse the payer when the checkout is made, with no page to pay on, and go on
/// saying of the payment behind it that it was created, and later that it expired.
@Suite("A payer who was refused a page")
struct RefusedPageTests {
  private let id = Sample.paymentID(1)

  /// Settles the refusal, then a read that says `next`; gives the state and the reviews after it.
  private func settle(
    _ next: PaymentStatus, page: String? = nil
  ) async throws -> (PaymentStatus?, [ReviewKind]) {
    let store = InMemoryPaymentStore()
    try await store.seed()
    return try await store.write { transaction in
      guard var payment = try transaction.payment(id) else { return (nil, []) }
      payment.checkoutURL = page
      payment.rejectionReason = "not_available"
      try transaction.updatePayment(payment)
      let settlement = Settlement(
        transaction, policy: SettlementPolicy(), now: Sample.start,
        newUUID: { Sample.uuid(9, 1) })
      for (status, channel) in [(PaymentStatus.rejected, Channel.call), (next, .poll)] {
        _ = try settlement.apply(
          PaymentReading(
            providerPaymentID: ProviderPaymentID("p-1"), status: status, amount: payment.amount),
          to: id, startedAt: nil, channel: channel)
      }
      return (
        try transaction.payment(id)?.status,
        try transaction.reviews(of: Sample.orderID(1)).map(\.kind)
      )
    }
  }

  @Test(arguments: [
    PaymentStatus.created, .pending, .rejected, .expired, .cancelled,
  ])
  func `stays refused while there is no money`(next: PaymentStatus) async throws {
    let (status, reviews) = try await settle(next)
    #expect(status == .rejected)
    #expect(reviews == [])
  }

  @Test(arguments: [PaymentStatus.authorized, .captured])
  func `has paid all the same if the provider says so`(next: PaymentStatus) async throws {
    let (status, _) = try await settle(next)
    #expect(status == next)
  }

  @Test func `is looked at by a person when the word is unknown`() async throws {
    let (status, reviews) = try await settle(.unknown("NEW"))
    #expect(status == .unknown("NEW"))
    #expect(reviews == [.unexpectedTransition])
  }

  @Test func `is not meant where there was a page`() async throws {
    let (status, reviews) = try await settle(.created, page: "https://pay.example/1")
    #expect(status == .created)
    #expect(reviews == [.unexpectedTransition])
  }
}
