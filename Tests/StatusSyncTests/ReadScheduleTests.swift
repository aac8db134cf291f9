import KitEnvironment
import PaymentModels
import PaymentStore
import ProviderInterface
@testable import StatusSync
import StrictJSON
import TestSupport
import Testing

@Suite("FB-15 Polling: one failed read ends an authorised payment; another loop never ends")
struct ReadScheduleTests {
  @Test func `no failed read ends a payment, and the next good one counts`() async throws {
    try await ServerWorld.run { world in
      let row = try await world.placed()
      let id = try #require(row.providerPaymentID)
      let unknown = { (detail: String) in
        FakeProvider.Fault.fail(ProviderError(.unknown, detail: detail))
      }
      world.provider.script(
        .read, nil, unknown("socket reset"), unknown("timeout"), unknown("503"), unknown("502"),
        .fail(ProviderError(.notSent, detail: "name not found")), nil)
      world.provider.hold(.create)
      for reads in 1...7 {
        try await world.until("read \(reads)", within: .seconds(400)) {
          world.provider.count(.read) >= reads
        }
        #expect(try await world.payment(row.id).status == .created)
        #expect(try await world.order(row.orderID).state == .pending)
      }
      world.provider.change(id) { $0.status = .authorized }
      try await world.until("paid", within: .seconds(400)) {
        try await world.order(row.orderID).state == .paid
      }
    }
  }

  @Test func `a word that nobody knows is warned of once, decides nothing and is read again`()
    async throws
  {
    try await ServerWorld.run { world in
      let row = try await world.placed(.unknown("RETRY_SCHEDULED"))
      let reads = world.provider.count(.read)
      try await world.until("read again") { world.provider.count(.read) > reads + 1 }
      #expect(world.log.count(.warning, "payment changed") == 1)
      #expect(try await world.order(row.orderID).state == .pending)
      #expect(try await world.messages(row.orderID) == [])
      let id = try #require(row.providerPaymentID)
      world.provider.change(id) { $0.status = .authorized }
      try await world.until("paid", within: .seconds(400)) {
        try await world.order(row.orderID).state == .paid
      }
      #expect(world.log.count(.warning, "payment changed") == 1)
    }
  }

  @Test func `a provider that is out slows the schedule and changes nothing else`() async throws {
    try await ServerWorld.run { world in
      let row = try await world.placed()
      world.provider.always(.read, .fail(ProviderError(.unknown, detail: "out")))
      await world.pass(.seconds(3_600))
      let reads = world.provider.count(.read)
      // Backoff of 1 s to 300 s, half of it drawn: 8 to grow, then one in 150 to 300 s.
      #expect(reads >= 8 + 10 && reads <= 10 + 26)
      #expect(try await world.payment(row.id).status == .created)
      #expect(try await world.order(row.orderID).state == .pending)
      let journal = try await world.store.read { try $0.journal(of: row.orderID, limit: 999) }
      #expect(journal.filter { $0.event == "read failed" }.count <= 6)
    }
  }

  @Test func `a look at a paid payment that fails is made again soon, then ever more seldom`()
    async throws
  {
    try await ServerWorld.run { world in
      let row = try await world.placed(.captured)
      try await world.until("first look") {
        try await world.payment(row.id).schedule.lastProofAt != nil
      }
      world.provider.always(.read, .fail(ProviderError(.unknown, detail: "out")))
      for hours in [1, 2, 4, 8, 16, 24, 24] {
        let reads = world.provider.count(.read)
        let due = try #require(try await world.payment(row.id).schedule.nextReadAt)
        world.clock.setWall(due)
        try await world.until("look") { world.provider.count(.read) > reads }
        let failed = world.clock.now
        try await world.until("noted") {
          try await world.payment(row.id).schedule.leaseUntil == nil
        }
        let next = try #require(try await world.payment(row.id).schedule.nextReadAt)
        #expect(next.since(failed) >= .seconds(hours * 3_600 - 5))
        #expect(next.since(failed) <= .seconds(hours * 3_600 + 5))
      }
    }
  }

  @Test func `a payer's app that asks all the time does not fill the journal`() async throws {
    try await ServerWorld.run { world in
      let row = try await world.placed()
      world.provider.always(.read, .fail(ProviderError(.unknown, detail: "out")))
      for _ in 0..<60 { _ = try await world.get("/v1/payments/\(row.id)") }
      let journal = try await world.store.read { try $0.journal(of: row.orderID, limit: 999) }
      #expect(world.provider.count(.read) > 20)
      #expect(journal.filter { $0.event == "read failed" }.count <= 8)
    }
  }

