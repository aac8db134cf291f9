private import CTillSockets
private import Glibc

/// A longer line is handed on in pieces.
private let childLineBytesMax = 65_536

/// Groups of children that have not ended, so that `exit` can end them.
private let runningGroups = Locked<Set<Int32>>([])

/// Registered with the first child: kills what is left when this process ends by `exit`.
private let killsAtExit: Bool =
  atexit { runningGroups.withLock { for group in $0 { kill(-group, SIGKILL) } } } == 0

/// A program just started, and our ends of its pipes.
struct StartedProgram: Sendable {
  let pid: Int32
  let input: Int32
  let output: Int32
  let pidfd: Int32
}

/// What a child's thread and the tasks that use it share.
final class ChildCore: Sendable {
  private struct State {
    /// nil once closed.
    var input: Int32?
    var end: ChildProcess.End?
    var waiters: [CheckedContinuation<ChildProcess.End, Never>] = []
  }

  private let program: StartedProgram
  private let state: Locked<State>

  init(_ program: StartedProgram) {
    self.program = program
    state = Locked(State(input: program.input))
    precondition(killsAtExit, "atexit takes no more functions")
    runningGroups.withLock { _ = $0.insert(program.pid) }
  }

  deinit {
    closeInput()
  }

  func write(_ bytes: [UInt8]) throws(SystemError) {
    try state.withLock { state throws(SystemError) in
      guard let input = state.input else { throw SystemError("write", code: EPIPE) }
      try writeAll(bytes, to: input)
    }
  }

  func closeInput() {
    state.withLock { state in
      if let input = state.input { close(input) }
      state.input = nil
    }
  }

  func send(_ signal: Int32) {
    state.withLock { state in
      // Before the end is noted, the number cannot belong to another group.
      if state.end == nil { kill(-program.pid, signal) }
    }
  }

  func onEnd(_ waiter: CheckedContinuation<ChildProcess.End, Never>) {
    let end = state.withLock { state in
      if state.end == nil { state.waiters.append(waiter) }
      return state.end
    }
    if let end { waiter.resume(returning: end) }
  }

  /// The work of the child's thread: hands on lines and notes the end.
  func run(onLine: (String) -> Void, onEnd: () -> Void) {
    var splitter = LineSplitter(lineBytesMax: childLineBytesMax)
    var (isRunning, isReading) = (true, true)
    while isRunning {
      var polled = [
        pollfd(fd: isReading ? program.output : -1, events: Int16(POLLIN), revents: 0),
        pollfd(fd: program.pidfd, events: Int16(POLLIN), revents: 0),
      ]
      // Two entries of the local array; a negative descriptor is passed over.
      guard unsafe poll(&polled, 2, -1) > 0 else { continue }
      if polled[0].revents != 0 {
        let block = readBlock(program.output)
        for line in splitter.take(block) { onLine(line) }
        isReading = !block.isEmpty
      }
      isRunning = polled[1].revents == 0
    }
    reap()
    // What it wrote is in the pipe by now. Nobody waits for more: a program that it started, and
    // that left its group, may hold the other end for ever.
    _ = till_set_nonblocking(program.output)
    while isReading {
      let block = readBlock(program.output)
      for line in splitter.take(block) { onLine(line) }
      isReading = !block.isEmpty
    }
    if let rest = splitter.rest { onLine(rest) }
    close(program.output)
    close(program.pidfd)
    onEnd()
  }

  /// Ends what the child left behind, while its own number is still taken, and then collects it.
  private func reap() {
    let (end, waiters) = state.withLock { state in
      kill(-program.pid, SIGKILL)
      var status: Int32 = 0
      // Fills the local variable; the process has ended, so this does not wait.
      while unsafe waitpid(program.pid, &status, 0) < 0 && errno == EINTR {}
      let code = till_exit_code(status)
      let end: ChildProcess.End = code < 0 ? .signalled(-code) : .exited(code)
      state.end = end
      defer { state.waiters = [] }
      return (end, state.waiters)
    }
    runningGroups.withLock { _ = $0.remove(program.pid) }
    for waiter in waiters { waiter.resume(returning: end) }
  }
}

private func readBlock(_ descriptor: Int32) -> ArraySlice<UInt8> {
  var block = [UInt8](repeating: 0, count: 16_384)
  while true {
    // Writes into the local array only.
    let count = unsafe read(descriptor, &block, block.count)
    if count < 0 && errno == EINTR { continue }
    return block[..<max(0, count)]
  }
}
