/// How loud a log line is.
public enum LogLevel: Int, Sendable, Comparable {
  /// For finding a fault.
  case debug
  /// What happened, one line an event.
  case info
  /// Something that a person should look at when there is time.
  case warning
  /// Something that a person should look at now.
  case error

  /// Debug is the smallest.
  public static func < (left: LogLevel, right: LogLevel) -> Bool { left.rawValue < right.rawValue }
}

/// Where log lines go. A line is a constant message with facts beside it, so that lines can be
/// counted by their message; a fact never holds a secret, a body or a buyer's data.
public struct KitLog: Sendable {
  private let write: @Sendable (LogLevel, String, [(String, String)]) -> Void

  /// Wraps a sink, which is called from any thread.
  public init(write: @escaping @Sendable (LogLevel, String, [(String, String)]) -> Void) {
    self.write = write
  }

  /// Writes one line.
  public func callAsFunction(
    _ level: LogLevel, _ message: StaticString, _ facts: (String, String)...
  ) {
    write(level, "\(message)", facts)
  }

  /// Drops every line.
  public static let silent = KitLog { _, _, _ in }
}
