private import Glibc

/// A value behind a lock.
///
/// Used instead of `Synchronization.Mutex`, whose lock ThreadSanitizer does not see on Linux, so
/// that each guarded access is reported as a race. It is a class, so closures of tasks may
/// capture it. For adapters and the server's waiter table; everything else uses actors.
@safe
// The state is touched only between lock and unlock of the one mutex, which lives as long as self.
public final class Locked<State>: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private var state: State

  /// Puts `state` behind a new lock.
  public init(_ state: sending State) {
    // Allocated here, so that its address never moves, and freed in deinit.
    unsafe mutex = .allocate(capacity: 1)
    let result = unsafe pthread_mutex_init(mutex, nil)
    precondition(result == 0, "pthread_mutex_init failed")
    self.state = state
  }

  deinit {
    // Nobody holds the lock any more: whoever did also held a reference to self.
    unsafe pthread_mutex_destroy(mutex)
    unsafe mutex.deallocate()
  }

  /// Runs `body` with the lock held. `body` must be short, must not lock again and must not
  /// call out.
  public func withLock<Result, Failure: Error>(
    _ body: (inout sending State) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    // Valid from init to deinit.
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return try body(&state)
  }
}
