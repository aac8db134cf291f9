import TestSupport

/// Makes a call while `pause` moves time on, again and again until there is a result, so that what
/// waits on the clock can go on.
func result<Result: Sendable>(
  of call: @escaping @Sendable () async throws -> Result,
  whileMoving pause: @escaping @Sendable () async -> Void
) async throws -> Result {
  try await withThrowingTaskGroup(of: Result?.self) { group in
    group.addTask { try await call() }
    group.addTask {
      while !Task.isCancelled { await pause() }
      return nil
    }
    defer { group.cancelAll() }
    while let result = try await group.next() {
      if let result { return result }
    }
    throw Unexpected("the call brought nothing")
  }
}
