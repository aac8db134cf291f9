import HTTPExchange
import PaymentModels
import PaymentStore
import ProviderInterface
import StatusSync
import TestSupport
import Testing

@Suite("FB-04 Look-alike events: an event is known by the provider's own id of it")
struct EventIDTests {
  @Test func `a second delivery of a finished event is counted, and nothing is read`()
    async throws
  {
    try await ServerWorld.run { world in
      let row = try await world.placed(.pending)
      let id = try #require(row.providerPaymentID)
      world.provider.hold(.create)
      let event = SignedDelivery(eventID: "evt-1")
      try await world.deliver(world.provider.webhook(id, named: "a", event))
      try await world.until("processed") { try await state(world, "evt-1") == .processed }
      let reads = world.provider.count(.read)
      // Written anew, so the bytes are others.
      try await world.deliver(world.provider.webhook(id, named: "b", event))
      await world.pause(.milliseconds(900))
      let seen = try await delivery(world, "evt-1")
      #expect(seen?.deliveries == 2)
      #expect(seen?.state == .processed)
      #expect(world.provider.count(.read) == reads)
      // Another event about the same payment is news.
      try await world.deliver(
        world.provider.webhook(id, named: "c", SignedDelivery(eventID: "evt-2")))
      try await world.until("read") { world.provider.count(.read) > reads }
    }
  }

  @Test func `a second delivery of an open event is merged with it`() async throws {
    try await ServerWorld.run { world in
      let id = world.provider.id(77)
      let event = SignedDelivery(eventID: "evt-1")
      try await world.deliver(world.provider.webhook(id, named: "a", event))
      try await world.until("unmatched") { try await state(world, "evt-1") == .unmatched }
      try await world.deliver(world.provider.webhook(id, named: "b", event))
      #expect(try await delivery(world, "evt-1")?.deliveries == 2)
      let held = try await world.store.read { try $0.heldWebhooks() }
      #expect(held.count <= 1)
    }
  }

  @Test func `an event of a kind that concerns no payment is stored, and nothing follows`()
    async throws
  {
    try await ServerWorld.run { world in
      let row = try await world.placed()
      let id = try #require(row.providerPaymentID)
      let reads = world.provider.count(.read)
      try await world.deliver(
        world.provider.webhook(
          id, named: "a", SignedDelivery(eventID: "evt-1", isIgnored: true)))
      #expect(try await state(world, "evt-1") == .processed)
      await world.pause(.milliseconds(900))
      #expect(world.provider.count(.read) == reads)
    }
  }

  private func delivery(_ world: ServerWorld, _ event: String) async throws -> WebhookRow? {
    try await world.store.read {
      try $0.webhook(world.provider.name, world.provider.account, eventID: event)
    }
  }

  private func state(_ world: ServerWorld, _ event: String) async throws -> WebhookRow.State? {
    try await delivery(world, event)?.state
  }
}

@Suite("A callback that nobody signs causes reads, within bounds of its own")
struct UnsignedCallbackTests {
  private static var setup: ServerWorld.Setup {
    var setup = ServerWorld.Setup()
    setup.providers = [FakeProvider { $0.webhook = .unsigned }]
    return setup
  }

  private static var rarelyRead: ServerWorld.Setup {
    var setup = ServerWorld.Setup()
    setup.providers = [
      FakeProvider {
        $0.webhook = .unsigned
        $0.readSchedule = [.seconds(3_600)]
      }
    ]
    return setup
  }

  @Test func `an unknown id is read to learn whose it is, and that payment's read adopts it`()
    async throws
  {
    try await ServerWorld.run(Self.setup) { world in
      let row = try await world.placed()
      let twin = world.provider.id(50)
      world.provider.add(
        PaymentReading(
          providerPaymentID: twin, status: .authorized, amount: row.amount,
          orderReference: row.orderID.rawValue, paymentReference: row.id.rawValue, mode: .test))
      try await world.deliver(world.provider.webhook(twin))
      try await world.until("paid") { try await world.order(row.orderID).state == .paid }
      #expect(try await world.payment(row.id).providerPaymentID == twin)
    }
  }

  @Test func `an id of somebody else's stays unmatched`() async throws {
    try await ServerWorld.run(Self.setup) { world in
      let row = try await world.placed()
      let other = world.provider.id(50)
      world.provider.add(
        PaymentReading(
          providerPaymentID: other, status: .captured, amount: row.amount,
          paymentReference: "their-order-7"))
      try await world.deliver(world.provider.webhook(other))
      try await world.deliver(world.provider.webhook(world.provider.id(51)))
      try await world.until("unmatched") {
        try await world.store.read { try $0.heldWebhooks() }.count == 2
      }
      #expect(world.provider.calls(other) == [.read])
      #expect(try await world.order(row.orderID).state == .pending)
    }
  }

  @Test func `however often it comes, it is one row, one line in the journal, and a read`()
    async throws
  {
    try await ServerWorld.run(Self.rarelyRead) { world in
      let row = try await world.placed()
      let id = try #require(row.providerPaymentID)
      let before = try await world.store.read { try $0.journal(of: row.orderID, limit: 100) }.count
      for number in 1...5 {
        let reads = world.provider.count(.read)
        try await world.deliver(world.provider.webhook(id, rest: "\(number)"))
        try await world.until("read") { world.provider.count(.read) > reads }
        await world.pass(.seconds(3))
      }
      let after = try await world.store.read { try $0.journal(of: row.orderID, limit: 100) }
      #expect(after.count == before + 1)
      let known = try await world.store.read {
        try $0.webhook(world.provider.name, world.provider.account, eventID: id.rawValue)
      }
      #expect(known?.deliveries == 5)
      #expect(known?.state == .processed)
    }
  }

  @Test func `one that comes while the read after another is under way has a read of its own`()
    async throws
  {
    try await ServerWorld.run(Self.rarelyRead) { world in
      let row = try await world.placed()
      let id = try #require(row.providerPaymentID)
      world.provider.hold(.read)
      try await world.deliver(world.provider.webhook(id, rest: "1"))
      try await world.until("held") { world.provider.heldCount == 1 }
      world.provider.change(id) { $0.status = .authorized }
      try await world.deliver(world.provider.webhook(id, rest: "2"))
      world.provider.release(.read)
      try await world.until("known", within: .seconds(5)) {
        try await world.payment(row.id).status == .captured
      }
    }
  }

  @Test(arguments: [(1_024, 200), (1_025, 413)])
  func `its body is at most a kilobyte`(bytes: Int, status: Int) async throws {
    try await ServerWorld.run(Self.setup) { world in
      let short = world.provider.webhook(world.provider.id(1))
      let rest = String(repeating: "x", count: bytes - short.body.count)
      let callback = world.provider.webhook(world.provider.id(1), rest: rest)
      #expect(callback.body.count == bytes)
      let answer = try await world.deliver(callback)
      #expect(answer == status)
    }
    try await ServerWorld.run { world in
      let rest = String(repeating: "x", count: 2_000)
      let answer = try await world.deliver(
        world.provider.webhook(world.provider.id(1), rest: rest))
      #expect(answer == 200)
    }
  }
}
