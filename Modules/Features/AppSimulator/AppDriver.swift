import KitEnvironment
import PaymentModels
import StrictJSON

/// A phone with the app running on it: says what it is told, keeps what it prints.
actor AppDriver {
  private let process: StageProcess
  private let environment: KitEnvironment
  private(set) var events: [(at: Instant, json: JSONValue)] = []
  /// All lines, log lines among them.
  private(set) var printed: [String] = []
  /// Whether the process has ended and all that it printed was taken in.
  private(set) var hasEnded = false

  init(_ process: StageProcess, environment: KitEnvironment) {
    self.process = process
    self.environment = environment
  }

  /// Takes in what the process prints until it ends.
  func pump() async {
    for await line in process.lines {
      printed.append(line)
      guard let json = try? JSONValue(parsing: Array(line.utf8)) else { continue }
      events.append((environment.clock.now(), json))
    }
    hasEnded = true
  }

  nonisolated func tell(_ line: String) { process.write(line) }

  nonisolated func kill() async { await process.kill() }

  nonisolated var processIdentifier: Int32 { process.identifier }

  /// Waits for the end of the process; true if a signal ended it.
  nonisolated var wasKilled: Bool {
    get async { await process.wait() == nil }
  }

  /// Waits for an event that `fits`, also one that came before.
  func event(
    _ what: String, within limit: Duration = .seconds(20), _ fits: (JSONValue) -> Bool
  ) async throws -> JSONValue {
    let end = environment.clock.uptime() + limit
    while true {
      if let found = events.first(where: { fits($0.json) }) { return found.json }
      guard !hasEnded, environment.clock.uptime() < end else {
        let last = events.last.map { String(decoding: $0.json.serialized(), as: UTF8.self) }
        throw StoryFailure("the app never said “\(what)”; last: \(last ?? "nothing")")
      }
      try await environment.clock.sleep(for: .milliseconds(10))
    }
  }

  /// The checkout of the first event of this name, which is waited for.
  func checkout(in name: String) async throws -> String {
    try await event(name) { $0["event"]?.text == name }["checkout"]?.text ?? "?"
  }

  /// Waits for the app to show an outcome and gives its word.
  func outcome(within limit: Duration = .seconds(20)) async throws -> String {
    let shown = try await event("outcome", within: limit) { $0["display"]?.text == "outcome" }
    return shown["outcome"]?.text ?? "?"
  }

  /// What was shown so far: `confirming`, `succeeded`, …
  var displays: [String] {
    events.compactMap { event in
      guard event.json["event"]?.text == "show" else { return nil }
      return event.json["outcome"]?.text ?? event.json["display"]?.text
    }
  }

  /// What was shown so far of one checkout.
  func displays(of checkout: String) -> [String] {
    events.map(\.json).filter {
      $0["event"]?.text == "show" && $0["checkout"]?.text == checkout
    }.compactMap { $0["outcome"]?.text ?? $0["display"]?.text }
  }

  /// What the server was told so far about the payments of an order.
  func signals(about order: String) -> [String] {
    let payments = Set(
      events.map(\.json).filter { $0["order_id"]?.text == order }
        .compactMap { $0["payment_id"]?.text })
    return events.map(\.json).filter {
      $0["event"]?.text == "signal" && payments.contains($0["payment_id"]?.text ?? "")
    }.compactMap { $0["signal"]?.text }
  }

  /// The app's part of a timeline.
  func tell(_ timeline: inout Timeline) {
    for (at, json) in events {
      guard let text = Self.sentence(json) else { continue }
      timeline.add(at, .device, text.words, trust: text.trust)
    }
  }

  private static func sentence(_ json: JSONValue) -> (words: String, trust: String)? {
    switch json["event"]?.text {
    case "stored":
      switch json["stage"]?.text {
      case "intent": ("key on disk, nothing sent yet", "")
      case "created": ("payment_id on disk", "")
      case "settled": ("outcome on disk", "")
      default: nil
      }
    case "open": ("page opened", "")
    case "close": ("page taken down", "")
    case "signal": ("tells the server: \(json["signal"]?.text ?? "?")", "hint")
    case "resumed": ("app started anew", "hint")
    case "link": ("opened by a link", "hint")
    case "session_ended":
      (
        json["called_back"]?.boolean == true
          ? "browser session called back" : "browser session ended", "hint"
      )
    case "page_state":
      (
        "page says \(json["state"]?.text ?? "?"), final \(json["final"]?.boolean ?? false)",
        "hint"
      )
    case "page_closed": ("page ended as \(json["reason"]?.text ?? "?")", "hint")
    case "read":
      (
        "server says \(json["status"]?.text ?? "?"), order \(json["order_state"]?.text ?? "?")", ""
      )
    case "show": ("shows \(json["outcome"]?.text ?? json["display"]?.text ?? "?")", "")
    default: nil
    }
  }
}
