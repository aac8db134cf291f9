import FulfilmentOutbox
import HTTPExchange
import KitEnvironment
import PaymentModels
import PaymentStore
import SystemCrypto
import SystemRuntime
import TestSupport
import Testing

@Suite("Delivery of fulfilment messages")
struct DeliveryTests {
  /// A receiver that answers as told, and a store with messages.
  private struct World: Sendable {
    let clock = ManualClock()
    let log = LogLines()
    let store = FaultyStore(InMemoryPaymentStore())
    let answers = Locked<[Result<Int, HTTPTransportError>]>([])
    let transport: ClosureTransport
    let outbox: FulfilmentOutbox

    init() {
      let answers = answers
      transport = ClosureTransport { _ throws(HTTPTransportError) in
        let answer = answers.withLock { $0.isEmpty ? .success(204) : $0.removeFirst() }
        return HTTPResponse(status: try answer.get())
      }
      var environment = KitEnvironment.test(clock)
      environment.hashing = .openSSL
      environment.log = log.sink
      outbox = FulfilmentOutbox(
        store: store, transport: transport,
        settings: OutboxSettings(url: "https://shop.example/hook", secret: Secret("s")),
        environment: environment)
    }

    func run(_ body: (World) async throws -> Void) async throws {
      try await withTaskExecutorPreference(SerialTaskExecutor()) {
        try await withThrowingTaskGroup(of: Void.self) { group in
          group.addTask { await outbox.run() }
          defer { group.cancelAll() }
          try await body(self)
        }
      }
    }

    func put(orders: Int = 1, messages: Int = 1) async throws {
      for order in 1...orders {
        try await store.seed(order: order, payments: 0)
        try await store.write { transaction in
          for sequence in 1...messages {
            try transaction.insertMessage(
              Sample.message(order * 100 + sequence, order: order, sequence: Int64(sequence)))
          }
        }
      }
    }

    func rows(_ order: Int = 1) async throws -> [MessageRow] {
      try await store.read { try $0.messages(of: Sample.orderID(order)) }
    }

    func until(
      _ what: String, within limit: Duration = .seconds(60), _ isDone: () async throws -> Bool
    )
      async throws
    {
      var passed = Duration.zero
      while try await !isDone() {
        guard passed < limit else { throw Late(what: what) }
        await pause(.milliseconds(50))
        passed += .milliseconds(50)
      }
    }

    func pause(_ duration: Duration) async {
      clock.advance(by: duration)
      for _ in 0..<40 { await Task.yield() }
    }

    var sentIDs: [String] { transport.sent.map { $0.headers["webhook-id"] ?? "" } }
  }

  private struct Late: Error { let what: String }

