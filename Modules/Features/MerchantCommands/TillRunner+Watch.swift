import HTTPExchange
import KitEnvironment
import MerchantAPI
import StrictJSON

extension TillRunner {
  /// Longest wait of one read while watching; servers and proxies end longer ones.
  private static let waitSeconds: Int64 = 25
  /// Least time from a read that brought no news to the next one: a server that cannot hold a
  /// request answers at once, and must not be asked in a tight loop.
  private static let readGap: Duration = .seconds(1)
  /// Waits after reads that failed.
  private static let retries = RetryPolicy(first: .seconds(1), cap: .seconds(15))

  /// States after which a merchant has nothing to wait for. `authorized` is none of them: the
  /// money is held, and a capture is owed.
  private static let ends: Set = ["captured", "rejected", "expired", "cancelled"]

  /// Follows a payment by long polls and shows each change, until its end or for `seconds`.
  ///
  /// A read that fails after the first one ends nothing (FB-15): the payment goes on whether or
  /// not somebody can see it.
  func watch(_ id: String, seconds: Int, _ asJSON: Bool) async throws(CommandFailure) {
    let line = WatchLine(terminal: terminal, clock: environment.clock)
    let result = await withTaskGroup(of: Void.self) { group in
      if terminal.isInteractive, !asJSON { group.addTask { await line.tick() } }
      defer { group.cancelAll() }
      return await follow(id, seconds, asJSON, line)
    }
    await line.end()
    try result.get()
  }

  private func follow(
    _ id: String, _ seconds: Int, _ asJSON: Bool, _ line: WatchLine
  ) async -> Result<Void, CommandFailure> {
    let clock = environment.clock
    let end = clock.uptime() + .seconds(seconds)
    var version: String?
    var failures = 0
    while true {
      let start = clock.uptime()
      var pause = start + Self.readGap
      do throws(CommandFailure) {
        let response = try await read(id, known: version, until: end)
        failures = 0
        if response.status != 304 {
          let json = try self.json(response)
          version = response.headers["ETag"]
          if asJSON { printJSON(json) }
          let isNews = await line.show(json, silent: asJSON)
          if Self.ends.contains(json["state"]?.text ?? "") { return .success(()) }
          if isNews { pause = clock.uptime() }
        }
      } catch {
        guard error.kind == .unavailable, version != nil else { return .failure(error) }
        failures += 1
        if !asJSON { await line.lost(failures) }
        pause =
          clock.uptime()
          + Self.retries.delay(
            afterAttempt: failures, random: environment.random, retryAfter: error.retryAfter)
      }
      guard clock.uptime() < end else {
        return .failure(
          CommandFailure(
            .notKnownYet, "no end within \(seconds) s; the payment goes on, watch it again"))
      }
      do {
        try await clock.sleep(for: min(pause, end) - clock.uptime())
      } catch {
        return .failure(CommandFailure(.notKnownYet, "stopped; the payment goes on"))
      }
    }
  }

  /// Reads the payment; with a known version, once it differs or the wait is over.
  private func read(
    _ id: String, known version: String?, until end: Duration
  ) async throws(CommandFailure) -> HTTPResponse {
    let left = max(.zero, end - environment.clock.uptime()).components.seconds
    let wait = version == nil ? 0 : min(Self.waitSeconds, left)
    return try await connection.send(
      .payment(id), query: "?wait=\(wait)", as: .merchant,
      headers: version.map { ["If-None-Match": $0] } ?? [:], deadline: .seconds(wait + 15))
  }
}

/// What a watch shows: on a terminal one line that is redrawn, elsewhere a line for each change.
actor WatchLine {
  private let terminal: Terminal
  private let clock: KitClock
  private let start: Duration
  private var states: [String] = []
  private var isLost = false
  private var isDrawn = false

  init(terminal: Terminal, clock: KitClock) {
    self.terminal = terminal
    self.clock = clock
    start = clock.uptime()
  }

  /// Redraws the line each second until the task is cancelled.
  func tick() async {
    let clock = clock
    while (try? await clock.sleep(for: .seconds(1))) != nil {
      if isDrawn { draw() }
    }
  }

  /// Takes what a read brought, and says whether anything that is shown has changed.
  func show(_ json: JSONValue, silent: Bool) -> Bool {
    let now = ["state", "order_state"].map { printable(json[$0]?.text ?? "unknown") }
    defer { (states, isLost) = (now, false) }
    guard now != states || isLost else { return false }
    let isNews = now != states
    (states, isLost) = (now, false)
    if !silent { draw() }
    return isNews
  }

  /// Says once that the server does not answer; the watch goes on.
  func lost(_ failures: Int) {
    isLost = true
    if failures == 1 || terminal.isInteractive { draw() }
  }

  /// Leaves the line for good.
  func end() {
    if isDrawn, terminal.isInteractive { terminal.write("\n") }
    isDrawn = false
  }

  private func draw() {
    let elapsed = (clock.uptime() - start).components.seconds
    let seen = "payment \(terminal.state(states[0]))  order \(terminal.state(states[1]))"
    let text = "\(elapsed) s  \(seen)" + (isLost ? "  (no answer, trying again)" : "")
    terminal.write(terminal.isInteractive ? "\r\u{1B}[K\(text)" : text + "\n")
    isDrawn = true
  }
}
