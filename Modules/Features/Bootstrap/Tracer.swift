import AppSimulator
import SystemRuntime

/// `strace`, by which a sweep kills programs that know nothing of it.
enum Tracer {
  /// Where Debian puts it.
  private static let path = "/usr/bin/strace"

  /// Sees that it is there and that this machine lets it kill a process at a system call.
  static func check() async throws {
    let process: ChildProcess
    do {
      process = try ChildProcess(
        path,
        arguments: [
          "-f", "-qq", "-o", "/dev/null", "-e", "trace=exit_group", "-e",
          "inject=exit_group:signal=KILL:when=1", "/bin/true",
        ], environment: [:], errorOutput: .output)
    } catch {
      throw ConfigurationError("strace", "cannot be run (\(error)); apt-get install strace")
    }
    process.closeInput()
    var words = ""
    for await line in process.lines { words = line }
    guard await process.wait() == .signalled(9) else {
      throw ConfigurationError(
        "strace", "may not trace here, so there can be no sweep: \(words.isEmpty ? "?" : words)")
    }
  }

  /// Starts a program that is to be killed at a point.
  ///
  /// - Parameter directory: gets the file with what `strace` says.
  static func start(
    _ program: String, _ arguments: [String], killedAt point: KillPoint,
    environment: [String: String], directory: String
  ) throws(SystemError) -> ChildProcess {
    try ChildProcess(
      path,
      arguments: ["-qq"] + point.traceArguments(output: "\(directory)/strace.txt") + [program]
        + arguments,
      environment: environment, errorOutput: .output)
  }

  /// Comes to a process that runs already; says so in a line with “attached”.
  static func attach(
    to process: Int32, killedAt point: KillPoint, directory: String
  ) throws(SystemError) -> ChildProcess {
    try ChildProcess(
      path,
      arguments: point.traceArguments(output: "\(directory)/strace.txt") + ["-p", "\(process)"],
      environment: [:], errorOutput: .output)
  }
}
