public import PaymentStore
import SystemRuntime

/// A store that fails when a test says so; a write that fails has changed nothing.
public final class FaultyStore: PaymentStore {
  private struct State {
    var writesUntilFault: Int?
    var writeError: StoreError?
    var readError: StoreError?
  }

  private let inner: any PaymentStore
  private let state = Locked(State())

  /// Works as `inner` does until told otherwise.
  public init(_ inner: any PaymentStore) { self.inner = inner }

  /// Every write fails with `error` from now on; nil: no more.
  public func failWrites(_ error: StoreError?) { state.withLock { $0.writeError = error } }

  /// Every read fails with `error` from now on; nil: no more.
  public func failReads(_ error: StoreError?) { state.withLock { $0.readError = error } }

  /// The write after `count` good ones fails, once, after its body has run.
  public func failOneWrite(after count: Int) { state.withLock { $0.writesUntilFault = count } }

  /// Runs `body` in the inner store and undoes it if a fault is due.
  public func write<Result: Sendable>(
    _ body: @escaping @Sendable (any PaymentTransaction) throws -> Result
  ) async throws -> Result {
    let fault = state.withLock { state -> StoreError? in
      if let error = state.writeError { return error }
      guard let count = state.writesUntilFault else { return nil }
      state.writesUntilFault = count == 0 ? nil : count - 1
      return count == 0 ? StoreError(.busy, "as the test wants it") : nil
    }
    return try await inner.write { transaction in
      let result = try body(transaction)
      if let fault { throw fault }
      return result
    }
  }

  /// Runs `body` in the inner store unless a fault is due.
  public func read<Result: Sendable>(
    _ body: @escaping @Sendable (any PaymentTransaction) throws -> Result
  ) async throws -> Result {
    if let error = state.withLock({ $0.readError }) { throw error }
    return try await inner.read(body)
  }

  /// That of the inner store.
  public func checkpoint() async throws { try await inner.checkpoint() }
}
