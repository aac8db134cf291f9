import HTTPExchange
import KitEnvironment
import SystemRuntime
import Testing
import TestSupport

@Suite("FB-15 Watching a payment: no dropped read ends it, and it has an end")
struct WatchTests {
  /// A server that answers by a script and takes `holding` for each answer but the first.
  private func server(
    _ clock: ManualClock, holding: Duration = .zero, _ script: [Result<HTTPResponse, Lost>]
  ) -> ClosureTransport {
    let next = Locked(0)
    return ClosureTransport { _ throws(HTTPTransportError) in
      let index = next.withLock { index in
        defer { index += 1 }
        return index
      }
      if index > 0 { clock.advance(by: holding) }
      switch script[min(index, script.count - 1)] {
      case .success(let response): return response
      case .failure(let lost): throw HTTPTransportError(lost.kind, reason: lost.reason)
      }
    }
  }

  struct Lost: Error {
    var kind = HTTPTransportError.Kind.unknown
    var reason = "connection reset"
  }

  /// Runs a watch and moves the clock on whenever everybody waits for it.
  private func watch(
    _ till: Till, _ transport: ClosureTransport, options: String = "", sleepers: Int = 1
  ) async -> Ran {
    await withTaskGroup(of: Ran?.self) { group in
      group.addTask { await till.run("payment watch \(someID)\(options)", transport) }
      group.addTask {
        while !Task.isCancelled {
          if till.clock.sleeperCount >= sleepers { till.clock.advance(by: .milliseconds(500)) }
          await Task.yield()
        }
        return nil
      }
      var ran: Ran?
      while ran == nil, let next = await group.next() { ran = next }
      group.cancelAll()
      return ran ?? Ran(code: -1, output: "", errors: [], sent: [])
    }
  }

