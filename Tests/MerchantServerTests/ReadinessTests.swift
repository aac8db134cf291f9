import HTTPExchange
import KitEnvironment
import MerchantAPI
import MerchantServer
import PaymentStore
import StrictJSON
import SystemRuntime
import TestSupport
import Testing

@Suite("Readiness")
struct ReadinessTests {
  private func answer(
    _ tune: @escaping @Sendable (inout ServerSettings) -> Void,
    _ prepare: (ServerWorld) async throws -> Void = { _ in }
  ) async throws -> (status: Int, json: JSONValue) {
    var setup = ServerWorld.Setup()
    setup.tuneServer = tune
    var answer: (Int, JSONValue) = (0, .null)
    try await ServerWorld.run(setup) { world in
      try await prepare(world)
      let response = try await world.send("GET", "/readyz", token: nil)
      answer = (response.status, try JSONValue(parsing: response.body))
    }
    return answer
  }

  @Test(arguments: [(60, 200), (61, 503)])
  func `a worker that does not move any more is noticed`(_ seconds: Int, _ status: Int)
    async throws
  {
    let answer = try await answer {
      $0.workerSilences = {
        [
          WorkerSilence(worker: .schedule, duration: .seconds(1)),
          WorkerSilence(worker: .outbox, duration: .seconds(seconds)),
        ]
      }
    }
    #expect(answer.status == status)
    if status == 503 {
      let detail = answer.json["detail"]?.text ?? ""
      #expect(detail.contains("the worker outbox has not moved for 61 s"))
    } else {
      #expect(answer.json["workers"]?.elements?.count == 2)
    }
  }

  @Test(arguments: [(0, 200), (1, 503)])
  func `a disk without room is noticed before it is full`(_ missing: Int64, _ status: Int)
    async throws
  {
    let room = ServerSettings(appReturnBase: "").diskRoomMin - missing
    #expect(try await answer { $0.diskRoom = { room } }.status == status)
  }

  @Test(arguments: [StoreError.Kind.full, .readOnly, .busy, .unusable])
  func `a store that takes no write is noticed`(_ kind: StoreError.Kind) async throws {
    let answer = try await answer({ _ in }) { $0.store.failWrites(StoreError(kind, "as asked")) }
    #expect(answer.status == 503)
    #expect(answer.json["detail"]?.text?.contains(kind.rawValue) == true)
  }

  @Test func `whoever asks often costs one write in two seconds`() async throws {
    try await ServerWorld.run { world in
      let first = try await world.send("GET", "/readyz", token: nil)
      world.store.failWrites(StoreError(.full, "as asked"))
      let second = await world.server.respond(
        to: HTTPRequest(method: "GET", target: "/readyz"))
      world.clock.advance(by: .seconds(2))
      let third = try await world.send("GET", "/readyz", token: nil)
      #expect([first.status, second.status, third.status] == [200, 200, 503])
    }
  }

  @Test func `every worker of the backend tells that it moves`() async throws {
    let seen = Locked<Set<Worker>>([])
    var setup = ServerWorld.Setup()
    setup.beat = { worker in seen.withLock { _ = $0.insert(worker) } }
    try await ServerWorld.run(setup) { world in
      await world.pass(.seconds(2))
      // Long before its next turn, so that an hour's wait is not taken for a standstill.
      seen.withLock { _ = $0.remove(.upkeep) }
      await world.pass(.seconds(21))
      #expect(seen.withLock { $0 } == [.schedule, .inbox, .operations, .upkeep])
    }
  }
}