  @Test func `a wish for a later call is kept`() async throws {
    try await ServerWorld.run { world in
      let row = try await world.placed()
      world.provider.script(
        .read,
        .fail(ProviderError(.throttled, status: 429, detail: "slow", retryAfter: .seconds(7))))
      try await world.until("read") { world.provider.count(.read) == 1 }
      let throttled = world.clock.now
      try await world.until("next read") { world.provider.count(.read) == 2 }
      #expect(world.clock.now.since(throttled) >= .seconds(6.9))
      #expect(try await world.payment(row.id).status == .created)
    }
  }

  @Test func `a payment made while the clock was a day ahead is read all the same`() async throws {
    try await ServerWorld.run { world in
      world.clock.setWall(world.clock.now + .seconds(86_400))
      let row = try await world.placed()
      world.clock.setWall(world.clock.now - .seconds(86_400))
      // A look brings the schedule back to the present.
      _ = try await world.get("/v1/payments/\(row.id)")
      let reads = world.provider.count(.read)
      #expect(reads == 1)
      try await world.until("scheduled read", within: .seconds(10)) {
        world.provider.count(.read) > reads
      }
    }
  }

  @Test(arguments: [false, true])
  func `a clock that is set back by a day holds no payment up`(isRestart: Bool) async throws {
    var setup = ServerWorld.Setup()
    setup.clock.setWall(setup.clock.now + .seconds(86_400))
    var row: PaymentRow?
    try await ServerWorld.run(setup) { world in
      let placed = try await world.placed()
      row = placed
      await world.pass(.seconds(2))
      if !isRestart { try await Self.setBack(world, placed) }
    }
    guard isRestart, let row else { return }
    setup.seed = 2
    try await ServerWorld.run(setup) { world in try await Self.setBack(world, row) }
  }

  private static func setBack(_ world: ServerWorld, _ row: PaymentRow) async throws {
    let id = try #require(row.providerPaymentID)
    world.provider.change(id) { $0.status = .authorized }
    world.clock.setWall(world.clock.now - .seconds(86_400))
    try await world.until("paid", within: .seconds(60)) {
      try await world.order(row.orderID).state == .paid
    }
  }

  @Test func `a lease from before the clock was set back does not last for hours`() async throws {
    try await ServerWorld.run { world in
      let row = try await world.placed()
      let ahead = world.clock.now + .seconds(7_200)
      try await world.store.write { transaction in
        guard var schedule = try transaction.payment(row.id)?.schedule else { return }
        schedule.leaseUntil = ahead
        try transaction.schedulePayment(row.id, schedule)
      }
      let shown = try await world.get("/v1/payments/\(row.id)")
      #expect(shown["fresh"]?.boolean == true)
    }
  }

  @Test(arguments: [
    (PaymentStatus.created, Duration.seconds(0), Duration?.some(.seconds(2))),
    (.created, .seconds(3), .seconds(4)),
    (.pending, .seconds(500), .seconds(60)),
    (.unknown("NEW"), .seconds(500), .seconds(60)),
    (.created, .seconds(-86_400), .seconds(2)),
    (.authorized, .seconds(500), .seconds(3_600)),
    (.captured, .seconds(7 * 86_400 - 1), .seconds(86_400)),
    (.captured, .seconds(7 * 86_400), .seconds(7 * 86_400)),
    (.captured, .seconds(180 * 86_400), nil),
    (.expired, .seconds(30 * 86_400 - 1), .seconds(86_400)),
    (.cancelled, .seconds(30 * 86_400), nil),
  ])
  func `the plan of reads`(status: PaymentStatus, age: Duration, wait: Duration?) {
    let plan = ReadPlan(waits: [2, 5, 15, 30, 60].map { .seconds($0) })
    var row = Sample.payment()
    row.status = status
    let now = row.createdAt + age
    #expect(plan.nextRead(of: row, now: now)?.since(now) == wait)
  }

  @Test(arguments: [1, 24, 720])
  func `once lapsed, a payment is read daily for 30 days more`(hours: Int64) {
    let lapse: Duration = .seconds(hours * 3_600)
    let plan = ReadPlan(waits: [.seconds(60)], lapseAfter: lapse)
    var row = Sample.payment()
    row.lapsed = true
    var now = row.createdAt + lapse
    var reads = 0
    while let next = plan.nextRead(of: row, now: now) {
      #expect(next.since(now) == .seconds(86_400))
      now = next
      reads += 1
    }
    #expect(reads == 30)
  }
}
