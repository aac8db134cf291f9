import PaymentModels
import PaymentStore
import TestSupport
import Testing

@Suite("A dispute is a review while it is open, and takes or gives back goods by its money")
struct DisputeTests {
  private struct Step: Sendable {
    let payment: Int
    let dispute: DisputeStanding?
    /// What was taken back so far, minor units; nil if the provider tells nothing of it.
    let taken: Int64?

    init(_ dispute: DisputeStanding?, taken: Int64? = nil, payment: Int = 1) {
      self.payment = payment
      self.dispute = dispute
      self.taken = taken
    }
  }

  private struct Found {
    var states: [OrderState] = []
    var messages: [MessageRow.Kind] = []
    var open: [ReviewKind] = []
    var reviews: [ReviewRow] = []
  }

  /// - Parameter dismisses: whether the open case is dismissed after the last step.
  private func settle(_ steps: [Step], dismisses: Bool = false) async throws -> Found {
    let store = InMemoryPaymentStore()
    try await store.seed()
    return try await store.write { transaction in
      try transaction.insertPayment(Sample.payment(2, order: 1, attempt: 2))
      var found = Found()
      for (index, step) in steps.enumerated() {
        let row = try #require(try transaction.payment(Sample.paymentID(step.payment)))
        var number = 100 * (index + 1)
        let settlement = Settlement(
          transaction, policy: SettlementPolicy(), now: Sample.start + .seconds(index),
          newUUID: {
            number += 1
            return Sample.uuid(9, number)
          })
        let amounts = [(PaymentItem.Kind.capture, row.amount.minorUnits)]
        let items = (amounts + (step.taken.map { [(.chargeback, $0)] } ?? [])).map { kind, amount in
          PaymentItem(
            kind: kind, providerItemID: "\(kind.rawValue)-\(step.payment)", reference: nil,
            amount: Money(minorUnits: amount, currency: Sample.aed), createdAt: nil)
        }
        _ = try settlement.apply(
          PaymentReading(
            providerPaymentID: ProviderPaymentID("p-\(step.payment)"), status: .captured,
            amount: row.amount, paymentReference: row.id.rawValue, items: items,
            dispute: step.dispute),
          to: row.id, startedAt: nil, channel: .poll)
        found.states.append(try #require(try transaction.order(row.orderID)).state)
        if dismisses, index == steps.count - 1 {
          let open = try #require(try transaction.reviews(of: row.orderID).first(where: \.isOpen))
          _ = try settlement.decide(
            ReviewRow.Decided(.dismiss, by: nil, because: "written off"), on: open)
        }
      }
      found.messages = try transaction.messages(of: Sample.orderID(1)).map(\.kind)
      found.reviews = try transaction.reviews(of: Sample.orderID(1))
      found.open = found.reviews.filter { $0.resolvedAt == nil }.map(\.kind)
      return found
    }
  }

  @Test func `an open dispute is told once and leaves the order paid`() async throws {
    let found = try await settle([Step(nil), Step(.opened), Step(.opened), Step(nil)])
    #expect(found.states == [.paid, .paid, .paid, .paid])
    #expect(found.messages == [.fulfil, .disputed, .needsReview])
    #expect(found.open == [.disputed])
    #expect(found.reviews.map(\.detail) == ["the payer disputes the payment"])
  }

  @Test func `money that goes with it is told once`() async throws {
    let found = try await settle([Step(nil), Step(.opened, taken: 15_000)])
    #expect(found.states == [.paid, .refunded])
    #expect(found.messages.count { $0 == .disputed } == 1)
    #expect(found.messages.count { $0 == .revoke } == 1)
    #expect(found.open == [.disputed])
  }

  @Test(arguments: [nil, DisputeStanding.opened])
  func `money that is gone is one fact, whether its word comes with it or later`(
    first: DisputeStanding?
  ) async throws {
    let steps = [Step(nil), Step(first, taken: 15_000), Step(.opened, taken: 15_000)]
    let found = try await settle(steps, dismisses: true)
    #expect(found.reviews.map(\.detail) == ["150.00 AED charged back"])
    #expect(found.open == [])
  }

  @Test func `a lost one gives the order back and ends the review`() async throws {
    let found = try await settle([
      Step(nil), Step(.opened), Step(.lost, taken: 15_000), Step(.lost, taken: 15_000),
    ])
    #expect(found.states == [.paid, .paid, .refunded, .refunded])
    #expect(found.messages == [.fulfil, .disputed, .needsReview, .revoke])
    #expect(found.open == [])
  }

  @Test func `a won one restores the order, and its own money is not late money`() async throws {
    let found = try await settle([
      Step(nil), Step(.opened, taken: 15_000), Step(.won, taken: 0), Step(.won, taken: 0),
    ])
    #expect(found.states == [.paid, .refunded, .paid, .paid])
    #expect(found.messages == [.fulfil, .disputed, .revoke, .needsReview, .fulfil])
    #expect(found.open == [])
  }

  @Test(arguments: [DisputeStanding.won, .lost, .closed])
  func `the end of one that took nothing ends the review alone`(
    end: DisputeStanding
  ) async throws {
    let found = try await settle([Step(nil), Step(.opened), Step(end)])
    #expect(found.states == [.paid, .paid, .paid])
    #expect(found.messages == [.fulfil, .disputed, .needsReview])
    #expect(found.open == [])
  }

  @Test func `another one after its end is a review of its own`() async throws {
    let found = try await settle([Step(nil), Step(.opened), Step(.won), Step(.opened)])
    #expect(found.open == [.disputed])
    #expect(found.reviews.count == 2)
  }

  @Test func `where the provider has no word, the money keeps the review open`() async throws {
    let found = try await settle([Step(nil), Step(nil, taken: 15_000), Step(nil, taken: 15_000)])
    #expect(found.states == [.paid, .refunded, .refunded])
    #expect(found.open == [.disputed])
  }

  @Test
  func `money of another payment after a charge-back is late, and a surplus once that is won`()
    async throws
  {
    let found = try await settle([
      Step(nil), Step(.opened, taken: 15_000), Step(nil, payment: 2), Step(.won, taken: 0),
    ])
    #expect(found.states == [.paid, .refunded, .needsReview, .paid])
    // Called back when the money went, and out again once the order's own money was back.
    #expect(
      found.messages.filter { $0 == .fulfil || $0 == .revoke } == [.fulfil, .revoke, .fulfil])
    #expect(found.reviews.contains { $0.kind == .lateMoney })
    #expect(found.open == [.extraPayment])
  }
}
