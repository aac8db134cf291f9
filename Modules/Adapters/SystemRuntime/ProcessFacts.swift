private import CTillSockets
private import Glibc

/// What the system says about this process.
public enum ProcessFacts {
  /// All environment variables as they are now. Read once at the start: changing and reading
  /// them from several threads is not safe in C. Entries that are not `NAME=value` are left out.
  public static func environment() -> [String: String] {
    var variables: [String: String] = [:]
    guard var entry = unsafe till_environ() else { return variables }
    // The list ends with NULL, and each entry is a C string; nobody of the kit changes it.
    while let text = unsafe entry.pointee {
      let parts = unsafe String(cString: text).split(
        separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2 { variables[String(parts[0])] = String(parts[1]) }
      unsafe entry += 1
    }
    return variables
  }

  /// The number of this process.
  public static var identifier: Int32 { getpid() }

  /// Whether a stream goes to a terminal, where colours and progress make sense.
  public static func isTerminal(_ stream: StandardStream) -> Bool {
    isatty(stream.rawValue) == 1
  }

  /// The width of the terminal in characters, nil if the stream goes elsewhere.
  public static func terminalColumns(_ stream: StandardStream) -> Int? {
    let columns = till_columns(stream.rawValue)
    return columns > 0 ? Int(columns) : nil
  }
}

/// The three streams that a process starts with.
public enum StandardStream: Int32, Sendable {
  /// What the process reads.
  case input = 0
  /// What it is asked for.
  case output = 1
  /// What it says beside that.
  case error = 2
}
