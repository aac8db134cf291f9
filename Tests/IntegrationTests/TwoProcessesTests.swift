import CurlTransport
import HTTPExchange
import KitEnvironment
import PaymentModels
import PaymentStore
import SQLitePaymentStore
import SystemRuntime
import Testing
import TestSupport

@testable import Bootstrap

/// A receiver whose handler does not end until it is well.
private actor SlowReceiver: HTTPHandler {
  nonisolated let arrivals = AsyncStream.makeStream(of: (id: String, at: Instant).self)
  private let never = AsyncStream.makeStream(of: Void.self)
  private var isWell = false

  func respond(to request: HTTPRequest) async -> HTTPResponse {
    arrivals.continuation.yield((request.headers["webhook-id"] ?? "", KitClock.system().now()))
    if !isWell { for await _ in never.stream {} }
    return HTTPResponse(status: 204)
  }

  func becomeWell() { isWell = true }

  /// The next message that comes, or that has come already.
  nonisolated func next() async -> (id: String, at: Instant)? {
    for await arrival in arrivals.stream { return arrival }
    return nil
  }

  func end() { never.continuation.finish() }
}

@Suite("Two till-server processes on one SQLite file")
struct TwoProcessesTests {
  @Test func `what a killed one was sending the other sends, after the lease and by the same id`()
    async throws
  {
    try await withTemporaryDirectory { directory in
      let receiver = SlowReceiver()
      let service = try LiveService(
        address: "127.0.0.1", port: 0, grace: .seconds(1), handler: receiver,
        environment: .test(ManualClock()))
      let served = try ServedShop(directory, fulfilment: service.url)
      let id = try await plantMessage(served.database)
      let end = AsyncStream.makeStream(of: Void.self)
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { await service.run(stop: { for await _ in end.stream {} }, work: {}) }
        defer { end.continuation.finish() }
        try await served.serve { first, _ in
          let begun = await receiver.next()
          #expect(begun?.id == id.rawValue)
          first.send(.kill)
          _ = await first.wait()
        }
        let killedAt = KitClock.system().now()
        await receiver.becomeWell()
        let lease = try #require(try await message(id, served.database).nextTryAt)
        try await served.serve { _, api in
          var arrival = await receiver.next()
          // On a slow machine the killed one may have come to a try of its own after the first.
          while let early = arrival, early.at < killedAt { arrival = await receiver.next() }
          let again = try #require(arrival)
          #expect(again.id == id.rawValue)
          #expect(again.at >= lease)
          while try await message(id, served.database).deliveredAt == nil {
            let health = try await api.get("/healthz")
            #expect(health.status == 200)
          }
        }
        await receiver.end()
      }
    }
  }

  private func plantMessage(_ path: String) async throws -> MessageID {
    let store = try SQLitePaymentStore.open(path: path)
    try await store.seed(payments: 0)
    let message = Sample.message(101, order: 1, sequence: 1)
    try await store.write { try $0.insertMessage(message) }
    await store.close()
    return message.id
  }

  private func message(_ id: MessageID, _ path: String) async throws -> MessageRow {
    try await blocking {
      try #require(try StoreExamination.read(path) { try $0.message(id) })
    }
  }
}
