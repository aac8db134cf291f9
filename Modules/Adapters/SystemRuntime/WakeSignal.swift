private import Glibc

/// Wakes one waiting thread. A signal raised while nobody waits is kept, and several raised ones
/// count as one, so the waiter must look at its whole queue each time.
@safe
// isRaised is touched only under the mutex; mutex and condition live as long as self.
public final class WakeSignal: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>
  private var isRaised = false

  /// A signal that is not raised.
  public init() {
    // Allocated here, so that their addresses never move, and freed in deinit.
    unsafe mutex = .allocate(capacity: 1)
    unsafe condition = .allocate(capacity: 1)
    var attributes = pthread_condattr_t()
    unsafe pthread_condattr_init(&attributes)
    // Waits are measured by the clock that nobody sets.
    unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    let results = unsafe (
      pthread_mutex_init(mutex, nil), pthread_cond_init(condition, &attributes)
    )
    unsafe pthread_condattr_destroy(&attributes)
    precondition(results == (0, 0), "no lock can be made")
  }

  deinit {
    // Nobody waits any more: whoever does also holds a reference to self.
    unsafe pthread_cond_destroy(condition)
    unsafe pthread_mutex_destroy(mutex)
    unsafe condition.deallocate()
    unsafe mutex.deallocate()
  }

  /// Wakes the waiting thread, or the next one to wait.
  public func raise() {
    // Valid from init to deinit, as in wait.
    unsafe pthread_mutex_lock(mutex)
    isRaised = true
    unsafe pthread_cond_signal(condition)
    unsafe pthread_mutex_unlock(mutex)
  }

  /// Blocks the thread until the signal is raised, then lowers it; nil waits without end.
  ///
  /// - Parameter uptime: give up at this reading of ``systemUptime()``.
  public func wait(until uptime: Duration? = nil) {
    // Valid from init to deinit. The waits give the mutex up and take it again.
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    while !isRaised {
      guard let uptime else {
        unsafe pthread_cond_wait(condition, mutex)
        continue
      }
      var deadline = timespec(clamping: uptime)
      if unsafe pthread_cond_timedwait(condition, mutex, &deadline) == ETIMEDOUT { return }
    }
    isRaised = false
  }
}

extension timespec {
  /// The duration since the start of the clock, kept within what the kernel takes.
  fileprivate init(clamping duration: Duration) {
    let (seconds, attoseconds) = max(.zero, duration).components
    self.init(
      tv_sec: Int(min(seconds, 1 << 40)), tv_nsec: Int(attoseconds / 1_000_000_000))
  }
}
