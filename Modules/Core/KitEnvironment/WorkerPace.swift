/// How long a worker waits between two turns: its tick, and while the store refuses, longer each
/// time, up to ``cap``.
///
/// A disk may be full for hours. A worker that goes on asking at its tick would fill the log
/// meanwhile, which may lie on the same disk.
public struct WorkerPace: Sendable {
  /// The longest wait: once the store works again, so do the workers soon after, and well within
  /// the minute after which readiness calls a silent one dead.
  public static let cap: Duration = .seconds(10)

  private let tick: Duration
  private let backoff: RetryPolicy
  private var refusals = 0

  /// A worker that looks once a tick.
  public init(tick: Duration) {
    self.tick = tick
    backoff = RetryPolicy(first: min(tick, Self.cap), cap: Self.cap)
  }

  /// The wait after a turn.
  ///
  /// - Parameter isRefused: whether the store refused in it.
  public mutating func wait(isRefused: Bool, random: RandomSource) -> Duration {
    refusals = isRefused ? refusals + 1 : 0
    return refusals == 0 ? tick : backoff.delay(afterAttempt: refusals, random: random)
  }
}
