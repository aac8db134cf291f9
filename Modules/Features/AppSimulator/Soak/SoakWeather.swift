import KitEnvironment
import PaymentModels
import StrictJSON

/// What goes wrong at one provider for some seconds.
enum SoakWeather: String, Hashable, Sendable, CaseIterable {
  case calm
  /// No webhook is sent.
  case lost
  /// Each webhook comes two or three times.
  case twice
  /// Webhooks come late; where the sandbox can, a later one overtakes.
  case late
  /// Outcomes follow the payer's confirmation by a second or two.
  case working
  /// Answers come late.
  case slow
  /// 500 and 502, nothing carried out.
  case errors
  /// Carried out, and the answer is lost or breaks off.
  case answersLost
  /// 429 and a proxy's 403.
  case refusals
  /// Nothing is answered for some seconds.
  case outage

  /// How long each lasts.
  private var duration: ClosedRange<Int> {
    switch self {
    case .outage: 2_000...8_000
    default: 1_500...6_000
    }
  }

  /// More than a provider is asked in an outage.
  private static let everyCall = 100_000
  private static let latest = 4_000

  /// How long it lasts this time.
  func duration(_ words: inout SeededWords) -> Duration { words.duration(duration) }

  /// The faults of a sandbox, all that a soak touches named, so that none of the last weather
  /// stays.
  func faults(of facts: HostedPage, _ words: inout SeededWords) -> JSONValue {
    let delay = self == .late ? 500 + words.below(Self.latest) : 0
    let settling = self == .working ? 500 + words.below(1_500) : 0
    let delays: JSONValue =
      facts.webhookDelay.isList ? .array([.integer(delay), .integer(0)]) : .integer(delay)
    return .object([
      JSONMember(name: "drop_webhooks", value: .bool(self == .lost)),
      JSONMember(
        name: "webhook_copies", value: .integer(self == .twice ? 2 + words.below(2) : 1)),
      JSONMember(name: facts.webhookDelay.fault, value: delays),
      JSONMember(name: facts.delayFault, value: .integer(settling)),
      JSONMember(name: "answers", value: .array(answers(&words))),
    ])
  }

  private func answers(_ words: inout SeededWords) -> [JSONValue] {
    func answer(_ kind: String, _ times: Int, delay: Int = 0) -> JSONValue {
      .object([
        "kind": .string(kind), "times": .integer(times), "delay_ms": .integer(delay),
      ])
    }
    return switch self {
    case .calm, .lost, .twice, .late, .working: []
    case .slow: [answer("slow", 6, delay: 300 + words.below(2_700))]
    case .errors: [answer("server_error", 2), answer("html_502", 2)]
    case .answersLost: [answer("lost", 2), answer("truncated", 1)]
    case .refusals: [answer("too_many_requests", 3), answer("html_403", 1)]
    case .outage: [answer("html_502", Self.everyCall)]
    }
  }
}

/// Changes the weather at one provider until the soak's time is up.
struct SoakSky: Sendable {
  /// Webhooks that were not taken come again while the server starts, and some later.
  private static let retries: JSONValue = .array(
    [500, 1_000, 2_000, 4_000, 8_000].map { .integer($0) })

  let stage: Stage
  let facts: HostedPage

  private var path: String {
    "/sandbox/settings" + (facts.provider == .tabby ? "" : "/\(facts.provider)")
  }

  private var settings: [JSONMember] {
    let retries = [JSONMember(name: "webhook_retry_ms", value: Self.retries)]
    guard facts.provider == .tabby else { return retries }
    return retries + [JSONMember(name: "late_authorization", value: .bool(true))]
  }

  /// Goes from one weather to the next; ends in a calm, at `end` at the latest.
  func change(until end: Duration, _ words: SeededWords, _ book: SoakBook) async {
    var words = words
    let clock = stage.environment.clock
    do {
      _ = try await stage.control(path, .object(settings))
      while clock.uptime() < end {
        let weather = SoakWeather.allCases[words.below(SoakWeather.allCases.count)]
        try await blow(weather, &words)
        await book.note(weather)
        try await clock.sleep(for: min(weather.duration(&words), end - clock.uptime()))
      }
      try await blow(.calm, &words)
    } catch {
      guard !Task.isCancelled else { return }
      await book.blame(nil, "the sandbox of \(facts.provider) takes no faults: \(error)")
    }
  }

  private func blow(_ weather: SoakWeather, _ words: inout SeededWords) async throws {
    _ = try await stage.control(
      path, .object([JSONMember(name: "faults", value: weather.faults(of: facts, &words))]))
  }
}