  @Test func `a message is signed, sent once and recorded`() async throws {
    try await World().run { world in
      try await world.put()
      try await world.until("delivered") { try await world.rows()[0].deliveredAt != nil }
      await world.pause(.seconds(60))
      let sent = try #require(world.transport.sent.first)
      #expect(world.transport.sent.count == 1)
      #expect(sent.url == "https://shop.example/hook")
      #expect(sent.headers["Content-Type"] == "application/json")
      #expect(
        MessageSignature(secret: Secret("s"), hashing: .openSSL)
          .isValid(sent.headers, body: sent.body, now: world.clock.now))
      #expect(
        try await world.store.read { try $0.journal(of: Sample.orderID(1), limit: 9).count } == 1)
    }
  }

  @Test func `an order's messages go in their order, and orders do not wait for each other`()
    async throws
  {
    let world = World()
    // The first message of the first order is not taken for a while.
    world.answers.withLock { $0 = [.success(500)] }
    try await world.put(orders: 2, messages: 3)
    try await world.run { world in
      try await world.until("all are delivered") {
        try await (world.rows(1) + world.rows(2)).allSatisfy { $0.deliveredAt != nil }
      }
      for order in 1...2 {
        let ids = (1...3).map { Sample.messageID(order * 100 + $0).rawValue }
        let sent = world.sentIDs.filter { ids.contains($0) }
        #expect(sent.reduce(into: [String]()) { if $0.last != $1 { $0.append($1) } } == ids)
      }
      #expect(world.transport.sent.count == 7)
    }
  }

  @Test(arguments: [
    Result<Int, HTTPTransportError>.success(500), .success(404), .success(302), .success(199),
    .failure(HTTPTransportError(.notSent, reason: "down")),
    .failure(HTTPTransportError(.unknown, reason: "slow")),
  ])
  func `what is not acknowledged is sent again, later and later`(
    answer: Result<Int, HTTPTransportError>
  ) async throws {
    let world = World()
    world.answers.withLock { $0 = Array(repeating: answer, count: 6) }
    try await world.put()
    try await world.run { world in
      var times: [Instant] = []
      for count in 1...7 {
        try await world.until("try \(count)", within: .seconds(120)) {
          world.transport.sent.count == count
        }
        times.append(world.clock.now)
      }
      try await world.until("delivered") { try await world.rows()[0].deliveredAt != nil }
      let waits = zip(times.dropFirst(), times).map { $0.since($1) }
      #expect(waits[0] >= .milliseconds(500) && waits[0] <= .milliseconds(1_600))
      #expect(waits[5] >= .seconds(16) && waits[5] <= .seconds(33))
      #expect(Set(world.sentIDs).count == 1)
      #expect(try await world.rows()[0].tries == 7)
    }
  }

  @Test func `a delivery that cannot be recorded is repeated with the same id, and not often`()
    async throws
  {
    let world = World()
    try await world.put()
    // The lease is taken; what became of the try is not stored.
    world.store.failOneWrite(after: 1)
    try await world.run { world in
      try await world.until("delivered") { try await world.rows()[0].deliveredAt != nil }
      #expect(world.transport.sent.count == 2)
      #expect(Set(world.sentIDs).count == 1)
    }
  }

  @Test func `while nothing can be stored nothing is sent, and the log stays short`()
    async throws
  {
    let world = World()
    try await world.put()
    world.store.failWrites(StoreError(.full, "disk full"))
    try await world.run { world in
      for _ in 0..<240 { await world.pause(.milliseconds(500)) }
      #expect(world.transport.sent.isEmpty)
      // Once in ten seconds at the end of two minutes; every 200 ms it would be 600.
      let lines = world.log.count(.warning, "due messages could not be taken")
      #expect((3...30).contains(lines))
      world.store.failWrites(nil)
      try await world.until("delivered", within: .seconds(15)) {
        try await world.rows()[0].deliveredAt != nil
      }
    }
  }

  @Test func `a failed try never undoes what another process has delivered`() async throws {
    let world = World()
    try await world.put()
    let store = world.store
    let other = ClosureTransport { _ throws(HTTPTransportError) in
      // While this one waits for its answer, the other process delivers and records.
      do {
        try await store.write { transaction in
          guard var row = try transaction.messages(of: Sample.orderID(1)).first else { return }
          row.deliveredAt = Sample.start
          row.nextTryAt = nil
          try transaction.updateMessage(row)
        }
      } catch {
        throw HTTPTransportError(.unknown, reason: "store")
      }
      throw HTTPTransportError(.unknown, reason: "slow")
    }
    let outbox = FulfilmentOutbox(
      store: store, transport: other,
      settings: OutboxSettings(url: "https://shop.example/hook", secret: Secret("s")),
      environment: .test(world.clock))
    await withTaskGroup { group in
      group.addTask { await outbox.run() }
      while other.sent.isEmpty { await Task.yield() }
      await world.clock.untilSleepers(1)
      group.cancelAll()
    }
    #expect(try await world.rows()[0].deliveredAt == Sample.start)
    #expect(other.sent.count == 1)
  }

  @Test func `a store that cannot be read stops nothing for good`() async throws {
    let world = World()
    try await world.put()
    world.store.failReads(StoreError(.busy, "locked"))
    try await world.run { world in
      for _ in 0..<10 { await world.pause(.milliseconds(500)) }
      #expect(world.transport.sent.isEmpty)
      world.store.failReads(nil)
      try await world.until("delivered") { try await world.rows()[0].deliveredAt != nil }
    }
  }
}
