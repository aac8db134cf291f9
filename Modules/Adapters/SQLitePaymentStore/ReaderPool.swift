import PaymentStore
import SQLiteConnection
import SystemRuntime

/// Connections for reads, each lent to one caller at a time.
final class ReaderPool: Sendable {
  /// Two for each of the two cores that a small server has, so that a long listing does not stop
  /// the short reads.
  static let size = 4
  /// Reads that may wait for a connection; more get `busy`.
  static let maxWaiting = 4_096

  // The pool hands a reader out to one borrower and to nobody else until it came back.
  private final class Reader: @unchecked Sendable {
    let database: SQLiteDatabase
    init(_ database: sending SQLiteDatabase) { self.database = database }
  }

  private struct State {
    var free: [Reader]
    var waiters: [CheckedContinuation<Reader, any Error>] = []
    var isClosed = false
  }

  private let state: Locked<State>

  init(path: String, busyTimeoutMs: Int32) throws(SQLiteError) {
    var readers: [Reader] = []
    for _ in 0..<Self.size {
      let database = try SQLiteDatabase(
        path: path, access: .readOnly, busyTimeoutMs: busyTimeoutMs)
      readers.append(Reader(database))
    }
    state = Locked(State(free: readers))
  }

  /// Runs `body` on one consistent view.
  func read<Result: Sendable>(_ body: (SQLiteDatabase) throws -> Result) async throws -> Result {
    let reader: Reader
    if let free = takeFree() { reader = free } else { reader = try await borrow() }
    defer { giveBack(reader) }
    let database = reader.database
    return try database.read { try body(database) }
  }

  /// Closes what is free now and the rest as it comes back; those who wait are refused.
  func close() {
    let (free, waiters) = state.withLock { state in
      state.isClosed = true
      defer { (state.free, state.waiters) = ([], []) }
      return (state.free, state.waiters)
    }
    for reader in free { reader.database.close() }
    for waiter in waiters { waiter.resume(throwing: Self.closed) }
  }

  private static let closed = StoreError(.unusable, "the store is closed")

  /// A reader at once, if there is one.
  private func takeFree() -> Reader? {
    state.withLock { $0.free.popLast() }
  }

  private func borrow() async throws -> Reader {
    try await withCheckedThrowingContinuation { continuation in
      let now = state.withLock { state -> Swift.Result<Reader, any Error>? in
        if state.isClosed { return .failure(Self.closed) }
        if let reader = state.free.popLast() { return .success(reader) }
        guard state.waiters.count < Self.maxWaiting else {
          return .failure(StoreError(.busy, "too many reads are waiting"))
        }
        state.waiters.append(continuation)
        return nil
      }
      if let now { continuation.resume(with: now) }
    }
  }

  private func giveBack(_ reader: Reader) {
    let (next, isClosed) = state.withLock { state in
      let next = state.waiters.isEmpty ? nil : state.waiters.removeFirst()
      if next == nil, !state.isClosed { state.free.append(reader) }
      return (next, state.isClosed)
    }
    if let next { return next.resume(returning: reader) }
    if isClosed { reader.database.close() }
  }
}
