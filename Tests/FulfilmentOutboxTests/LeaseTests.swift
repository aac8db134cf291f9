import FulfilmentOutbox
import HTTPExchange
import KitEnvironment
import PaymentModels
import PaymentStore
import SystemRuntime
import TestSupport
import Testing

@Suite("One message and two processes")
struct LeaseTests {
  private static let settings = OutboxSettings(
    url: "https://shop.example/hook", secret: Secret("s"))

  /// Two outboxes over one store, one of whose receivers' handlers takes its time.
  private struct World: Sendable {
    let clock = ManualClock()
    let store = InMemoryPaymentStore()
    let slow: ClosureTransport
    let quick = ClosureTransport { _ throws(HTTPTransportError) in HTTPResponse(status: 204) }
    private let handler = AsyncStream.makeStream(of: Int.self)

    init() {
      let stream = handler.stream
      slow = ClosureTransport { _ throws(HTTPTransportError) in
        for await status in stream { return HTTPResponse(status: status) }
        throw HTTPTransportError(.unknown, reason: "ended")
      }
    }

    /// The slow handler comes to its end.
    func answer(_ status: Int) { handler.continuation.yield(status) }

    func run(_ body: (World) async throws -> Void) async throws {
      try await store.seed(payments: 0)
      try await store.write { try $0.insertMessage(Sample.message(101, order: 1, sequence: 1)) }
      try await withTaskExecutorPreference(SerialTaskExecutor()) {
        try await withThrowingTaskGroup(of: Void.self) { group in
          group.addTask { await outbox(slow).run() }
          while slow.sent.isEmpty { await pause(.milliseconds(50)) }
          group.addTask { await outbox(quick).run() }
          defer {
            handler.continuation.finish()
            group.cancelAll()
          }
          try await body(self)
        }
      }
    }

    private func outbox(_ transport: ClosureTransport) -> FulfilmentOutbox {
      FulfilmentOutbox(
        store: store, transport: transport, settings: LeaseTests.settings,
        environment: .test(clock))
    }

    func pause(_ duration: Duration) async {
      clock.advance(by: duration)
      for _ in 0..<40 { await Task.yield() }
    }

    func row() async throws -> MessageRow {
      try #require(try await store.read { try $0.message(Sample.messageID(101)) })
    }

    func ids(_ transport: ClosureTransport) -> [String?] {
      transport.sent.map { $0.headers["webhook-id"] }
    }
  }

  @Test func `the other sends nothing while the lease lasts, and the same id after it`()
    async throws
  {
    try await World().run { world in
      let end = try #require(try await world.row().nextTryAt)
      #expect(end.since(world.clock.now) > Self.settings.deadline)
      while world.clock.now + .milliseconds(100) < end {
        await world.pause(.milliseconds(100))
        #expect(world.quick.sent.isEmpty)
      }
      for _ in 0..<10 { await world.pause(.milliseconds(100)) }
      let again = [Optional(Sample.messageID(101).rawValue)]
      #expect(world.ids(world.slow) == again)
      #expect(world.ids(world.quick) == again, "the receiver knows it by its id")
      #expect(try await world.row().deliveredAt != nil)
      #expect(try await world.row().tries == 1)
    }
  }

  @Test func `a handler that ends within the lease is the only one that was asked`()
    async throws
  {
    try await World().run { world in
      await world.pause(.seconds(14))
      world.answer(204)
      for _ in 0..<300 { await world.pause(.milliseconds(100)) }
      #expect(world.slow.sent.count == 1)
      #expect(world.quick.sent.isEmpty)
      let row = try await world.row()
      #expect(row.deliveredAt != nil)
    }
  }

  @Test func `one that fails gives the message free at once, and either sends it again`()
    async throws
  {
    try await World().run { world in
      world.answer(500)
      for _ in 0..<20 { await world.pause(.milliseconds(100)) }
      #expect(world.slow.sent.count + world.quick.sent.count == 2)
    }
  }

  /// A process that stood still: its failure is old news.
  @Test func `what fails after the lease takes nothing from the one that sends now`()
    async throws
  {
    let world = World()
    try await world.run { world in
      // The other has it now, until later.
      let theirs = world.clock.now + .seconds(60)
      try await world.store.write { transaction in
        var row = try #require(try transaction.message(Sample.messageID(101)))
        row.nextTryAt = theirs
        try transaction.updateMessage(row)
      }
      world.answer(500)
      for _ in 0..<50 { await world.pause(.milliseconds(100)) }
      #expect(try await world.row().nextTryAt == theirs)
      #expect(try await world.row().tries == 0)
      #expect(world.quick.sent.isEmpty)
    }
  }
}
