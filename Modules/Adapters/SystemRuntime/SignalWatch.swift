private import CTillSockets
private import Glibc

/// A signal that a process sends or gets.
public enum ProcessSignal: Sendable {
  /// Ctrl-C.
  case interrupt
  /// A polite request to end, as `kill`, systemd and Docker send it.
  case terminate
  /// The terminal was closed.
  case hangUp
  /// Ends a process at once; it cannot be caught.
  case kill
  /// Free for a program's own use.
  case user1

  /// The system's number; a shell shows a process that it ended as 128 more.
  public var number: Int32 {
    switch self {
    case .interrupt: SIGINT
    case .terminate: SIGTERM
    case .hangUp: SIGHUP
    case .kill: SIGKILL
    case .user1: SIGUSR1
    }
  }
}

/// Lets a program wait for signals as it waits for anything else.
///
/// One watch at a time in a process, made at its start. While it lives, the signals no longer end
/// the process: they arrive in ``signals``, from which the program shuts down in good order.
public final class SignalWatch: Sendable {
  /// The signals in the order in which they came. Ends with ``close()``.
  public let signals: AsyncStream<ProcessSignal>
  private let watched: [ProcessSignal]
  private let writeEnd: Int32

  /// Starts to watch, and makes writes to a peer that has left fail instead of ending the process
  /// (`SIGPIPE` and `SIGXFSZ` are ignored from here on).
  ///
  /// - Throws: ``SystemError`` if the process has no descriptor left.
  public init(
    _ watched: [ProcessSignal] = [.interrupt, .terminate, .hangUp]
  ) throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    // Fills the two elements of the local array.
    guard unsafe till_pipe(&ends) == 0 else { throw SystemError("pipe") }
    let (readEnd, writeEnd) = (ends[0], ends[1])
    // A handler must never wait: with a full pipe a signal more changes nothing.
    _ = till_set_nonblocking(writeEnd)
    let (stream, continuation) = AsyncStream.makeStream(
      of: ProcessSignal.self, bufferingPolicy: .bufferingNewest(16))
    signals = stream
    self.watched = watched
    self.writeEnd = writeEnd
    startThread(named: "till-signals") {
      while let number = nextByte(readEnd), number != 0 {
        for signal in watched where signal.number == Int32(number) { continuation.yield(signal) }
      }
      Glibc.close(readEnd)
      continuation.finish()
    }
    ignoreWriteSignals()
    for signal in watched { _ = till_route_signal(signal.number, writeEnd) }
  }

  /// Gives the signals their default action again, which mostly ends the process.
  public func close() {
    for signal in watched { _ = till_route_signal(signal.number, -1) }
    var end: UInt8 = 0
    // One byte of the local variable: tells the thread to end. The write end stays open, because
    // a handler may be running on another thread just now; it is one descriptor a process.
    _ = unsafe write(writeEnd, &end, 1)
  }
}

/// Makes a write to a peer that has left fail instead of ending the process (`SIGPIPE`), and one
/// beyond the limit of a file's size too (`SIGXFSZ`). For the whole process, and done by
/// everything here that writes to others.
public func ignoreWriteSignals() {
  till_ignore_write_signals()
}

private func nextByte(_ descriptor: Int32) -> UInt8? {
  var byte: UInt8 = 0
  while true {
    // One byte into the local variable.
    let count = unsafe Glibc.read(descriptor, &byte, 1)
    if count == 1 { return byte }
    if count < 0 && errno == EINTR { continue }
    return nil
  }
}
