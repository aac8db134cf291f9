import PaymentModels
import PaymentStore
import TestSupport
import Testing

@Suite("When a signed body may change what is stored")
struct SignedEventTests {
  private static let account = ProviderAccount("uae")
  private static let provider = ProviderPaymentID("p-1")

  private static func event(
    _ status: PaymentStatus, _ items: [PaymentItem] = [], at seconds: Int64? = nil,
    supplements: Bool = true, transaction: String? = nil, provesPaid: Bool = true,
    provesUndone: Bool = true
  ) -> SignedEvent {
    SignedEvent(
      reading: PaymentReading(
        providerPaymentID: provider, status: status, amount: Sample.payment().amount,
        items: items, transactionID: transaction),
      account: account, mode: .test, occurredAt: seconds.map { Sample.start + .seconds($0) },
      supplementsRead: supplements, provesPaid: provesPaid, provesUndone: provesUndone)
  }

  private static func item(
    _ kind: PaymentItem.Kind, _ id: String, _ minorUnits: Int64 = 15_000
  ) -> PaymentItem {
    PaymentItem(
      kind: kind, providerItemID: id, reference: nil,
      amount: Money(minorUnits: minorUnits, currency: Sample.aed), createdAt: nil)
  }

  /// A captured payment, and what becomes of the events.
  private func settle(
    _ events: [SignedEvent], status: PaymentStatus = .captured, readAt: Int64? = nil
  ) async throws -> (outcomes: [Settlement.Outcome], row: PaymentRow, items: [PaymentItem]) {
    let store = InMemoryPaymentStore()
    try await store.seed()
    return try await store.write { transaction in
      var number = 0
      let settlement = Settlement(
        transaction, policy: SettlementPolicy(), now: Sample.start + .seconds(1_000),
        newUUID: {
          number += 1
          return Sample.uuid(9, number)
        })
      let id = Sample.paymentID(1)
      let items = status == .captured ? [Self.item(.capture, "c-1")] : []
      _ = try settlement.apply(
        PaymentReading(
          providerPaymentID: Self.provider, status: status, amount: Sample.payment().amount,
          items: items),
        to: id, startedAt: nil, channel: .call)
      if let readAt, var schedule = try transaction.payment(id)?.schedule {
        schedule.lastProofAt = Sample.start + .seconds(readAt)
        try transaction.schedulePayment(id, schedule)
      }
      let outcomes = try events.map { try settlement.apply($0, to: id) }
      let row = try #require(try transaction.payment(id))
      return (outcomes, row, try transaction.items(of: id))
    }
  }

  private func isApplied(_ outcome: Settlement.Outcome) -> Bool {
    if case .applied = outcome { true } else { false }
  }

  @Test func `what came out of order adds what nobody has told, and changes nothing else`()
    async throws
  {
    let won = Self.event(.captured, [Self.item(.chargeback, "d-1", 0)], at: 20)
    let lost = Self.event(.captured, [Self.item(.chargeback, "d-1")], at: 10)
    let refunded = Self.event(.captured, [Self.item(.refund, "r-1", 5_000)], at: 5)
    let found = try await settle([won, lost, refunded, refunded])
    #expect(found.outcomes.map(isApplied) == [true, false, true, false])
    #expect(found.items.sum(.chargeback) == 0)
    #expect(found.items.sum(.refund) == 5_000)
    #expect(found.row.lastEventAt == Sample.start + .seconds(20))
  }

  @Test(arguments: [(99, false), (100, true), (101, true)] as [(Int64, Bool)])
  func `what a read can tell must not be older than the last read`(
    seconds: Int64, counts: Bool
  ) async throws {
    let found = try await settle(
      [Self.event(.captured, at: seconds, supplements: false)], status: .pending, readAt: 100)
    #expect(found.outcomes.map(isApplied) == [counts])
    #expect(found.row.status == (counts ? .captured : .pending))
  }

  @Test(arguments: [
    (PaymentStatus.captured, PaymentStatus.pending, Int64?.some(5), false),
    (.captured, .rejected, nil, false), (.pending, .created, nil, false),
    (.pending, .captured, nil, true), (.pending, .rejected, 5, true),
    (.unknown("ODD"), .captured, nil, true),
    // It may be from before the end, sent again; one that bears a time cannot.
    (.rejected, .captured, nil, false), (.rejected, .captured, 5, true),
  ])
  func `only a step ahead counts`(
    from: PaymentStatus, to: PaymentStatus, seconds: Int64?, counts: Bool
  ) async throws {
    let found = try await settle(
      [Self.event(to, at: seconds, supplements: false)], status: from)
    #expect(found.outcomes.map(isApplied) == [counts])
    #expect(found.row.status == (counts ? to : from))
  }

  @Test(arguments: [
    (PaymentStatus.pending, PaymentItem.Kind.capture, false, true, false),
    (.pending, .capture, true, false, true), (.captured, .refund, false, true, true),
    (.captured, .refund, true, false, false), (.captured, .chargeback, true, false, false),
    (.captured, .capture, false, false, true),
  ])
  func `a body proves what the provider's document lets it prove`(
    from: PaymentStatus, kind: PaymentItem.Kind, paid: Bool, undone: Bool, counts: Bool
  ) async throws {
    let event = Self.event(
      .captured, [Self.item(kind, "c-1")], at: 5, provesPaid: paid, provesUndone: undone)
    let found = try await settle([event], status: from)
    #expect(found.outcomes.map(isApplied) == [counts])
  }

  @Test func `the transaction that paid is kept once, and one that paid nothing never`()
    async throws
  {
    let declined = Self.event(.pending, at: 1, transaction: "tx-declined")
    let paid = Self.event(.captured, at: 2, transaction: "tx-paid")
    let found = try await settle([declined, paid], status: .pending)
    #expect(found.row.transactionID == "tx-paid")
    let twice = try await settle(
      [paid, Self.event(.captured, at: 3, transaction: "tx-other")], status: .pending)
    #expect(twice.row.transactionID == "tx-paid")
  }
}
