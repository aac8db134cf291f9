import SystemRuntime

/// Counts calls from any thread.
public final class CallCount: Sendable {
  private let count = Locked(0)

  /// Starts at zero.
  public init() {}

  /// Adds one.
  public func add() { count.withLock { $0 += 1 } }

  /// Calls so far.
  public var value: Int { count.withLock { $0 } }
}
