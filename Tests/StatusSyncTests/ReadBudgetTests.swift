import KitEnvironment
import PaymentModels
import PaymentStore
import ProviderInterface
import StatusSync
import StrictJSON
import TestSupport
import Testing

@Suite("Reads that the schedule makes, within what each provider grants")
struct ReadBudgetTests {
  private static let out = FakeProvider.Fault.fail(ProviderError(.unknown, detail: "out"))

  /// Two accounts, the second of another provider.
  private static func setup() -> (ServerWorld.Setup, FakeProvider, FakeProvider) {
    var setup = ServerWorld.Setup()
    let (first, second) = (FakeProvider(), FakeProvider(name: .futa, family: 8))
    setup.providers = [first, second]
    return (setup, first, second)
  }

  @Test func `a provider that says 429 is left alone by all its payments until then`()
    async throws
  {
    let (setup, slow, quick) = Self.setup()
    try await ServerWorld.run(setup) { world in
      let rows = try await world.seed([
        (slow, .created), (slow, .created), (slow, .created), (quick, .pending),
      ])
      try await Self.makeDue(rows, at: world.clock.now, world)
      slow.always(
        .read,
        .fail(ProviderError(.throttled, status: 429, detail: "slow", retryAfter: .seconds(30))))
      try await world.until("told") { slow.count(.read) >= 1 }
      await world.pass(.seconds(5))
      let told = slow.count(.read)
      #expect(told <= 3)
      // A payer's look gets what is stored.
      let shown = try await world.get("/v1/payments/\(rows[0].id)")
      #expect(shown["fresh"]?.boolean == false)
      await world.pass(.seconds(20))
      #expect(slow.count(.read) == told)
      #expect(world.log.count(.warning, "an account's reads are slowed down") == 1)
      try await world.until("the other") {
        try await world.payment(rows[3].id).status == .pending
      }
      slow.always(.read, nil)
      for number in 1...3 { slow.change(slow.id(number)) { $0.status = .pending } }
      try await world.until("known", within: .seconds(120)) {
        for row in rows.prefix(3) where try await world.payment(row.id).status != .pending {
          return false
        }
        return true
      }
    }
  }

  @Test func `during an outage one payment is read to see its end, and all follow soon after`()
    async throws
  {
    let (setup, slow, _) = Self.setup()
    try await ServerWorld.run(setup) { world in
      let rows = try await world.seed(Array(repeating: (slow, .pending), count: 40))
      try await Self.makeDue(rows, at: world.clock.now, world)
      slow.always(.read, Self.out)
      await world.pass(.seconds(10))
      let first = slow.count(.read)
      await world.pass(.seconds(300))
      // One in 15 to 30 s, where forty payments on their own would be some hundreds.
      #expect(slow.count(.read) - first <= 30)
      #expect(slow.count(.read) > first)
      slow.always(.read, nil)
      try await world.until("all known", within: .seconds(400)) {
        for row in rows where try await world.payment(row.id).status != .pending { return false }
        return true
      }
    }
  }

  @Test func `one account with very many due payments keeps no other waiting`() async throws {
    var (setup, many, few) = Self.setup()
    setup.tuneSync = { $0.batchMax = 2 }
    try await ServerWorld.run(setup) { world in
      let rows = try await world.seed(
        Array(repeating: (many, .pending), count: 60) + [(few, .pending)])
      // The one is the least overdue of all.
      try await Self.makeDue(rows.dropLast(), at: world.clock.now - .seconds(60), world)
      try await Self.makeDue(rows.suffix(1), at: world.clock.now, world)
      try await world.until("the one", within: .seconds(2)) {
        try await world.payment(rows[60].id).status == .pending
      }
      #expect(many.count(.read) < 60)
    }
  }

  @Test func `a due time survives a restart`() async throws {
    var (setup, provider, _) = Self.setup()
    var row: PaymentRow?
    try await ServerWorld.run(setup) { world in
      row = try await world.placed()
      provider.hold(.create)
    }
    let placed = try #require(row)
    setup.seed = 2
    try await ServerWorld.run(setup) { world in
      let due = try #require(try await world.payment(placed.id).schedule.nextReadAt)
      provider.change(try #require(placed.providerPaymentID)) { $0.status = .pending }
      try await world.until("read", within: .seconds(10)) {
        try await world.payment(placed.id).status == .pending
      }
      #expect(world.clock.now >= due)
      #expect(world.clock.now.since(due) <= .seconds(2))
    }
  }

  @Test func `two processes on one store read a payment once`() async throws {
    let (setup, provider, _) = Self.setup()
    var other = setup
    other.seed = 2
    try await ServerWorld.run(setup) { world in
      let rows = try await world.seed([(provider, .pending)])
      let second = ServerWorld.secondProcess(other)
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { await second.sync.run(resumeCreate: { _ in }) }
        defer { group.cancelAll() }
        provider.hold(.read)
        try await Self.makeDue(rows, at: world.clock.now, world)
        try await world.until("held") { provider.heldCount == 1 }
        await world.pass(.seconds(5))
        let outcome = await second.sync.refresh(rows[0].id, because: .read)
        #expect(outcome == .notRead)
        #expect(provider.count(.read) == 1)
        provider.release(.read)
        try await world.until("known") {
          try await world.payment(rows[0].id).status == .pending
        }
        #expect(provider.count(.read) == 1)
      }
    }
  }

  @Test func `a look at a payment repairs what no webhook and no read has told`() async throws {
    var setup = ServerWorld.Setup()
    setup.providers = [FakeProvider { $0.readSchedule = [.seconds(3_600)] }]
    try await ServerWorld.run(setup) { world in
      let row = try await world.placed()
      let id = try #require(row.providerPaymentID)
      world.provider.change(id) { $0.status = .authorized }
      await world.pass(.seconds(60))
      #expect(try await world.payment(row.id).status == .created)
      let shown = try await world.get("/v1/payments/\(row.id)")
      #expect(shown["state"]?.text != "created")
      try await world.until("paid") { try await world.order(row.orderID).state == .paid }
      let order = try await world.get("/v1/orders/\(row.orderID)")
      #expect(order["state"]?.text == "paid")
    }
  }

  @Test func `a refund made elsewhere on a paid payment is learned by its slow schedule`()
    async throws
  {
    try await ServerWorld.run { world in
      let row = try await world.placed(.authorized)
      let id = try #require(row.providerPaymentID)
      try await world.until("paid") { try await world.order(row.orderID).state == .paid }
      world.provider.change(id) { reading in
        reading.items.append(
          PaymentItem(
            kind: .refund, providerItemID: "r-1", reference: nil, amount: row.amount,
            createdAt: nil))
      }
      await world.pass(.seconds(30))
      #expect(try await world.order(row.orderID).state == .paid)
      world.clock.setWall(world.clock.now + .seconds(86_400))
      try await world.until("refunded") {
        try await world.order(row.orderID).state == .refunded
      }
      #expect(try await world.messages(row.orderID) == [.fulfil, .refunded, .revoke])
    }
  }

  private static func makeDue(
    _ rows: some Collection<PaymentRow>, at due: Instant, _ world: ServerWorld
  ) async throws {
    let ids = rows.map(\.id)
    try await world.store.write { transaction in
      for (index, id) in ids.enumerated() {
        guard var schedule = try transaction.payment(id)?.schedule else { continue }
        schedule.nextReadAt = due + .milliseconds(index)
        try transaction.schedulePayment(id, schedule)
      }
    }
  }
}
