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
    supplements: Bool = true, transaction: String? = nil, dispute: DisputeStanding? = nil,
    provesPaid: Bool = true, provesUndone: Bool = true, amount: Int64? = nil
  ) -> SignedEvent {
    SignedEvent(
      reading: PaymentReading(
        providerPaymentID: provider, status: status,
        amount: amount.map { Money(minorUnits: $0, currency: Sample.aed) }
          ?? Sample.payment().amount, items: items, transactionID: transaction, dispute: dispute),
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

  private struct Found: Sendable {
    let outcomes: [Settlement.Outcome]
    let row: PaymentRow
    let items: [PaymentItem]
    let open: [ReviewKind]
  }

  /// A captured payment, and what becomes of the events.
  private func settle(
    _ events: [SignedEvent], status: PaymentStatus = .captured, readAt: Int64? = nil,
    taken: Int64 = 15_000
  ) async throws -> Found {
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
      let items = status == .captured ? [Self.item(.capture, "c-1", taken)] : []
      _ = try settlement.apply(
        PaymentReading(
          providerPaymentID: Self.provider, status: status,
          amount: Money(minorUnits: taken, currency: Sample.aed), items: items),
        to: id, startedAt: nil, channel: .call)
      if let readAt, var schedule = try transaction.payment(id)?.schedule {
        schedule.lastProofAt = Sample.start + .seconds(readAt)
        try transaction.schedulePayment(id, schedule)
      }
      let outcomes = try events.map { try settlement.apply($0, to: id) }
      let row = try #require(try transaction.payment(id))
      let reviews = try transaction.reviews(of: row.orderID).filter { $0.resolvedAt == nil }
      return Found(
        outcomes: outcomes, row: row, items: try transaction.items(of: id),
        open: reviews.map(\.kind))
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

  // Found by a simulated world: a dispute that was won of a payment that took twice what was asked.
  @Test(arguments: [(30_000, true), (15_000, true), (29_999, false), (30_001, false)])
  func `it may name what was asked for, or what a read has shown to be taken`(
    amount: Int64, counts: Bool
  ) async throws {
    let lost = Self.event(
      .captured, [Self.item(.chargeback, "d-1", 30_000)], at: 5, dispute: .lost, amount: amount)
    let won = Self.event(
      .captured, [Self.item(.chargeback, "d-1", 0)], at: 10, dispute: .won, amount: amount)
    let found = try await settle([lost], taken: 30_000)
    #expect(found.items.sum(.chargeback) == (counts ? 30_000 : 0))
    let ended = try await settle([lost, won], taken: 30_000)
    #expect(ended.outcomes.map(isApplied) == [counts, counts])
    #expect(ended.items.sum(.chargeback) == 0)
    #expect(ended.row.dispute == (counts ? .won : nil))
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

  @Test(arguments: [nil, 20] as [Int64?])
  func `of a dispute's events of one time, or of none, the end stands`(at: Int64?) async throws {
    let opened = Self.event(.captured, [Self.item(.chargeback, "d-1")], at: at, dispute: .opened)
    let won = Self.event(.captured, [Self.item(.chargeback, "d-1", 0)], at: at, dispute: .won)
    for events in [[opened, won], [won, opened], [opened, won, opened, won]] {
      let found = try await settle(events)
      #expect(found.row.dispute == .won)
      #expect(found.items.sum(.chargeback) == 0)
    }
  }

  @Test func `a body without a time changes no movement that is known`() async throws {
    let taken = Self.event(.captured, [Self.item(.chargeback, "d-1", 0)], at: 20, dispute: .won)
    for supplements in [true, false] {
      let replay = Self.event(
        .captured, [Self.item(.chargeback, "d-1")], supplements: supplements)
      let found = try await settle([taken, replay])
      #expect(found.items.sum(.chargeback) == 0)
    }
  }

  @Test func `an older body tells what nobody has told`() async throws {
    let refunded = Self.event(.captured, [Self.item(.refund, "r-1", 5_000)], at: 20)
    let opened = Self.event(.captured, at: 10, transaction: "tx-1", dispute: .opened)
    let won = Self.event(.captured, at: 5, dispute: .won)
    let found = try await settle([refunded, opened, opened, won])
    #expect(found.outcomes.map(isApplied) == [true, true, false, false])
    #expect(found.row.dispute == .opened)
    #expect(found.row.transactionID == "tx-1")
  }

  @Test func `where only a read proves payment, a body neither captures nor adds a capture`()
    async throws
  {
    let body = Self.event(.captured, [Self.item(.capture, "c-2")], at: 5, provesPaid: false)
    let held = try await settle([body], status: .authorized)
    #expect(held.outcomes.map(isApplied) == [false])
    #expect(held.row.status == .authorized)
    let taken = try await settle([body])
    #expect(taken.items.sum(.capture) == 15_000)
  }

  @Test func `where only a read proves an undoing, no body lets money go or speaks of a dispute`()
    async throws
  {
    let gone = Self.event(.cancelled, at: 5, provesUndone: false)
    let held = try await settle([gone], status: .authorized)
    #expect(held.row.status == .authorized)
    let disputed = Self.event(.captured, at: 5, dispute: .opened, provesUndone: false)
    #expect(try await settle([disputed]).row.dispute == nil)
  }

  @Test func `what another transaction's body says takes nothing from this payment`()
    async throws
  {
    let paid = Self.event(.captured, at: 1, transaction: "tx-paid")
    let other = Self.event(
      .captured, [Self.item(.refund, "tx-other.refund")], at: 2, transaction: "tx-other",
      dispute: .lost)
    let found = try await settle([paid, other])
    #expect(found.outcomes.map(isApplied) == [true, false])
    #expect(found.items.sum(.refund) == 0)
    #expect(found.row.dispute == nil)
    #expect(found.open == [.extraPayment])
  }
}
