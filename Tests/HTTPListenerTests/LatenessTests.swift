import HTTPExchange
import SystemRuntime
import Testing

@testable import HTTPListener

@Suite("More requests than can be answered in time")
struct LatenessTests {
  private struct Look {
    let began: UInt64
    let ended: UInt64
    let sawAll: Bool
    let isTooLong: Bool
  }

  private func check(_ looks: [Look], max: Duration = .milliseconds(500)) {
    var lateness = Lateness(max: max, now: 1_000)
    for look in looks {
      lateness.looked(began: look.began, ended: look.ended, sawAll: look.sawAll)
      #expect(lateness.isTooLong == look.isTooLong, "at \(look.began)")
    }
  }

  @Test func `a loop that sleeps is not late`() {
    check([
      Look(began: 1_000, ended: 61_000, sawAll: true, isTooLong: false),
      Look(began: 61_003, ended: 90_000, sawAll: true, isTooLong: false),
    ])
  }

  @Test func `at the bound it is late, a millisecond before it is not`() {
    check([
      Look(began: 1_499, ended: 1_499, sawAll: false, isTooLong: false),
      Look(began: 1_500, ended: 1_500, sawAll: false, isTooLong: true),
    ])
  }

  @Test func `it is late as long as it has not seen all, and not for longer`() {
    check([
      Look(began: 1_200, ended: 1_200, sawAll: false, isTooLong: false),
      Look(began: 1_600, ended: 1_600, sawAll: false, isTooLong: true),
      // Of what this look found, some may have waited since 1,000.
      Look(began: 1_900, ended: 1_900, sawAll: true, isTooLong: true),
      Look(began: 1_910, ended: 1_910, sawAll: false, isTooLong: false),
    ])
  }

  @Test func `one turn that takes too long makes it late`() {
    check([
      Look(began: 1_001, ended: 1_002, sawAll: true, isTooLong: false),
      Look(began: 1_700, ended: 1_700, sawAll: true, isTooLong: true),
      Look(began: 1_701, ended: 1_701, sawAll: true, isTooLong: false),
    ])
  }

  /// Lets what begins with `/look` wait.
  private struct Desk: HTTPHandler {
    func respond(to request: HTTPRequest) async -> HTTPResponse {
      HTTPResponse(status: 200, body: Array(request.target.utf8))
    }

    func isDeferrable(_ request: HTTPRequest) -> Bool { request.target.hasPrefix("/look") }
  }

  private func statuses(latenessMax: Duration) async throws -> ([Int], [Bool], Int) {
    let events = Locked<[ListenerEvent]>([])
    var limits = HTTPListenerLimits()
    limits.latenessMax = latenessMax
    let listener = try HTTPListener(
      address: "127.0.0.1", port: 0, limits: limits, handler: Desk(), log: { _ in },
      observe: { event in events.withLock { $0.append(event) } })
    var answers: [Answer] = []
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await listener.run() }
      answers = await onThread { [port = listener.port] in
        guard let client = RawClient(port: port) else { return [] }
        for target in ["/look", "/webhooks", "/look", "/webhooks"] {
          client.send("POST \(target) HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n")
        }
        return client.receiveAnswers(4)
      }
      await listener.drain(grace: .zero)
    }
    return (
      answers.map(\.status), answers.map { $0.head.contains("\r\nRetry-After: 1") },
      events.withLock { $0.count { $0 == .deferred } }
    )
  }

  @Test func `a late loop refuses what may wait, serves the rest, and keeps the connection`()
    async throws
  {
    let (statuses, retries, deferred) = try await statuses(latenessMax: .zero)
    #expect(statuses == [503, 200, 503, 200])
    #expect(retries == [true, false, true, false])
    #expect(deferred == 2)
  }

  @Test func `a loop that is in time refuses nothing`() async throws {
    let (statuses, _, deferred) = try await statuses(latenessMax: .seconds(3_600))
    #expect(statuses == [200, 200, 200, 200])
    #expect(deferred == 0)
  }
}
