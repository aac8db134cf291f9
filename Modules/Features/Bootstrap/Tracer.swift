import AppSimulator
import SystemRuntime

/// `strace`, which kills programs that know nothing of it, or fails their calls.
enum Tracer {
  /// Where Debian puts it.
  private static let path = "/usr/bin/strace"
  /// What it says once it has come to a process.
  static let attached = " attached"

  /// Sees that it is there, and that this machine lets it kill what it starts and come to what
  /// runs.
  static func check() async throws {
    let victim = try tool(
      [
        "-f", "-qq", "-o", "/dev/null", "-e", "trace=exit_group", "-e",
        "inject=exit_group:signal=KILL:when=1", "/bin/true",
      ])
    let words = await victim.firstLine()
    guard await victim.wait() == .signalled(ProcessSignal.kill.number) else {
      throw refused(words)
    }
    // Waits for the end of its input, so for the end of this function.
    let neighbour = try ChildProcess("/bin/cat", environment: [:])
    defer { neighbour.send(.kill) }
    let visitor = try tool(["-f", "-o", "/dev/null", "-p", "\(neighbour.identifier)"])
    defer { visitor.send(.kill) }
    let greeting = await visitor.firstLine()
    guard greeting?.contains(attached) == true else { throw refused(greeting) }
  }

  private static func tool(_ arguments: [String]) throws(ConfigurationError) -> ChildProcess {
    do {
      return try ChildProcess(path, arguments: arguments, environment: [:], errorOutput: .output)
    } catch {
      throw ConfigurationError("strace", "cannot be run (\(error)); apt-get install strace")
    }
  }

  private static func refused(_ words: String?) -> ConfigurationError {
    ConfigurationError("strace", "may not trace here, so there can be no sweep: \(words ?? "?")")
  }

  /// Starts a program to which something is done from its launch on.
  ///
  /// - Parameter directory: gets the file with what `strace` says.
  static func start(
    _ program: String, _ arguments: [String], under injection: any Injection,
    environment: [String: String], directory: String
  ) throws(SystemError) -> ChildProcess {
    try ChildProcess(
      path,
      arguments: ["-qq"] + injection.traceArguments(output: "\(directory)/strace.txt") + [program]
        + arguments,
      environment: environment, errorOutput: .output)
  }

  /// Comes to a process that runs already; says so in a line with ``attached``.
  static func attach(
    to process: Int32, _ injection: any Injection, directory: String
  ) throws(SystemError) -> ChildProcess {
    try ChildProcess(
      path,
      arguments: injection.traceArguments(output: "\(directory)/strace.txt") + [
        "-p", "\(process)",
      ],
      environment: [:], errorOutput: .output)
  }
}

extension ChildProcess {
  /// The first line that it prints; nil if it ends without one.
  fileprivate func firstLine() async -> String? {
    for await line in lines { return line }
    return nil
  }
}
