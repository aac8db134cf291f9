/// One value that one task waits for. Where that task's life was killed nobody gives it, or nobody
/// takes it: a checked continuation would call that a fault.
@safe
// Reached only on the world's thread; the continuation is taken out before it is resumed.
final class Answer<Value: Sendable>: @unchecked Sendable {
  private(set) var value: Value?
  private var continuation: UnsafeContinuation<Value, Never>?

  /// Waits for the value. Called once.
  func wait() async -> Value {
    if let value { return value }
    // Resumed once, by give(), which takes it out.
    return unsafe await withUnsafeContinuation { unsafe continuation = $0 }
  }

  /// Gives the value; false if there is one.
  @discardableResult
  func give(_ value: Value) -> Bool {
    guard self.value == nil else { return false }
    self.value = value
    // Taken out, so that it is resumed once.
    let waiting = unsafe continuation
    unsafe continuation = nil
    unsafe waiting?.resume(returning: value)
    return true
  }
}
