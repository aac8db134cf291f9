import SystemRuntime

/// Says when a writer commits.
public protocol CommitDriver: Sendable {
  /// Called once, before anything is queued.
  func start(_ writer: SQLiteWriter)

  /// Something was queued. Returns at once.
  func wake()

  /// Nothing more will be queued: finish the writer where its commits ran, then call `done`.
  func stop(done: @escaping @Sendable () -> Void)
}

/// A thread that commits whatever queued up while the last commit was on its way to disk, which
/// makes batches as large as the load is high, without a timer.
public final class ThreadCommitDriver: CommitDriver {
  private let signal = WakeSignal()
  private let state = Locked(State())
  private let observe: @Sendable (Duration) -> Void

  private struct State {
    var isStopping = false
    var hasEnded = false
    var waiting: [@Sendable () -> Void] = []
  }

  /// A driver for one store.
  ///
  /// - Parameter observe: told how long each commit took, its wait for the disk included, before
  ///   its callers go on. Called on the store's thread: it must not block.
  public init(observe: @escaping @Sendable (Duration) -> Void = { _ in }) {
    self.observe = observe
  }

  /// Starts the thread.
  public func start(_ writer: SQLiteWriter) {
    let (signal, state, observe) = (signal, state, observe)
    startThread(named: "till-store") {
      while true {
        let startedAt = systemUptime()
        let acks = writer.commitPending()
        if acks.count > 0 {
          observe(systemUptime() - startedAt)
          writer.deliver(acks)
        } else if state.withLock({ $0.isStopping }) {
          writer.finish()
          return Self.end(state)
        } else {
          signal.wait()
        }
      }
    }
  }

  private static func end(_ state: Locked<State>) {
    let waiting = state.withLock { state in
      state.hasEnded = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for done in waiting { done() }
  }

  /// Wakes the thread.
  public func wake() { signal.raise() }

  /// Lets the thread finish the writer and end.
  public func stop(done: @escaping @Sendable () -> Void) {
    let hasEnded = state.withLock { state in
      state.isStopping = true
      if !state.hasEnded { state.waiting.append(done) }
      return state.hasEnded
    }
    if hasEnded { return done() }
    signal.raise()
  }
}

/// Commits only when its owner says so, for tests and simulations: call the writer's
/// `commitPending()` and `deliver(_:)`.
public final class ManualCommitDriver: CommitDriver {
  private let held = Locked<SQLiteWriter?>(nil)

  /// A driver for one store.
  public init() {}

  /// The writer to drive; nil before the store was opened.
  public var writer: SQLiteWriter? { held.withLock { $0 } }

  /// Keeps the writer.
  public func start(_ writer: SQLiteWriter) { held.withLock { $0 = writer } }

  /// Does nothing: the owner decides.
  public func wake() {}

  /// Finishes the writer on the calling thread.
  public func stop(done: @escaping @Sendable () -> Void) {
    writer?.finish()
    held.withLock { $0 = nil }
    done()
  }
}
