private import CTillSockets
private import Glibc

/// Starts a thread of its own for work that blocks, which must never sit on a thread of the
/// task pool. The thread ends when `body` returns; nobody joins it.
///
/// - Parameter name: shown by `top` and debuggers; the kernel keeps 15 bytes.
public func startThread(named name: StaticString, _ body: @escaping @Sendable () -> Void) {
  let box = ThreadBody(name: name, body: body)
  var attributes = pthread_attr_t()
  // A local variable, initialised here and destroyed at the end.
  unsafe pthread_attr_init(&attributes)
  defer { unsafe pthread_attr_destroy(&attributes) }
  unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
  var thread = pthread_t()
  // Retained here, released by the one thread that takes it.
  let context = unsafe Unmanaged.passRetained(box).toOpaque()
  let result = unsafe pthread_create(&thread, &attributes, runThreadBody, context)
  precondition(result == 0, "no thread can be started")
}

private final class ThreadBody: Sendable {
  let name: StaticString
  let body: @Sendable () -> Void

  init(name: StaticString, body: @escaping @Sendable () -> Void) {
    self.name = name
    self.body = body
  }
}

private func runThreadBody(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  // The pointer is the box that startThread retained for this call.
  guard let context = unsafe context else { return nil }
  let box = unsafe Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue()
  unsafe "\(box.name)".withCString { name in unsafe till_name_thread(name) }
  box.body()
  return nil
}

/// One thread of this process, to be compared with the one that runs now: for code that belongs to
/// one thread and has to notice when another one comes by.
public struct ThreadIdentity: Sendable {
  private let handle: pthread_t

  /// The thread that asks.
  public static var current: ThreadIdentity { ThreadIdentity(handle: pthread_self()) }

  /// Whether the thread that asks is this one.
  public var isCurrent: Bool { pthread_equal(handle, pthread_self()) != 0 }
}
