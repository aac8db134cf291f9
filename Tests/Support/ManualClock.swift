public import KitEnvironment
public import PaymentModels
import SystemRuntime

/// A clock that stands still until a test moves it.
public final class ManualClock: Sendable {
  private struct Sleeper {
    let due: Duration
    let order: UInt64
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var wall: Instant
    var uptime: Duration = .zero
    var sleepers: [UInt64: Sleeper] = [:]
    var cancelled: Set<UInt64> = []
    var nextOrder: UInt64 = 0
    var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state: Locked<State>

  /// A clock at `start`; 2026-09-21T15:33:20Z unless told.
  public init(start: Instant = Instant(milliseconds: 1_790_000_000_000)) {
    state = Locked(State(wall: start))
  }

  /// The clock in the form that the kit takes.
  public var clock: KitClock {
    KitClock(
      now: { self.now }, uptime: { self.state.withLock { $0.uptime } },
      sleep: { try await self.sleep($0) })
  }

  /// The present wall time.
  public var now: Instant { state.withLock { $0.wall } }

  /// How many tasks wait on this clock.
  public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

  /// Moves wall time and uptime forward and wakes, in order of their due time, those whose wait
  /// is over.
  public func advance(by duration: Duration) {
    let due = state.withLock { state -> [Sleeper] in
      state.wall = state.wall + duration
      state.uptime += duration
      let due = state.sleepers.filter { $0.value.due <= state.uptime }
      for id in due.keys { state.sleepers[id] = nil }
      return due.values.sorted { ($0.due, $0.order) < ($1.due, $1.order) }
    }
    for sleeper in due { sleeper.continuation.resume() }
  }

  /// Sets wall time alone, as an operator or NTP does; waits are not touched.
  public func setWall(_ instant: Instant) {
    state.withLock { $0.wall = instant }
  }

  /// Returns once at least `count` tasks wait on this clock.
  public func untilSleepers(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.sleepers.count >= count { return true }
        state.watchers.append((count, continuation))
        return false
      }
      if isThere { continuation.resume() }
    }
  }

  private func sleep(_ duration: Duration) async throws {
    let id = state.withLock { state in
      state.nextOrder += 1
      return state.nextOrder
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let (isCancelled, woken) = state.withLock { state in
          if state.cancelled.remove(id) != nil {
            return (true, [CheckedContinuation<Void, Never>]())
          }
          state.sleepers[id] = Sleeper(
            due: state.uptime + duration, order: id, continuation: continuation)
          let count = state.sleepers.count
          let woken = state.watchers.filter { $0.count <= count }.map(\.continuation)
          state.watchers.removeAll { $0.count <= count }
          return (false, woken)
        }
        for watcher in woken { watcher.resume() }
        if isCancelled { continuation.resume(throwing: CancellationError()) }
      }
    } onCancel: {
      let sleeper = state.withLock { state -> Sleeper? in
        if let sleeper = state.sleepers.removeValue(forKey: id) { return sleeper }
        state.cancelled.insert(id)
        return nil
      }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }
}
