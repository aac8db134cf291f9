import PaymentModels
import StrictJSON

/// Who knew what when: the events of one story from all parties, in the order of their times.
struct Timeline: Sendable {
  enum Lane: String, Sendable {
    case payer, device, server, provider
  }

  struct Event: Sendable {
    let at: Instant
    let lane: Lane
    /// `hint`, `notification` or `proof`; empty for what is no signal.
    let trust: String
    let text: String
  }

  private(set) var events: [Event] = []

  mutating func add(_ at: Instant, _ lane: Lane, _ text: String, trust: String = "") {
    events.append(Event(at: at, lane: lane, trust: trust, text: text))
  }

  /// Adds the server's own journal of an order.
  mutating func add(journal: JSONValue) {
    for entry in journal["journal"]?.elements ?? [] {
      guard let at = entry["at"]?.text.flatMap({ Instant(iso8601: $0) }) else { continue }
      let (channel, event) = (entry["channel"]?.text ?? "?", entry["event"]?.text ?? "?")
      let words: [String?] = [
        channel == event ? "\(channel) stored" : "\(channel): \(event)", entry["change"]?.text,
        entry["note"]?.text.map { "(\($0))" },
      ]
      add(
        at, .server, words.compactMap { $0 }.joined(separator: " "),
        trust: entry["trust"]?.text ?? "")
    }
  }

  /// Lines for a person, times in seconds from the first event.
  func lines() -> [String] {
    let sorted = events.enumerated().sorted {
      ($0.element.at, $0.offset) < ($1.element.at, $1.offset)
    }.map(\.element)
    guard let start = sorted.first?.at else { return [] }
    return sorted.map { event in
      let seconds = event.at.since(start).wholeMilliseconds
      let time = "\(seconds / 1_000).\(pad(seconds % 1_000 / 10))"
      return
        "  \(right(time, 6))  \(left(event.lane.rawValue, 9))\(left(event.trust, 13))\(event.text)"
    }
  }

  private func pad(_ hundredths: Int64) -> String {
    hundredths < 10 ? "0\(hundredths)" : "\(hundredths)"
  }

  private func left(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  private func right(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }
}

extension Timeline {
  /// Adds what the provider's ledger dates: creation, captures, webhook deliveries.
  mutating func add(provider payment: JSONValue) {
    let short = payment["id"]?.text?.suffix(6) ?? "?"
    func note(_ json: JSONValue?, _ member: String, _ text: String) {
      guard let at = json?[member]?.text.flatMap({ Instant(iso8601: $0) }) else { return }
      add(at, .provider, "…\(short) \(text)")
    }
    note(payment, "created_at", "created")
    for capture in payment["captures"]?.elements ?? [] {
      note(capture, "created_at", "captured \(capture["amount"]?.text ?? "?")")
    }
    for webhook in payment["webhooks"]?.elements ?? [] {
      let status = webhook["status"]?.text ?? "?"
      for attempt in webhook["attempts"]?.elements ?? [] {
        note(attempt, "at", "webhook “\(status)” sent")
      }
      if webhook["state"]?.text == "dropped" { note(webhook, "due", "webhook “\(status)” lost") }
    }
  }
}
