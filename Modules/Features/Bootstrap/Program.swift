import CommandLineParser
import HTTPListener
import PaymentStore
import SystemRuntime

/// What every program does around its work: parse, run, print a failure as one line, end with an
/// exit code.
enum Program {
  /// Runs the action of a command line and gives the exit code.
  static func run<Action>(
    _ command: Command<Action>, _ arguments: [String],
    action: (Action) async throws -> Int32
  ) async -> Int32 {
    switch command.parse(arguments) {
    case .help(let text):
      Output.write(text.hasSuffix("\n") ? text : text + "\n")
      return 0
    case .refused(let error):
      Output.complain(error.description)
      return UsageError.exitCode
    case .run(let wanted):
      do {
        return try await action(wanted)
      } catch {
        Output.complain("error: \(error)")
        return exitCode(of: error)
      }
    }
  }

  /// Codes of sysexits(3).
  private static func exitCode(of error: any Error) -> Int32 {
    switch error {
    case is ConfigurationError: ConfigurationError.exitCode
    case is HTTPListenerError: 69
    case is StoreError: 74
    case is SystemError: 71
    default: 70
    }
  }

  /// Returns when the process is asked to end.
  static func untilStopped(_ watch: SignalWatch) async {
    for await _ in watch.signals { return }
  }
}

/// Ends the process: the last line of every program.
public func exitProcess(_ code: Int32) -> Never { ProcessFacts.exit(code) }
