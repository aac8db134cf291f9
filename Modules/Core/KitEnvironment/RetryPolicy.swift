import PaymentModels

/// Capped exponential backoff with jitter, one policy for device and server.
public struct RetryPolicy: Hashable, Sendable {
  /// Wait before the first repeat, before jitter.
  public var first: Duration
  /// No wait is longer than this, jitter included, unless the peer asked for more.
  public var cap: Duration
  /// Share of a wait that is drawn at random, 0 to 100: with 50, a wait of 8 s becomes 4 to 8 s.
  public var jitterPercent: Int

  /// A policy that doubles from `first` to `cap`.
  public init(first: Duration, cap: Duration, jitterPercent: Int = 50) {
    precondition(first > .zero && cap >= first, "backoff grows from a positive wait")
    precondition((0...100).contains(jitterPercent), "jitter is a percentage")
    self.first = first
    self.cap = cap
    self.jitterPercent = jitterPercent
  }

  /// How long to wait after `attempt` tries (1 after the first) that did not settle it.
  ///
  /// - Parameter retryAfter: what the peer asked for (`Retry-After`); the wait is never shorter,
  ///   but a peer's wish counts for at most an hour.
  public func delay(
    afterAttempt attempt: Int, random: RandomSource, retryAfter: Duration? = nil
  ) -> Duration {
    let doublings = min(max(0, attempt - 1), 30)
    let base = min(cap, first * (1 << doublings))
    let spread = base.wholeMilliseconds * Int64(jitterPercent) / 100
    let cut = spread > 0 ? Int64(random.below(UInt64(min(spread, 1 << 31)) + 1)) : 0
    let wait = base - .milliseconds(cut)
    guard let retryAfter else { return wait }
    return max(wait, min(retryAfter, .seconds(3_600)))
  }
}
