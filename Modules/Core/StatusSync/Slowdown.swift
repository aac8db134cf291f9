import KitEnvironment
import ProviderInterface

/// How much an account's reads are held back, after its provider asked for it or did not answer.
struct Slowdown {
  /// Answers in a row that brought nothing.
  private(set) var failures = 0
  /// Those of them, the last ones, by which the provider asked for fewer calls. What an outage
  /// before them cost says nothing of how long it wants none.
  private var throttles = 0
  /// Whether the provider said that there are too many calls: then no read goes out at all.
  var isThrottled: Bool { throttles > 0 }
  /// By uptime, when the next read may try whether it is over.
  private(set) var until: Duration = .zero

  /// Failures in a row that are an outage: fewer are one payment's own.
  static let outageMin = 3
  /// During an outage one payment is read at least this often, to see its end.
  static let outageWaits = RetryPolicy(first: .seconds(1), cap: .seconds(30))

  /// Whether the schedule is held back at all.
  var isOn: Bool { isThrottled || failures >= Self.outageMin }

  /// Counts an answer that brought nothing.
  mutating func note(
    _ error: ProviderError, at uptime: Duration, _ backoff: RetryPolicy, _ random: RandomSource
  ) {
    failures += 1
    throttles = error.kind == .throttled ? throttles + 1 : 0
    guard isOn else { return }
    let wait =
      isThrottled
      ? backoff.delay(afterAttempt: throttles, random: random, retryAfter: error.retryAfter)
      : Self.outageWaits.delay(afterAttempt: failures - Self.outageMin + 1, random: random)
    until = uptime + wait
  }
}
