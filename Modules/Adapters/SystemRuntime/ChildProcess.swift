private import CTillSockets
private import Glibc

/// A program that this process has started, with pipes to its standard input and output.
///
/// It runs in a process group of its own, so Ctrl-C at the terminal reaches it only through this
/// process, and everything it starts in turn can be ended with it. It is killed with its group when
/// the last reference to this object goes, and when this process ends by `exit`. A process that is
/// itself killed by SIGKILL can do nothing more for its children; a child that reads its standard
/// input to the end sees that, and should take it as the end of its work.
///
/// ```swift
/// let server = try ChildProcess("/usr/bin/env", arguments: ["cat"])
/// try server.write(Array("hello\n".utf8))
/// server.closeInput()
/// for await line in server.lines { print(line) }
/// let end = await server.wait()
/// ```
public final class ChildProcess: Sendable {
  /// What becomes of the child's standard error.
  public enum ErrorOutput: Sendable {
    /// It goes where that of this process goes.
    case inherited
    /// It joins standard output, and so ``ChildProcess/lines``.
    case output
  }

  /// How a process ended.
  public enum End: Hashable, Sendable {
    /// By itself, with this code; 0 means success.
    case exited(Int32)
    /// By a signal of this number.
    case signalled(Int32)
  }

  /// The number of the process.
  public let identifier: Int32

  /// The lines of its standard output as they come, without line ends. Ends with the process; may
  /// be read once. Lines that nobody reads wait, up to ``linesMax``; later ones are dropped.
  public let lines: AsyncStream<String>

  /// More waiting lines than any program of the kit writes between two reads.
  public static let linesMax = 65_536

  private let core: ChildCore

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - path: path of the program; `PATH` is not searched.
  ///   - arguments: what follows the program's name.
  ///   - environment: all its environment variables; those of this process unless told.
  ///   - workingDirectory: where it runs; the directory of this process unless told.
  ///   - errorOutput: where its standard error goes.
  /// - Throws: ``SystemError``; of kind `notFound` if there is no such program or directory.
  public init(
    _ path: String, arguments: [String] = [], environment: [String: String]? = nil,
    workingDirectory: String? = nil, errorOutput: ErrorOutput = .inherited
  ) throws(SystemError) {
    ignoreWriteSignals()
    let variables = environment ?? ProcessFacts.environment()
    let started = try startProgram(
      path, arguments, variables.map { "\($0.key)=\($0.value)" }.sorted(), workingDirectory,
      joinsErrors: errorOutput == .output)
    let (stream, continuation) = AsyncStream.makeStream(
      of: String.self, bufferingPolicy: .bufferingOldest(Self.linesMax))
    identifier = started.pid
    lines = stream
    core = ChildCore(started)
    let core = self.core
    startThread(named: "till-child") {
      core.run {
        continuation.yield($0)
      } onEnd: {
        continuation.finish()
      }
    }
  }

  deinit { core.send(SIGKILL) }

  /// Writes to its standard input without waiting.
  ///
  /// - Throws: ``SystemError``; of kind `wouldBlock` if it does not read what is there already
  ///   (64 KiB), in which case a part of `bytes` may have been written.
  public func write(_ bytes: [UInt8]) throws(SystemError) {
    try core.write(bytes)
  }

  /// Ends its standard input.
  public func closeInput() { core.closeInput() }

  /// Sends a signal to the program and all that it started; nothing happens once it has ended.
  public func send(_ signal: ProcessSignal) { core.send(signal.number) }

  /// Waits for its end. Cancelling the task does not end the wait: ``send(_:)`` `.kill` does.
  public func wait() async -> End {
    await withCheckedContinuation { core.onEnd($0) }
  }
}
