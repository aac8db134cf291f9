/// A part of the backend that works until it is stopped, and whose end somebody should notice.
public enum Worker: String, Hashable, Sendable, CaseIterable {
  /// Takes payments whose read is due.
  case schedule
  /// Works on stored webhook deliveries.
  case inbox
  /// Works captures, refunds and closes.
  case operations
  /// Delivers messages to the merchant's systems.
  case outbox
  /// Brings the inbox within its bounds.
  case upkeep
}

/// For how long a worker has not begun a turn.
public struct WorkerSilence: Hashable, Sendable {
  /// Which.
  public var worker: Worker
  /// Since its last turn, or since it was to begin.
  public var duration: Duration

  /// Tells a silence.
  public init(worker: Worker, duration: Duration) {
    self.worker = worker
    self.duration = duration
  }
}
