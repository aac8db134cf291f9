import KitEnvironment
import SystemRuntime

/// The one scheduler of a world: ready jobs of all parties, timers in virtual time, and a seed that
/// picks which job is next. It lives on one thread and traps when it is reached from another, since
/// then something has left the world.
// Every member is reached through assertHere() or from the loop itself, so on one thread.
final class Scheduler: @unchecked Sendable {
  /// How a run of the loop came to its end.
  enum Ending: Hashable, Sendable {
    case done
    /// Nothing is ready and nothing will be: everybody waits for somebody.
    case stalled
    /// More jobs than ``jobsMax``, or more timers.
    case exhausted
  }

  /// A world of half an hour runs about 20,000 jobs; one that runs so many turns in circles.
  static let jobsMax = 2_000_000

  /// What a party is ready to do: a job of a task, or a step that needs none.
  private struct Ready {
    enum Work {
      case job(UnownedJob)
      case step(() -> Void)
    }

    let work: Work
    let executor: SeededExecutor
  }

  private let thread = ThreadIdentity.current
  private var words: SeededWords
  private var ready: [Ready] = []
  private var timers = TimerQueue()
  private var waits: [UInt64: (who: SeededExecutor, what: String)] = [:]
  private var nextWait: UInt64 = 0
  private var fired = 0
  private(set) var now: Duration = .zero
  private(set) var trace: WorldTrace
  /// What the world has reached.
  let coverage = WorldCoverage()

  /// - Parameter keepsLines: whether the trace keeps what was noted, beside its hash.
  init(seed: UInt64, keepsLines: Bool = true) {
    trace = WorldTrace(keepsLines: keepsLines)
    words = SeededWords(seed: seed, name: "scheduler")
  }

  func assertHere() {
    precondition(thread.isCurrent, "a world was reached from a thread that is not its own")
  }

  func enqueue(_ job: UnownedJob, of executor: SeededExecutor) {
    assertHere()
    ready.append(Ready(work: .job(job), executor: executor))
  }

  /// Has `executor` do something among what is ready, as if it were a job.
  func enqueue(_ step: @escaping () -> Void, of executor: SeededExecutor) {
    assertHere()
    guard executor.isAlive else { return }
    ready.append(Ready(work: .step(step), executor: executor))
  }

  /// Forgets the jobs of a party that died.
  func drop(_ executor: SeededExecutor) {
    assertHere()
    ready.removeAll { $0.executor === executor }
  }

  /// Does `action` later, unless `owner` has died by then.
  @discardableResult
  func after(
    _ delay: Duration, owner: SeededExecutor? = nil, _ action: @escaping () -> Void
  ) -> TimerQueue.Entry {
    assertHere()
    return timers.add(at: now + max(.zero, delay), owner: owner, action)
  }

  func note(_ who: String, _ what: String) {
    assertHere()
    trace.note(who, what, at: now)
  }

  // MARK: Who waits

  /// Registers somebody who waits, for the list of a stall.
  func waiting(_ what: String, of executor: SeededExecutor) -> UInt64 {
    assertHere()
    nextWait += 1
    waits[nextWait] = (executor, what)
    return nextWait
  }

  func waited(_ wait: UInt64) {
    assertHere()
    waits[wait] = nil
  }

  /// Who waits for what, in the order in which they began.
  var whoWaits: [String] {
    waits.sorted { $0.key < $1.key }.filter { $0.value.who.isAlive }.map(\.value.what)
  }

  // MARK: The loop

  /// Runs one job after another; time moves on only when nothing is ready.
  func run(until isDone: () -> Bool) -> Ending {
    assertHere()
    while !isDone() {
      if !ready.isEmpty {
        guard trace.jobs < Self.jobsMax else { return .exhausted }
        runOne()
      } else if let timer = timers.popFirst() {
        guard fired < Self.jobsMax else { return .exhausted }
        fired += 1
        now = max(now, timer.due)
        timer.fire()
      } else {
        return .stalled
      }
    }
    return .done
  }

  /// Forgets what will never run: a task that a crash left behind is never freed, and what it holds
  /// of the world is to be little.
  func close() {
    assertHere()
    ready = []
    timers = TimerQueue()
    waits = [:]
  }

  private func runOne() {
    let choice = words.below(ready.count)
    trace.ran(choice, of: ready.count)
    ready.swapAt(choice, ready.count - 1)
    let next = ready.removeLast()
    switch next.work {
    // The job was enqueued once and is taken out before it runs, so it runs once.
    case .job(let job): unsafe job.runSynchronously(on: next.executor.asUnownedTaskExecutor())
    case .step(let step): step()
    }
    next.executor.ranJob()
  }
}
