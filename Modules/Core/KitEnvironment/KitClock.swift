public import PaymentModels

/// Wall time, time that never jumps, and waiting.
public struct KitClock: Sendable {
  /// The present wall time. It may jump, also backwards.
  public var now: @Sendable () -> Instant
  /// Time since some fixed moment, which never jumps; for measuring how long something took.
  public var uptime: @Sendable () -> Duration
  private let sleeping: @Sendable (Duration) async throws -> Void

  /// Builds a clock out of its three parts.
  ///
  /// - Parameter sleep: returns after the duration, or throws `CancellationError` as soon as
  ///   the waiting task is cancelled.
  public init(
    now: @escaping @Sendable () -> Instant, uptime: @escaping @Sendable () -> Duration,
    sleep: @escaping @Sendable (Duration) async throws -> Void
  ) {
    self.now = now
    self.uptime = uptime
    sleeping = sleep
  }

  /// Waits for `duration`; returns at once if it is not positive.
  ///
  /// - Throws: `CancellationError` if the task is cancelled before or during the wait.
  public func sleep(for duration: Duration) async throws {
    try Task.checkCancellation()
    guard duration > .zero else { return }
    try await sleeping(duration)
  }
}
