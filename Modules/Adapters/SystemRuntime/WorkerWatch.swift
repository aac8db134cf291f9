public import KitEnvironment

/// Notes when each worker last began a turn. Workers tell it through `KitEnvironment.beat`.
public final class WorkerWatch: Sendable {
  private let clock: KitClock
  private let turns: Locked<[(worker: Worker, uptime: Duration)]>

  /// Expects these workers from now on.
  public init(_ workers: [Worker], clock: KitClock) {
    self.clock = clock
    let now = clock.uptime()
    turns = Locked(workers.map { ($0, now) })
  }

  /// A worker begins a turn; one that is not expected is none to be missed.
  public func beat(_ worker: Worker) {
    let now = clock.uptime()
    turns.withLock { turns in
      guard let index = turns.firstIndex(where: { $0.worker == worker }) else { return }
      turns[index].uptime = now
    }
  }

  /// How long each worker has been silent, in the order in which they were named.
  public var silences: [WorkerSilence] {
    let now = clock.uptime()
    return turns.withLock { turns in
      turns.map { WorkerSilence(worker: $0.worker, duration: now - $0.uptime) }
    }
  }
}
