import HTTPExchange
import SystemRuntime

/// What other threads have to say to the loop: answers of handlers, the wish to drain, and what is
/// to run on the loop's thread.
///
/// It outlives the loop where a handler does not end in time; what comes after that is dropped.
final class Mailbox: Sendable {
  /// What came since the last look.
  struct Mail {
    var answers: [(connection: UInt64, response: HTTPResponse)] = []
    /// The shortest grace of the drains asked for.
    var drainGrace: Duration?
    /// Next steps of handlers that run on the loop's thread.
    var jobs: [UnownedJob] = []

    var isEmpty: Bool { answers.isEmpty && drainGrace == nil && jobs.isEmpty }

    /// Forgets all and keeps the room, so that mail costs no memory of its own.
    mutating func empty() {
      answers.removeAll(keepingCapacity: true)
      jobs.removeAll(keepingCapacity: true)
      drainGrace = nil
    }
  }

  private struct State {
    var mail = Mail()
    /// Whether the loop must be woken to see new mail.
    var isLoopAsleep = false
    /// Nil once the loop has ended.
    var wakeup: Descriptor?
  }

  private let state: Locked<State>

  init(wakeup: Descriptor) {
    state = Locked(State(wakeup: wakeup))
  }

  /// Hands over a handler's answer. From the loop's own thread too, then without a system call.
  func answer(_ connection: UInt64, _ response: HTTPResponse) {
    _ = post { $0.answers.append((connection, response)) }
  }

  /// Asks for a drain.
  func drain(grace: Duration) {
    _ = post { $0.drainGrace = min($0.drainGrace ?? grace, grace) }
  }

  /// Has the loop run a step of a handler; false once the loop has ended.
  func run(_ job: UnownedJob) -> Bool {
    post { $0.jobs.append(job) }
  }

  /// Puts all mail into `mail`, which is empty; if there is none the loop counts as asleep until
  /// ``awake()``.
  func collect(into mail: inout Mail) {
    mail = state.withLock { [given = mail] state in
      let collected = state.mail
      state.mail = given
      state.isLoopAsleep = collected.isEmpty
      return collected
    }
  }

  /// Spares wake-ups while the loop is busy: it collects before it sleeps.
  func awake() {
    state.withLock { $0.isLoopAsleep = false }
  }

  /// Ends the exchange: later mail is dropped, and the wake-up descriptor is released under the
  /// lock, so that nobody writes to a number that has become another file.
  ///
  /// - Returns: steps of handlers that have not run.
  func close() -> [UnownedJob] {
    state.withLock { state in
      let jobs = state.mail.jobs
      state.wakeup = nil
      state.mail = Mail()
      return jobs
    }
  }

  /// False once the loop has ended.
  private func post(_ write: (inout Mail) -> Void) -> Bool {
    state.withLock { state in
      guard let wakeup = state.wakeup else { return false }
      write(&state.mail)
      if state.isLoopAsleep {
        state.isLoopAsleep = false
        Sockets.signal(wakeup)
      }
      return true
    }
  }
}
