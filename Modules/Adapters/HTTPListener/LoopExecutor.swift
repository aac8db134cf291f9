/// Runs handlers on the loop's thread, from their first step to their last.
///
/// A handler that computes for moments alone then wakes no other thread and waits for none: what
/// it would do there takes less time than the way there and back.
final class LoopExecutor: TaskExecutor {
  private let mailbox: Mailbox

  init(_ mailbox: Mailbox) { self.mailbox = mailbox }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    if !mailbox.run(job) { Self.runElsewhere(job) }
  }

  /// A handler that outlives the loop ends on any thread.
  static func runElsewhere(_ job: UnownedJob) { globalConcurrentExecutor.enqueue(job) }

  func asUnownedTaskExecutor() -> UnownedTaskExecutor {
    // Every task that prefers it holds it.
    unsafe UnownedTaskExecutor(ordinary: self)
  }
}
