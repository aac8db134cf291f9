import SystemRuntime

/// Runs everything of one test world in turn.
///
/// A world moves its clock once everybody has had a number of turns. On the shared pool those turns
/// depend on what other tests do meanwhile, and time could run ahead of the work; here one turn is
/// a turn of all.
public final class SerialTaskExecutor: TaskExecutor {
  private struct State {
    var ready: [UnownedJob] = []
    var isRunning = false
  }

  private let state = Locked(State())

  /// An executor with nothing to do.
  public init() {}

  /// Runs the job after all that came before, on some thread of the pool.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isIdle = state.withLock { state in
      state.ready.append(job)
      defer { state.isRunning = true }
      return !state.isRunning
    }
    if isIdle { Task.detached { self.runReady() } }
  }

  private func runReady() {
    for _ in 0..<Self.turnsMax {
      guard let job = next() else { return }
      // Taken from the list once, so run once; `self` is kept by the task that runs this.
      unsafe job.runSynchronously(on: asUnownedTaskExecutor())
    }
    Task.detached { self.runReady() }
  }

  /// Jobs in a row before others of the pool have their turn: a world that spins may wait for one
  /// of them.
  private static let turnsMax = 64

  private func next() -> UnownedJob? {
    state.withLock { state in
      guard !state.ready.isEmpty else {
        state.isRunning = false
        return nil
      }
      return state.ready.removeFirst()
    }
  }
}
