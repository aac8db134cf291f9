import KitEnvironment
import MerchantServer
import PaymentStore
import SQLitePaymentStore

/// The disk of the server with the store on it. It outlives the server's crashes.
///
/// In most worlds the store is in memory. In the others it is the production store on a scratch
/// file, whose commits are events of the world: on disk first, told later, so that a crash falls
/// between.
// Reached only from jobs and timers of the world, so on its one thread.
final class WorldStorage: @unchecked Sendable {
  let disk: Party
  let coverage: WorldCoverage
  /// Those of the server's present life.
  var waiters: WaiterTable?
  /// Told of every commit.
  var onCommit: () -> Void = {}
  /// The longest that one sync of the disk takes; nil if the disk is as fast as disks are.
  var slowMs: Int?
  private(set) var isFull = false
  /// The production store on its scratch file; in most worlds there is none.
  private var file: SQLitePaymentStore?
  private var memory = InMemoryBook()
  private let commits: WorldCommits?

  /// - Parameter path: where the scratch file is to be; nil keeps the store in memory.
  init(_ disk: Party, path: String?, coverage: WorldCoverage) {
    self.disk = disk
    self.coverage = coverage
    commits = path.map { _ in WorldCommits(disk) }
    let onCommit: CommitObserver = { changes in
      disk.scheduler.assertHere()
      self.waiters?.committed(changes)
      self.onCommit()
    }
    guard let path, let commits else {
      memory = InMemoryBook(onCommit: onCommit)
      return
    }
    coverage.reach(.recovery, "a world on SQLite")
    commits.storage = self
    do {
      file = try SQLitePaymentStore.open(path: path, driver: commits, onCommit: onCommit)
    } catch {
      preconditionFailure("the scratch store cannot be opened: \(error)")
    }
  }

  /// How long the disk takes for one sync now.
  var syncTime: Duration {
    guard let slowMs else { return .milliseconds(disk.random.below(8) == 0 ? 20 : 0) }
    coverage.reach(.fault, "slow disk")
    return .milliseconds(1 + disk.random.below(UInt64(slowMs)))
  }

  /// The disk takes nothing more, or takes it again.
  func setFull(_ isFull: Bool) {
    self.isFull = isFull
    disk.note(isFull ? "is full" : "has room again")
    // SQLite itself keeps what it has and refuses to grow.
    commits?.writer?.limitPages(to: isFull ? 1 : Int64(Int32.max))
  }

  // MARK: The store

  /// Whether the store is on a scratch file.
  var isFile: Bool { file != nil }

  /// The store on its file; asked only where ``isFile``.
  var store: any PaymentStore {
    guard let file else { preconditionFailure("this world has its store in memory") }
    return file
  }

  func writeMemory<Result>(
    _ body: (any PaymentTransaction) throws -> Result
  ) throws -> Result {
    // A full disk that has no file to tell it so.
    if isFull, disk.random.below(4) != 0 {
      coverage.reach(.fault, "full disk")
      throw StoreError(.full, "the disk is full")
    }
    return try memory.write(body)
  }

  func readMemory<Result>(
    _ body: (any PaymentTransaction) throws -> Result
  ) throws -> Result {
    try memory.read(body)
  }

  /// Reads past all of the server, whether it lives or not.
  func inspect<Result: Sendable>(
    _ body: @escaping @Sendable (any PaymentTransaction) throws -> Result
  ) async throws -> Result {
    guard let file else { return try memory.read(body) }
    return try await file.read(body)
  }

  /// Closes the store's file, if it has one, and forgets what is in the store.
  func close() async {
    await file?.close()
    memory = InMemoryBook()
  }
}

/// Commits of a store as events of a world.
// Reached only on the world's thread: the scheduler checks it.
private final class WorldCommits: CommitDriver, @unchecked Sendable {
  private(set) var writer: SQLiteWriter?
  weak var storage: WorldStorage?
  private let disk: Party
  private var isUnderWay = false
  /// On disk and not yet told.
  private var untold: Held?

  /// A value that is moved out once.
  private final class Held {
    private var acks: SQLiteWriter.Acks?
    init(_ acks: consuming SQLiteWriter.Acks) { self.acks = consume acks }
    func take() -> SQLiteWriter.Acks? { acks.take() }
  }

  init(_ disk: Party) { self.disk = disk }

  func start(_ writer: SQLiteWriter) { self.writer = writer }

  func wake() {
    disk.scheduler.assertHere()
    guard !isUnderWay, let writer, let storage else { return }
    isUnderWay = true
    let half = storage.syncTime / 2
    disk.scheduler.after(half) {
      // The world has ended meanwhile.
      guard self.writer != nil else { return }
      self.untold = Held(writer.commitPending())
      self.disk.scheduler.after(half) {
        self.tell(writer)
        self.isUnderWay = false
        if writer.pendingCount > 0 { self.wake() }
      }
    }
  }

  private func tell(_ writer: SQLiteWriter) {
    if let acks = untold?.take() { writer.deliver(acks) }
    untold = nil
  }

  func stop(done: @escaping @Sendable () -> Void) {
    if let writer {
      // Whoever waits is told now: no timer of a world that has ended runs any more.
      tell(writer)
      writer.finish()
    }
    writer = nil
    done()
  }
}
