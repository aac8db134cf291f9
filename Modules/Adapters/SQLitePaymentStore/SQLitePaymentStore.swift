public import PaymentStore
public import SQLiteConnection

/// The merchant's store in one SQLite file: every acknowledged write is on disk.
///
/// Writes of many callers share one sync of the disk; reads run beside them, each on one
/// consistent view. Several stores, also in several processes, may have the same file open.
///
///     let store = try SQLitePaymentStore.open(path: "till.sqlite")
///     try await store.write { try $0.insertOrder(order) }
///     await store.close()
public final class SQLitePaymentStore: PaymentStore {
  private let writer: SQLiteWriter
  private let driver: any CommitDriver
  private let readers: ReaderPool

  private init(_ writer: SQLiteWriter, _ driver: any CommitDriver, _ readers: ReaderPool) {
    self.writer = writer
    self.driver = driver
    self.readers = readers
  }

  deinit {
    // A store that nobody closed still lets its thread end.
    writer.refuseMore()
    driver.stop {}
    readers.close()
  }

  /// Opens the file, creating it or bringing its schema up to date if need be. Blocks for some
  /// milliseconds.
  ///
  /// - Parameters:
  ///   - path: a file in a directory that this process may write.
  ///   - driver: says when to commit; a thread of its own unless told.
  ///   - busyTimeoutMs: how long a commit waits for another process's lock before it is `busy`.
  ///   - onCommit: told what each commit touched, before its writers go on.
  /// - Throws: ``PaymentStore/StoreError``: `unusable` if the file is damaged, no store or newer
  ///   than this program, or cannot be opened; `readOnly`, `full`, `busy`.
  public static func open(
    path: String, driver: any CommitDriver = ThreadCommitDriver(),
    busyTimeoutMs: Int32 = SQLiteDatabase.defaultBusyTimeoutMs, onCommit: CommitObserver? = nil
  ) throws(StoreError) -> SQLitePaymentStore {
    do {
      let database = try SQLiteDatabase(path: path, busyTimeoutMs: busyTimeoutMs)
      try database.migrate(Schema.history)
      let readers = try ReaderPool(path: path, busyTimeoutMs: busyTimeoutMs)
      let writer = SQLiteWriter(database, onCommit: onCommit)
      driver.start(writer)
      return SQLitePaymentStore(writer, driver, readers)
    } catch let error as SQLiteError {
      throw StoreError(error)
    } catch {
      throw StoreError(.unusable, "the store cannot be opened")
    }
  }

  /// Runs `body` on the writer's thread, in the next commit. It is durable when this returns.
  /// Cancelling the caller does not undo it.
  ///
  /// - Throws: what `body` throws, or ``PaymentStore/StoreError``; nothing of it stays then.
  public func write<Result: Sendable>(
    _ body: @escaping @Sendable (any PaymentTransaction) throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      let job = SQLiteWriter.Job(
        run: { transaction in
          let result = try body(transaction)
          return { continuation.resume(returning: result) }
        },
        fail: { continuation.resume(throwing: $0) })
      if let refusal = writer.enqueue(job) { return continuation.resume(throwing: refusal) }
      driver.wake()
    }
  }

  /// Runs `body` on one consistent view that holds every write acknowledged before this call.
  ///
  /// - Throws: what `body` throws, or ``PaymentStore/StoreError``; `readOnly` from a method that
  ///   writes.
  @concurrent
  public func read<Result: Sendable>(
    _ body: @escaping @Sendable (any PaymentTransaction) throws -> Result
  ) async throws -> Result {
    do {
      return try await readers.read { database in
        let transaction = SQLiteTransaction(database, mayWrite: false)
        defer { transaction.close() }
        return try body(transaction)
      }
    } catch let error as SQLiteError {
      throw StoreError(error)
    }
  }

  /// Moves what was committed into the database file and empties the WAL, so that nothing erased is
  /// left in either. The file's own free space is overwritten as it is made.
  ///
  /// - Throws: ``PaymentStore/StoreError``: `busy` if a reader held it up for the busy timeout.
  public func checkpoint() async throws {
    let error: StoreError? = await withCheckedContinuation { continuation in
      if let refusal = writer.enqueue(checkpoint: { continuation.resume(returning: $0) }) {
        return continuation.resume(returning: refusal)
      }
      driver.wake()
    }
    if let error { throw error }
  }

  /// Refuses new work, makes durable and answers what waits, and closes the file. Repeating it is
  /// fine.
  public func close() async {
    writer.refuseMore()
    await withCheckedContinuation { continuation in driver.stop { continuation.resume() } }
    readers.close()
  }
}
