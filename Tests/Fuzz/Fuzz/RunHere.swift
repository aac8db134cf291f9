/// Runs asynchronous work to its end on this thread.
///
/// Nothing that is fuzzed waits for a clock or another thread, so whatever is left when no job is
/// ready waits for ever: that is a finding too.
func runHere(_ work: @escaping @Sendable () async -> Void) {
  let executor = InlineExecutor()
  let ending = Ending()
  Task.detached(executorPreference: executor) {
    await work()
    ending.hasCome = true
  }
  executor.runAll()
  precondition(ending.hasCome, "nothing waits for ever")
}

// Written by the task and read behind it, both on the one thread that runs the executor's jobs.
private final class Ending: @unchecked Sendable {
  var hasCome = false
}

// All of its jobs are made and run on the thread that calls runAll, since none of them leaves it.
private final class InlineExecutor: TaskExecutor, @unchecked Sendable {
  private var ready: [UnownedJob] = []

  func enqueue(_ job: consuming ExecutorJob) { ready.append(UnownedJob(job)) }

  func asUnownedTaskExecutor() -> UnownedTaskExecutor {
    // It lives until runAll has returned, and with it every task.
    unsafe UnownedTaskExecutor(ordinary: self)
  }

  func runAll() {
    while !ready.isEmpty {
      // Each job is run once, by this executor.
      unsafe ready.removeFirst().runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}
