public import PaymentStore
import PaymentModels
import SQLiteConnection
import SystemRuntime

// The connection is touched only in commitPending and finish, and isCommitting, which is set and
// cleared under the queue's lock, keeps those apart.
/// The one writer of a store: takes all bodies that have queued up, runs each inside one
/// transaction so that it can be undone alone, and makes them durable by one sync of the disk.
///
/// It is passive. A ``CommitDriver`` calls ``commitPending()`` and then ``deliver(_:)``, one after
/// the other and never two at once; between the two calls the bodies are on disk and nobody has
/// been told, which is where a test may crash it.
public final class SQLiteWriter: @unchecked Sendable {
  /// Bodies that may wait: half a second of work at the highest rate measured. More wait at their
  /// callers, who get `busy` and come back.
  public static let maxPending = 4_096
  /// Bodies in one transaction, so that the first of them does not wait for ever longer ones.
  public static let maxBatch = 1_024

  /// Tells a caller what came of its body.
  typealias Answer = @Sendable () -> Void

  /// A body whose caller waits.
  struct Job: Sendable {
    /// Runs the body and gives what answers its caller once it is durable.
    let run: @Sendable (SQLiteTransaction) throws -> Answer
    /// Answers the caller of a body of which nothing stays.
    let fail: @Sendable (any Error) -> Void
  }

  /// What is on disk, or was refused, and not yet told.
  public struct Acks: ~Copyable, Sendable {
    fileprivate var answers: [Answer] = []
    /// What the bodies on disk touched.
    public fileprivate(set) var changes = CommittedChanges(orders: [], payments: [])

    /// Callers to be told; 0 if nothing was waiting.
    public var count: Int { answers.count }
  }

  private struct Queue {
    var jobs: [Job] = []
    /// Callers who want the WAL emptied.
    var checkpoints: [@Sendable (StoreError?) -> Void] = []
    var isClosed = false
    var isCommitting = false
    var pageLimit: Int64?
  }

  private let queue = Locked(Queue())
  private let database: SQLiteDatabase
  private let onCommit: CommitObserver?

  init(_ database: sending SQLiteDatabase, onCommit: CommitObserver?) {
    self.database = database
    self.onCommit = onCommit
  }

  /// Bodies waiting for a commit.
  public var pendingCount: Int { queue.withLock { $0.jobs.count } }

  /// Queues a body, or says why not.
  func enqueue(_ job: Job) -> StoreError? {
    queue.withLock { queue in
      if queue.isClosed { return StoreError(.unusable, "the store is closed") }
      guard queue.jobs.count < Self.maxPending else {
        return StoreError(.busy, "too many writes are waiting")
      }
      queue.jobs.append(job)
      return nil
    }
  }

  /// Has the WAL emptied after the next commit, or says why not.
  func enqueue(checkpoint answer: @escaping @Sendable (StoreError?) -> Void) -> StoreError? {
    queue.withLock { queue in
      if queue.isClosed { return StoreError(.unusable, "the store is closed") }
      queue.checkpoints.append(answer)
      return nil
    }
  }

  /// Commits what is waiting, at most ``maxBatch`` bodies. Blocks for a sync of the disk, and up
  /// to the busy timeout if another process holds the write lock.
  public func commitPending() -> Acks {
    let (batch, checkpoints, pageLimit) = queue.withLock { queue in
      precondition(!queue.isCommitting, "two drivers drive one writer")
      queue.isCommitting = true
      let batch = Array(queue.jobs.prefix(Self.maxBatch))
      queue.jobs.removeFirst(batch.count)
      defer {
        queue.pageLimit = nil
        queue.checkpoints = []
      }
      return (batch, queue.checkpoints, queue.pageLimit)
    }
    defer { queue.withLock { $0.isCommitting = false } }
    if let pageLimit { apply(pageLimit) }
    var acks = batch.isEmpty ? Acks() : commit(batch)
    if !checkpoints.isEmpty {
      let error = checkpointError()
      acks.answers += checkpoints.map { answer in { answer(error) } }
    }
    return acks
  }

  /// Empties the WAL; nil if all of it was moved into the file.
  private func checkpointError() -> StoreError? {
    do {
      return try database.checkpoint() ? nil : StoreError(.busy, "a reader sees old rows")
    } catch {
      return StoreError(error)
    }
  }

  /// Tells the observer and then each caller.
  public func deliver(_ acks: consuming Acks) {
    if !acks.changes.isEmpty { onCommit?(acks.changes) }
    for answer in acks.answers { answer() }
  }

  /// Takes no more bodies.
  func refuseMore() { queue.withLock { $0.isClosed = true } }

  /// Commits and delivers what still waits, empties the WAL and closes the file. A driver calls it
  /// last, where it called the rest.
  public func finish() {
    refuseMore()
    while pendingCount > 0 { deliver(commitPending()) }
    deliver(commitPending())
    // Best effort: an unfinished checkpoint is done by whoever opens the file next.
    _ = try? database.checkpoint()
    database.close()
  }

  /// Makes the file refuse to grow past `limit` pages, from the next commit on: a full disk for
  /// tests and simulations.
  package func limitPages(to limit: Int64) { queue.withLock { $0.pageLimit = limit } }

  private func apply(_ pageLimit: Int64) {
    // A connection that refuses the limit refuses the commit that follows, too.
    _ = try? database.run("PRAGMA max_page_count = \(pageLimit)")
  }

  // MARK: One batch

  private func commit(_ batch: [Job]) -> Acks {
    var acks = Acks()
    var orders: Set<OrderID> = []
    var payments: Set<PaymentID> = []
    var culprit: (index: Int, error: StoreError)?
    do throws(StoreError) {
      try mapped { () throws(SQLiteError) in try database.beginWrite() }
      for (index, job) in batch.enumerated() {
        let transaction = SQLiteTransaction(database, mayWrite: true)
        acks.answers.append(answer(job, in: transaction))
        if let error = transaction.endedBy {
          culprit = (index, error)
          throw Self.batchLost(by: error)
        }
        orders.formUnion(transaction.touched.orders)
        payments.formUnion(transaction.touched.payments)
      }
      try mapped { () throws(SQLiteError) in try database.commit() }
      acks.changes = CommittedChanges(orders: orders, payments: payments)
    } catch {
      database.rollback()
      // Whatever a body found or refused may have rested on a row of this batch, now gone.
      acks.answers = batch.enumerated().map { [culprit] index, job in
        { job.fail(index == culprit?.index ? culprit?.error ?? error : error) }
      }
    }
    return acks
  }

  /// Runs one body, so that its failure undoes it alone, and gives what answers its caller.
  private func answer(_ job: Job, in transaction: SQLiteTransaction) -> Answer {
    defer { transaction.close() }
    do {
      return try transaction.whole { try job.run(transaction) }
    } catch {
      transaction.forgetTouched()
      return { job.fail(error) }
    }
  }

  /// What a batch hears whose transaction SQLite ended at one body's error. Only a trouble of the
  /// file is everybody's; after anything else the others may try again at once.
  private static func batchLost(by error: StoreError) -> StoreError {
    switch error.kind {
    case .full, .readOnly, .unusable: error
    case .busy, .duplicate, .stale, .missing, .constraint:
      StoreError(.busy, "an error of another write ended the transaction")
    }
  }

  private func mapped(_ body: () throws(SQLiteError) -> Void) throws(StoreError) {
    do {
      try body()
    } catch {
      throw StoreError(error)
    }
  }
}
