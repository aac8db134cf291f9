private import Glibc
public import KitEnvironment
public import PaymentModels

extension KitClock {
  /// The clock of this machine. Each call starts one timer thread, which ends with the last copy
  /// of the clock, so a process makes one and hands it on.
  ///
  /// A cancelled wait leaves nothing behind, which `Task.sleep` does not keep: there a cancelled
  /// sleep holds its memory until the time would have been over.
  public static func system() -> KitClock {
    let timer = SystemTimer()
    return KitClock(
      now: systemNow, uptime: systemUptime, sleep: { try await timer.sleep(for: $0) })
  }
}

/// Wall time of this machine (`CLOCK_REALTIME`).
public func systemNow() -> Instant {
  Instant(milliseconds: read(CLOCK_REALTIME).wholeMilliseconds)
}

/// Time since the machine started (`CLOCK_MONOTONIC`), which nobody can set.
public func systemUptime() -> Duration {
  read(CLOCK_MONOTONIC)
}

private func read(_ clock: clockid_t) -> Duration {
  var time = timespec()
  // The kernel fills the local variable; it cannot fail for these two clocks.
  unsafe clock_gettime(clock, &time)
  return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}

/// Sleeping tasks in one heap, woken by one thread.
final class SystemTimer: Sendable {
  private struct State {
    var heap = TimerHeap<CheckedContinuation<Void, any Error>>()
    var nextID: UInt64 = 0
    var isStopped = false
  }

  private let state: Locked<State>
  private let signal: WakeSignal

  init() {
    let state = Locked(State())
    let signal = WakeSignal()
    self.state = state
    self.signal = signal
    startThread(named: "till-timer") { SystemTimer.run(state, signal) }
  }

  deinit {
    state.withLock { $0.isStopped = true }
    signal.raise()
  }

  /// How many tasks sleep.
  var sleeperCount: Int { state.withLock { $0.heap.count } }

  func sleep(for duration: Duration) async throws {
    let due = systemUptime() + duration
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let (isCancelled, isFirst) = state.withLock { state in
          // onCancel may have run already and found nothing to remove.
          if Task.isCancelled { return (true, false) }
          let isFirst = state.heap.firstDue.map { due < $0 } ?? true
          state.heap.insert(.init(due: due, id: id, payload: continuation))
          return (false, isFirst)
        }
        if isCancelled { continuation.resume(throwing: CancellationError()) }
        if isFirst { signal.raise() }
      }
    } onCancel: {
      let continuation = state.withLock { $0.heap.remove(id) }
      continuation?.resume(throwing: CancellationError())
    }
  }

  private static func run(_ state: Locked<State>, _ signal: WakeSignal) {
    while true {
      let now = systemUptime()
      let (due, next, isStopped) = state.withLock { state in
        var due: [CheckedContinuation<Void, any Error>] = []
        while let continuation = state.heap.popDue(at: now) { due.append(continuation) }
        return (due, state.heap.firstDue, state.isStopped)
      }
      for continuation in due { continuation.resume() }
      if isStopped { return }
      signal.wait(until: next)
    }
  }
}
