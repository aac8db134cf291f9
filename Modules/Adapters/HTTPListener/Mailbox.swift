import HTTPExchange
import SystemRuntime

/// What other threads have to say to the loop: answers of handlers, and the wish to drain.
///
/// It outlives the loop where a handler does not end in time; what comes after that is dropped.
final class Mailbox: Sendable {
  /// What came since the last look.
  struct Mail {
    var answers: [(connection: UInt64, response: HTTPResponse)] = []
    /// The shortest grace of the drains asked for.
    var drainGrace: Duration?

    var isEmpty: Bool { answers.isEmpty && drainGrace == nil }
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
    post { $0.answers.append((connection, response)) }
  }

  /// Asks for a drain.
  func drain(grace: Duration) {
    post { $0.drainGrace = min($0.drainGrace ?? grace, grace) }
  }

  /// All mail; if there is none the loop counts as asleep until ``awake()``.
  func collect() -> Mail {
    state.withLock { state in
      let mail = state.mail
      state.mail = Mail()
      state.isLoopAsleep = mail.isEmpty
      return mail
    }
  }

  /// Spares wake-ups while the loop is busy: it collects before it sleeps.
  func awake() {
    state.withLock { $0.isLoopAsleep = false }
  }

  /// Ends the exchange: later mail is dropped, and the wake-up descriptor is released under the
  /// lock, so that nobody writes to a number that has become another file.
  func close() {
    state.withLock { state in
      state.wakeup = nil
      state.mail = Mail()
    }
  }

  private func post(_ write: (inout Mail) -> Void) {
    state.withLock { state in
      guard let wakeup = state.wakeup else { return }
      write(&state.mail)
      if state.isLoopAsleep {
        state.isLoopAsleep = false
        Sockets.signal(wakeup)
      }
    }
  }
}
