import CommandLineParser
import SystemRuntime

/// What every program does around its work: parse, run, print a failure as one line, end with an
/// exit code.
enum Program {
  /// Runs the action of a command line and gives the exit code.
  static func run<Action>(
    _ command: Command<Action>, _ arguments: [String],
    action: (Action) async throws -> Int32
  ) async -> Int32 {
    // A write over the limit of the file size fails like one on a full disk, and is told.
    ignoreWriteSignals()
    ProcessFacts.keepCrashesQuiet()
    switch command.parse(arguments) {
    case .help(let text):
      Output.write(text.hasSuffix("\n") ? text : text + "\n")
      return codeWithLosses(0)
    case .refused(let error):
      Output.complain(error.description)
      return UsageError.exitCode
    case .run(let wanted):
      do {
        return codeWithLosses(try await action(wanted))
      } catch {
        Output.complain("error: \(error)")
        return exitCode(of: error)
      }
    }
  }

  /// An exit code that never says that all is well where a part of the output is missing.
  private static func codeWithLosses(_ code: Int32) -> Int32 {
    guard let loss = StandardStream.output.firstLoss else { return code }
    Output.complain("error: what is written is incomplete: \(loss)")
    return code == 0 ? incompleteCode : code
  }

  /// Code of sysexits(3).
  private static let incompleteCode: Int32 = 74

  /// The program as it was called, so that a command that is shown can be pasted: relative if it
  /// lies below the working directory.
  static var nameAsTyped: String {
    let name = CommandLine.arguments.first ?? "till"
    guard let directory = ProcessFacts.workingDirectory(), directory != "/",
      name.hasPrefix(directory + "/")
    else { return name }
    // With a slash in it, so that the shell does not look for it in PATH.
    return "./" + name.dropFirst(directory.count + 1)
  }

  /// The merchant server's URL, as `TILL_SERVER` gives it.
  static func serverURL(_ text: String) throws(ConfigurationError) -> String {
    guard ["http://", "https://"].contains(where: { text.hasPrefix($0) && text != $0 }) else {
      throw ConfigurationError("TILL_SERVER", "must be a URL that begins with http:// or https://")
    }
    return text
  }

  /// A new directory, where the environment says that such belong.
  static func makeTemporaryDirectory() throws(ConfigurationError) -> String {
    let named = ProcessFacts.environment()["TMPDIR"] ?? ""
    let parent = named.isEmpty ? "/tmp" : named
    do {
      return try Files.makeTemporaryDirectory(in: parent)
    } catch {
      throw ConfigurationError("TMPDIR", "no directory can be made in \(parent): \(error)")
    }
  }

  /// 128 and SIGPIPE, as `yes | head -1` ends.
  private static let readerLeftCode: Int32 = 141

  /// Codes of sysexits(3).
  private static func exitCode(of error: any Error) -> Int32 {
    switch error {
    case is ConfigurationError: ConfigurationError.exitCode
    case let failure as ListenFailure: failure.exitCode
    case is StoreFailure: 74
    case is SystemError: 71
    default: 70
    }
  }

  /// Returns when the process is asked to end, by a signal or because nobody reads its output any
  /// more, with the exit code that a shell shows for that.
  @discardableResult
  static func untilStopped(_ watch: SignalWatch) async -> Int32 {
    await withTaskGroup(of: Int32.self) { group in
      group.addTask {
        for await signal in watch.signals { return 128 + signal.number }
        return 0
      }
      group.addTask {
        for await _ in StandardStream.output.readerLeft() { return Self.readerLeftCode }
        return 0
      }
      defer { group.cancelAll() }
      return await group.next() ?? 0
    }
  }
}

/// A store that cannot be opened: which, and why.
struct StoreFailure: Error, CustomStringConvertible {
  let path: String
  let cause: any Error

  var description: String { "the store \(path) cannot be opened: \(cause)" }
}

/// Ends the process: the last line of every program.
public func exitProcess(_ code: Int32) -> Never { ProcessFacts.exit(code) }
