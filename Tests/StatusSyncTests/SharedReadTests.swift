import PaymentModels
import PaymentStore
import ProviderInterface
@testable import StatusSync
import StrictJSON
import TestSupport
import Testing

@Suite("Reads that many share")
struct SharedReadTests {
  @Test func `a webhook that comes during a read has another read begin after it`() async throws {
    try await ServerWorld.run { world in
      let row = try await world.placed()
      let id = try #require(row.providerPaymentID)
      // By now the schedule alone would not read for a minute.
      await world.pass(.seconds(120))
      let schedule = try await world.payment(row.id).schedule
      #expect(try #require(schedule.nextReadAt).since(world.clock.now) > .seconds(20))
      world.provider.hold(.read)
      async let look = world.get("/v1/payments/\(row.id)")
      // The provider has answered “created”; the answer is still on its way.
      try await world.until("read is under way") { world.provider.heldCount == 1 }
      world.provider.change(id) { $0.status = .authorized }
      try await world.deliver(world.provider.webhook(id))
      await world.pause(.milliseconds(600))
      world.provider.release(.read)
      _ = try await look
      try await world.until("known by the webhook", within: .seconds(3)) {
        try await world.payment(row.id).status != .created
      }
    }
  }

  @Test func `two webhooks with two unknown ids are both read`() async throws {
    try await ServerWorld.run { world in
      let row = try await world.placed()
      let twins = [world.provider.id(50), world.provider.id(51)]
      for twin in twins {
        world.provider.add(
          PaymentReading(
            providerPaymentID: twin, status: .created, amount: row.amount,
            orderReference: row.orderID.rawValue, paymentReference: row.id.rawValue, mode: .test))
      }
      for twin in twins { try await world.deliver(world.provider.webhook(twin, for: row.id)) }
      try await world.until("both are ours", within: .seconds(8)) {
        try await world.store.read { try $0.providerPaymentIDs(of: row.id).count == 3 }
      }
    }
  }

  @Test func `an id that a webhook made up does not make the payment's own read a failure`()
    async throws
  {
    try await ServerWorld.run { world in
      let row = try await world.placed()
      try await world.deliver(world.provider.webhook(world.provider.id(77), for: row.id))
      try await world.until("read") { world.provider.calls(world.provider.id(77)) == [.read] }
      await world.pause(.milliseconds(50))
      let schedule = try await world.payment(row.id).schedule
      #expect(schedule.failedReads == 0)
      #expect(try await world.store.read { try $0.providerPaymentIDs(of: row.id).count } == 1)
      await world.pass(.seconds(120))
      #expect(world.provider.calls(world.provider.id(77)).count <= 12)
    }
  }

  @Test func `a provider that does not answer keeps no other provider's payments waiting`()
    async throws
  {
    let slow = FakeProvider()
    let quick = FakeProvider(name: ProviderName("futa"), family: 8)
    var setup = ServerWorld.Setup()
    setup.providers = [slow, quick]
    setup.tuneSync = { settings in
      settings.readsMax = 2
      settings.batchMax = 2
    }
    try await ServerWorld.run(setup) { world in
      slow.hold(.read)
      let rows = try await world.seed([
        (slow, .created), (slow, .created), (slow, .created), (slow, .created), (quick, .created),
      ])
      let now = world.clock.now
      try await world.store.write { transaction in
        for (index, row) in rows.enumerated() {
          var schedule = row.schedule
          schedule.nextReadAt = now + .milliseconds(Int64(index))
          try transaction.schedulePayment(row.id, schedule)
        }
      }
      try await world.until("the quick one is read", within: .seconds(5)) {
        quick.count(.read) == 1
      }
      #expect(slow.heldCount == 2)
      // Nor a webhook's payment.
      try await world.deliver(slow.webhook(slow.id(3)))
      try await world.deliver(quick.webhook(quick.id(5)))
      try await world.until("read by the webhook", within: .seconds(5)) {
        quick.count(.read) == 2
      }
    }
  }

  @Test func `twenty callers cost one read, and two reads are at least 2 s apart`() async throws {
    try await ServerWorld.run { world in
      let row = try await world.placed()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<20 { group.addTask { _ = try await world.get("/v1/payments/\(row.id)") } }
        try await group.waitForAll()
      }
      let first = world.clock.now
      #expect(world.provider.count(.read) <= 2)
      let reads = world.provider.count(.read)
      try await world.until("next") {
        _ = try await world.get("/v1/payments/\(row.id)")
        return world.provider.count(.read) > reads
      }
      #expect(world.clock.now.since(first) <= .seconds(5))
    }
  }

  @Test func `a read that cannot be stored gives the payment free again`() async throws {
    try await ServerWorld.run { world in
      let row = try await world.placed()
      // The claim is stored, the answer is not.
      world.store.failOneWrite(after: 1)
      #expect(try await world.get("/v1/payments/\(row.id)")["fresh"]?.boolean == false)
      #expect(try await world.get("/v1/payments/\(row.id)")["fresh"]?.boolean == true)
    }
  }

  @Test func `what a finished read was for is forgotten`() async throws {
    try await ServerWorld.run { world in
      let row = try await world.placed()
      let id = try #require(row.providerPaymentID)
      for number in 0..<20 {
        try await world.deliver(world.provider.webhook(id, rest: "\(number)"))
        _ = try await world.get("/v1/payments/\(row.id)")
      }
      await world.pass(.seconds(10))
      #expect(await world.sync.askCount == 0)
    }
  }

  @Test(arguments: [(2, true), (1, false)])
  func `a queue that is full answers with what is known, and forgets what was asked`(
    queueMax: Int, isRead: Bool
  ) async throws {
    var setup = ServerWorld.Setup()
    setup.tuneSync = { settings in
      settings.readsMax = 1
      settings.readQueueMax = queueMax
      settings.tick = .seconds(100_000)
    }
    try await ServerWorld.run(setup) { world in
      let (first, second) = (try await world.placed(), try await world.placed(key: "k2"))
      world.provider.hold(.read)
      async let stuck = world.sync.refresh(first.id, because: .read)
      try await world.until("stuck") { world.provider.heldCount == 1 }
      async let other = world.sync.refresh(second.id, because: .read)
      await world.pause(.milliseconds(50))
      #expect(await world.sync.askCount == (isRead ? 1 : 0))
      world.provider.release(.read)
      #expect(await stuck == .fresh)
      #expect(await other == (isRead ? .fresh : .notRead))
      try await world.untilStill("forgotten") { await world.sync.askCount == 0 }
    }
  }
}
