/// Runs the jobs of one life of one party on the world's scheduler.
///
/// A party that crashes leaves its executor dead: what was ready is dropped, what becomes ready is
/// dropped too, timers do not fire. Each life gets an executor of its own, and no two parties share
/// an actor: one that was left locked by a dropped job would hang the other.
// Its state changes only through a scheduler that traps off its thread.
final class SeededExecutor: TaskExecutor, @unchecked Sendable {
  private let scheduler: Scheduler
  private(set) var isAlive = true
  private var crash: (jobs: Int, action: () -> Void)?

  init(_ scheduler: Scheduler) { self.scheduler = scheduler }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    scheduler.assertHere()
    guard isAlive else { return }
    scheduler.enqueue(job, of: self)
  }

  func asUnownedTaskExecutor() -> UnownedTaskExecutor {
    // A party keeps its executors until the world ends, and with it every task.
    unsafe UnownedTaskExecutor(ordinary: self)
  }

  /// Ends this life: nothing of it ever runs again.
  func kill() {
    scheduler.assertHere()
    isAlive = false
    crash = nil
    scheduler.drop(self)
  }

  /// Does `action` once so many more jobs of this life have run, so that a crash may fall between
  /// any two of them.
  func crash(afterJobs jobs: Int, _ action: @escaping () -> Void) {
    crash = (jobs, action)
  }

  /// Takes back a crash that has not come.
  func crashesNoMore() { crash = nil }

  func ranJob() {
    guard let due = crash else { return }
    if due.jobs > 1 {
      crash?.jobs -= 1
    } else {
      crash = nil
      due.action()
    }
  }
}
