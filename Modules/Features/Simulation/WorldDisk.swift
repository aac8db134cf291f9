import CheckoutLifecycle
import CheckoutSession
import KitEnvironment
import PaymentStore

/// The way from one life of a process to its disk, which outlives it.
///
/// Work at the disk runs on an executor that never dies, so a crash leaves no store locked. What
/// was not begun when the process died is not done; what was committed stays, though nobody hears
/// of it: a crash falls before the commit, or between commit and answer.
struct DiskPath: Sendable {
  let process: Party
  let life: SeededExecutor
  let disk: Party

  init(from process: Party, to disk: Party) {
    self.process = process
    life = process.executor
    self.disk = disk
  }

  struct ProcessIsGone: Error {}

  func checkAlive() throws {
    if !life.isAlive { throw ProcessIsGone() }
  }

  /// Changes something at the disk and waits until it is kept.
  func change<Value: Sendable>(
    _ storage: WorldStorage? = nil, _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    try await visit {
      do {
        let value = try await work()
        // A disk that answers late.
        let wait = storage?.syncTime ?? (isBusy ? Self.busyTime : .zero)
        if wait > .zero { try? await disk.environment.clock.sleep(for: wait) }
        // What the crashes are for, so the trace says that it was reached.
        if !life.isAlive { process.dies("between its commit and the answer") }
        return value
      } catch let gone as ProcessIsGone {
        process.dies("before its commit")
        throw gone
      }
    }
  }

  /// Does `work` at the disk and waits for its end.
  func visit<Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let answer = Answer<Result<Value, any Error>>()
    let wait = process.scheduler.waiting("\(process.name) awaits its disk", of: life)
    disk.start {
      let clock = disk.environment.clock
      // A disk that is busy.
      if isBusy { try? await clock.sleep(for: Self.busyTime) }
      let result: Result<Value, any Error>
      do {
        result = .success(try await work())
      } catch {
        result = .failure(error)
      }
      answer.give(result)
    }
    let result = await answer.wait()
    process.scheduler.waited(wait)
    return try result.get()
  }
}

extension DiskPath {
  /// Does something at the disk that takes no task there, and waits for its end: a disk in memory
  /// is asked a hundred thousand times in the time of a world.
  ///
  /// - Parameter storage: whose syncs are waited for afterwards; nil if nothing was changed.
  fileprivate func step<Value: Sendable>(
    syncing storage: WorldStorage? = nil, _ work: @escaping () throws -> Value
  ) async throws -> Value {
    let scheduler = process.scheduler
    let answer = Answer<Result<Value, any Error>>()
    let wait = scheduler.waiting("\(process.name) awaits its disk", of: life)
    func answers() {
      let result = Result { try work() }
      guard let storage else {
        answer.give(result)
        return
      }
      if case .failure(let error) = result, error is ProcessIsGone {
        process.dies("before its commit")
      }
      scheduler.after(storage.syncTime) {
        if case .success = result, !life.isAlive {
          process.dies("between its commit and the answer")
        }
        answer.give(result)
      }
    }
    if isBusy {
      scheduler.after(Self.busyTime) { answers() }
    } else {
      scheduler.enqueue(answers, of: disk.executor)
    }
    let result = await answer.wait()
    scheduler.waited(wait)
    return try result.get()
  }

  /// Whether the disk does something else first, for so long.
  fileprivate var isBusy: Bool { disk.random.below(8) == 0 }
  fileprivate static let busyTime: Duration = .milliseconds(20)
}

/// The server's store as one life of the server reaches it.
struct ServerDisk: PaymentStore {
  let path: DiskPath
  let storage: WorldStorage

  func write<Result: Sendable>(
    _ body: @escaping @Sendable (any PaymentTransaction) throws -> Result
  ) async throws -> Result {
    guard storage.isFile else {
      return try await path.step(syncing: storage) {
        try path.checkAlive()
        return try storage.writeMemory(body)
      }
    }
    return try await path.change(storage) {
      do {
        return try await storage.store.write { transaction in
          try path.checkAlive()
          return try body(transaction)
        }
      } catch let error as StoreError where error.kind == .full {
        storage.coverage.reach(.fault, "full disk")
        throw error
      }
    }
  }

  func read<Result: Sendable>(
    _ body: @escaping @Sendable (any PaymentTransaction) throws -> Result
  ) async throws -> Result {
    guard storage.isFile else {
      return try await path.step {
        try path.checkAlive()
        return try storage.readMemory(body)
      }
    }
    return try await path.visit {
      try await storage.store.read { transaction in
        try path.checkAlive()
        return try body(transaction)
      }
    }
  }

  func checkpoint() async throws {
    if storage.isFile { try await path.visit { try await storage.store.checkpoint() } }
  }
}

/// The phone's store as one life of the app reaches it.
struct PhoneDisk: DeviceStore {
  let path: DiskPath
  let inner: InMemoryDeviceStore

  func save(_ record: CheckoutRecord) async throws {
    try await path.change {
      try path.checkAlive()
      await inner.save(record)
    }
  }

  func load(_ key: CheckoutKey) async throws -> CheckoutRecord? {
    try await path.visit { try await inner.load(key) }
  }

  func all() async throws -> [CheckoutRecord] {
    try await path.visit { try await inner.all() }
  }

  func remove(_ key: CheckoutKey) async throws {
    try await path.change {
      try path.checkAlive()
      await inner.remove(key)
    }
  }
}