  @Test func `each change is a line, and captured ends it`() async {
    let till = Till()
    let ran = await watch(
      till,
      server(
        till.clock, holding: .seconds(5),
        [
          .success(payment("created", "pending", 1)), .success(unchanged),
          .success(payment("authorized", "authorized", 2)),
          .success(payment("captured", "paid", 3)),
        ]))
    #expect(ran.code == 0)
    #expect(
      ran.output == """
        0 s  payment created  order pending
        10 s  payment authorized  order authorized
        15 s  payment captured  order paid

        """)
    let waits = ran.sent.map { $0.url.split(separator: "?").last }
    #expect(waits == ["wait=0", "wait=25", "wait=25", "wait=25"])
    #expect(
      ran.sent.map { $0.headers["If-None-Match"] } == [nil, "\"1\"", "\"1\"", "\"2\""])
  }

  @Test(arguments: ["captured", "rejected", "expired", "cancelled"])
  func `a state that a merchant has nothing to wait for ends it at once`(state: String) async {
    let till = Till()
    let ran = await watch(till, server(till.clock, [.success(payment(state, "paid", 1))]))
    #expect(ran.code == 0)
    #expect(ran.sent.count == 1)
  }

  @Test(arguments: ["creating", "created", "pending", "authorized", "unknown:NEW"])
  func `every other state goes on to the cap, which is 75 and no failure`(state: String) async {
    let till = Till()
    let ran = await watch(
      till,
      server(
        till.clock, holding: .seconds(25),
        [.success(payment(state, "pending", 1)), .success(unchanged)]), options: " --for 60")
    #expect(ran.code == 75)
    #expect(ran.output == "0 s  payment \(state)  order pending\n")
    #expect(ran.errors == ["error: no end within 60 s; the payment goes on, watch it again"])
  }

  @Test func `a dropped read in the middle ends nothing`() async {
    let till = Till()
    let html = HTTPResponse(status: 502, body: Array("<html>".utf8))
    let ran = await watch(
      till,
      server(
        till.clock, holding: .seconds(1),
        [
          .success(payment("created", "pending", 1)), .failure(Lost()),
          .failure(Lost(reason: "timed out")), .success(HTTPResponse(status: 503)),
          .success(html), .failure(Lost(kind: .notSent, reason: "name not resolved")),
          .success(unchanged), .success(payment("captured", "paid", 2)),
        ]))
    #expect(ran.code == 0)
    #expect(ran.errors.isEmpty)
    #expect(ran.output.hasSuffix("payment captured  order paid\n"))
    // Once lost, once found again, however many reads failed.
    #expect(ran.output.split(separator: "\n").count { $0.contains("no answer") } == 1)
  }

  @Test func `a server that was never reached is an error at once`() async {
    let till = Till()
    let ran = await watch(
      till, server(till.clock, [.failure(Lost(kind: .notSent, reason: "connect refused"))]))
    #expect(ran.code == 69)
    #expect(ran.sent.count == 1)
  }

  @Test(arguments: [(401, 77), (404, 66)] as [(Int, Int32)])
  func `an answer that no repeat mends ends it`(status: Int, code: Int32) async {
    let till = Till()
    let ran = await watch(
      till,
      server(
        till.clock,
        [.success(payment("created", "pending", 1)), .success(HTTPResponse(status: status))]))
    #expect(ran.code == code)
    #expect(ran.sent.count == 2)
  }

  @Test func `what the server asks to wait is waited`() async {
    let till = Till()
    let busy = HTTPResponse(status: 429, headers: ["Retry-After": "7"])
    let times = Locked<[Duration]>([])
    let clock = till.clock.clock
    let script = server(
      till.clock,
      [
        .success(payment("created", "pending", 1)), .success(busy),
        .success(payment("captured", "paid", 2)),
      ])
    let ran = await watch(
      till,
      ClosureTransport { request throws(HTTPTransportError) in
        times.withLock { $0.append(clock.uptime()) }
        return try await script.send(request)
      })
    #expect(ran.code == 0)
    let seen = times.withLock { $0 }
    #expect(seen.count == 3 && seen[2] - seen[1] >= .seconds(7))
  }

  @Test func `a server that cannot hold a request is not asked in a tight loop`() async {
    let till = Till()
    let ran = await watch(
      till,
      server(till.clock, [.success(payment("created", "pending", 1)), .success(unchanged)]),
      options: " --for 30")
    #expect(ran.code == 75)
    #expect(ran.sent.count <= 32)
  }

  @Test func `on a terminal one line is redrawn, each second too`() async {
    var till = Till()
    till.isInteractive = true
    let ran = await watch(
      till,
      server(
        till.clock,
        [
          .success(payment("created", "pending", 1)), .success(unchanged), .success(unchanged),
          .success(unchanged), .success(payment("captured", "paid", 2)),
        ]), sleepers: 2)
    #expect(ran.code == 0)
    #expect(ran.output.hasPrefix("\r\u{1B}[K0 s  payment created  order pending\r\u{1B}[K1 s"))
    #expect(ran.output.hasSuffix("payment captured  order paid\n"))
    #expect(ran.output.count { $0 == "\n" } == 1)
  }

  @Test func `with --json each version is one document a line`() async {
    let till = Till()
    let ran = await watch(
      till,
      server(
        till.clock,
        [
          .success(payment("created", "pending", 1)), .failure(Lost()),
          .success(payment("captured", "paid", 2)),
        ]), options: " --json")
    #expect(
      ran.output == paymentJSON(state: "created", order: "pending", version: 1) + "\n"
        + paymentJSON(state: "captured", order: "paid", version: 2) + "\n")
  }
}

private let unchanged = HTTPResponse(status: 304)

private func payment(_ state: String, _ order: String, _ version: Int) -> HTTPResponse {
  HTTPResponse(
    status: 200, headers: ["ETag": "\"\(version)\""],
    body: Array(paymentJSON(state: state, order: order, version: version).utf8))
}
