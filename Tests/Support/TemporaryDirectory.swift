import SystemRuntime

/// Runs `body` with a new empty directory, which is removed with all that is in it afterwards.
public func withTemporaryDirectory<Result>(
  _ body: (String) async throws -> Result
) async throws -> Result {
  // The runner's own folder where it has one: what an exit test leaves behind goes with it.
  let parent = ProcessFacts.environment()["TMPDIR"] ?? "/tmp"
  let path = try Files.makeTemporaryDirectory(prefix: "till-test", in: parent)
  do {
    let result = try await body(path)
    try Files.removeTree(path)
    return result
  } catch {
    try Files.removeTree(path)
    throw error
  }
}

/// Runs work that blocks on a thread of its own, as the two threads of the task pool must not.
public func blocking<Result: Sendable>(
  _ body: @escaping @Sendable () throws -> Result
) async throws -> Result {
  try await withCheckedThrowingContinuation { continuation in
    startThread(named: "till-test") {
      continuation.resume(with: Swift.Result { try body() })
    }
  }
}
