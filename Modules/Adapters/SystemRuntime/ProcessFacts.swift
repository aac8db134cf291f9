private import CTillSockets
private import Glibc

/// What the system says about this process.
public enum ProcessFacts {
  /// All environment variables as they are now. Read once at the start: changing and reading
  /// them from several threads is not safe in C. Entries that are not `NAME=value` are left out.
  public static func environment() -> [String: String] {
    var variables: [String: String] = [:]
    // The list ends with NULL, and each entry is a C string; nobody of the kit changes it.
    guard var entry = unsafe till_environ() else { return variables }
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

  /// Processors that this process may use, 1 at least.
  public static var processorCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

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

/// What went wrong first at the streams, of which a process has one each.
private let losses = Locked<[StandardStream: SystemError]>([:])

/// Writes all of the bytes, waiting for a reader also where the descriptor does not: whoever shares
/// a pipe with another program may have had that chosen for it.
func writeWaiting(_ bytes: [UInt8], to descriptor: Int32) -> SystemError? {
  var rest = bytes[...]
  while !rest.isEmpty {
    do {
      rest = rest.dropFirst(try writeSome(rest, to: descriptor))
    } catch {
      guard error.kind == .wouldBlock else { return error }
      var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      // One entry, the local variable, which outlives the call; what it says the next write says.
      unsafe poll(&entry, 1, -1)
    }
  }
  return nil
}

extension StandardStream {
  /// Writes all of a text, blocking as long as the reader makes it wait. What a stream does not
  /// take is dropped: nobody is left to tell if it is closed or its reader has left, and a full
  /// disk is told by ``firstLoss``.
  public func write(_ text: String) {
    guard let error = writeWaiting(Array(text.utf8), to: rawValue) else { return }
    guard error.code != EPIPE, error.code != EBADF else { return }
    losses.withLock { if $0[self] == nil { $0[self] = error } }
  }

  /// Why something that was written to this stream did not reach its file, if that happened.
  public var firstLoss: SystemError? { losses.withLock { $0[self] } }

  /// Tells once that whoever read this stream has left, if it is a pipe: `program | head -1`.
  /// Says nothing about files, terminals and sockets. Takes one thread, to the end of the process.
  public func readerLeft() -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    var facts = stat()
    // Fills the local variable.
    guard unsafe fstat(rawValue, &facts) == 0, facts.st_mode & S_IFMT == S_IFIFO else {
      return stream
    }
    startThread(named: "till-reader") {
      // No event is asked for: a pipe without reader is told as an error all the same.
      var entry = pollfd(fd: rawValue, events: 0, revents: 0)
      // One entry, the local variable, which outlives the call.
      while unsafe poll(&entry, 1, -1) < 0, errno == EINTR {}
      continuation.yield()
      continuation.finish()
    }
    return stream
  }

  /// The lines of this stream as they come, without line ends; ends with the stream. For standard
  /// input, and once a process.
  public func lines() -> AsyncStream<String> {
    let (stream, continuation) = AsyncStream.makeStream(of: String.self)
    startThread(named: "till-lines") {
      while let line = readLine(strippingNewline: true) { continuation.yield(line) }
      continuation.finish()
    }
    return stream
  }
}

extension ProcessFacts {
  /// Stands still for good: for kill tests, which end the process here.
  public static func standStill() -> Never {
    while true { pause() }
  }

  /// The path of the program that runs, from which its neighbours are found.
  public static func programPath() -> String? {
    var buffer = [CChar](repeating: 0, count: 4_096)
    // Fills at most one byte less than the local buffer holds, so a NUL stays behind it.
    let count = unsafe readlink("/proc/self/exe", &buffer, buffer.count - 1)
    guard count > 0 else { return nil }
    return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The directory in which relative paths begin, nil if it cannot be told.
  public static func workingDirectory() -> String? {
    var buffer = [CChar](repeating: 0, count: 4_096)
    // Fills the local buffer, with a NUL at the end, or fails.
    guard unsafe getcwd(&buffer, buffer.count) != nil else { return nil }
    return String(
      decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Allows this process as many descriptors as the system lets it have: a server holds one for
  /// each connection, and the default of many systems is 1,024.
  public static func raiseDescriptorLimit() {
    var limit = rlimit()
    // Reads into the local value, then hands it back; both calls end before it goes.
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = limit.rlim_max
    unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }

  /// Has a crash of this process show its place alone and leave no file behind: Swift's backtracer
  /// prints what the registers point to, and a core file holds all memory, both of which may be
  /// secrets or a buyer's data.
  ///
  /// Whoever has set `SWIFT_BACKTRACE` has chosen what is printed, and is left alone.
  public static func keepCrashesQuiet() {
    guard environment()["SWIFT_BACKTRACE"] == nil else { return }
    for number in [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGQUIT] {
      _ = till_route_signal(number, -1)
    }
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    // Reads the local value during the call alone.
    unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
  }

  /// Ends the process with an exit code.
  public static func exit(_ code: Int32) -> Never { Glibc.exit(code) }
}
