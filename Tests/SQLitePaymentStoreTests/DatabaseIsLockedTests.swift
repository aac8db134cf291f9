import PaymentModels
import PaymentStore
import SQLiteConnection
import SQLitePaymentStore
import TestSupport
import Testing

@Suite("FB-23 SQLite database is locked")
struct DatabaseIsLockedTests {
  enum Writer: CaseIterable { case holdsTheLock, hasCommitted }

  @Test(arguments: Writer.allCases)
  func `a transaction that reads and then writes is refused at once by SQLite itself`(
    other: Writer
  ) async throws {
    // The fault as it was seen in the field: no store of ours begins like this.
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/raw.sqlite"
      let (reader, writer) = (try SQLiteDatabase(path: path), try SQLiteDatabase(path: path))
      try writer.migrate([SQLiteMigration(id: "1", sql: "CREATE TABLE t (n INTEGER) STRICT")])
      try reader.beginRead()
      _ = try reader.first("SELECT count(*) FROM t") { (row) throws(SQLiteError) in
        try row.integer()
      }
      try writer.beginWrite()
      try writer.run("INSERT INTO t VALUES (1)")
      if other == .hasCommitted { try writer.commit() }
      // Under its own busy timeout, which is not asked.
      let error = #expect(throws: SQLiteError.self) {
        try reader.run("INSERT INTO t VALUES (2)")
      }
      #expect(error?.kind == .busy)
      // SQLITE_BUSY while the lock is held; then SQLITE_BUSY_SNAPSHOT: waiting would not help.
      #expect(error?.extendedCode == (other == .hasCommitted ? 517 : 5))
      if other == .holdsTheLock { writer.rollback() }
      reader.rollback()
    }
  }

  @Test func `16 webhooks for 16 orders and a sweep, from two stores on one file, all apply`()
    async throws
  {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/till.sqlite"
      let stores = [
        try SQLitePaymentStore.open(path: path), try SQLitePaymentStore.open(path: path),
      ]
      for number in 1...16 { try await stores[0].seed(order: number) }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 1...16 {
          let store = stores[number % 2]
          group.addTask { try await store.markPaid(number) }
          group.addTask { try await store.sweep(number) }
        }
        try await group.waitForAll()
      }
      let orders = try await stores[0].read { transaction in
        try (1...16).compactMap { try transaction.order(Sample.orderID($0)) }
      }
      let entries = try await stores[1].read { transaction in
        try (1...16).map { try transaction.journal(of: Sample.orderID($0), limit: 9).count }
      }
      for store in stores { await store.close() }
      #expect(orders.map(\.state) == Array(repeating: .paid, count: 16))
      #expect(orders.map(\.version) == Array(repeating: 3, count: 16))
      #expect(entries == Array(repeating: 2, count: 16))
    }
  }

  @Test func `a lock held past the busy timeout is busy, with nothing half-written`()
    async throws
  {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/till.sqlite"
      let store = try SQLitePaymentStore.open(path: path, busyTimeoutMs: 20)
      let other = try SQLiteDatabase(path: path)
      try other.beginWrite()
      #expect(await kindThrown { try await store.seed() } == .busy)
      #expect(try await store.read { try $0.order(Sample.orderID(1)) } == nil)
      other.rollback()
      // The whole transaction again, not the single statement.
      try await store.seed()
      #expect(try await store.read { try $0.payment(Sample.paymentID(1)) } == Sample.payment())
      await store.close()
    }
  }

  @Test func `a lock let go within the busy timeout is waited for`() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/till.sqlite"
      let store = try SQLitePaymentStore.open(path: path)
      let other = try SQLiteDatabase(path: path)
      try other.beginWrite()
      try other.run(
        "INSERT INTO journal (at, channel, trust, event) VALUES (1, 'system', 'hint', 'other')")
      async let write: Void = store.seed()
      try other.commit()
      try await write
      await store.close()
    }
  }
}

extension SQLitePaymentStore {
  /// What a webhook does: reads the order, then marks it paid.
  fileprivate func markPaid(_ number: Int) async throws {
    try await write { transaction in
      guard var order = try transaction.order(Sample.orderID(number)) else {
        throw StoreError(.missing, "order")
      }
      order.state = .paid
      try transaction.updateOrder(order)
      try transaction.appendJournal(Sample.entry(order: number, payment: nil, event: "webhook"))
    }
  }

  /// What a reconcile run does: reads all, then touches one.
  fileprivate func sweep(_ number: Int) async throws {
    try await write { transaction in
      _ = try transaction.payments(before: nil, limit: 100)
      guard var order = try transaction.order(Sample.orderID(number)) else {
        throw StoreError(.missing, "order")
      }
      order.isFulfilled.toggle()
      try transaction.updateOrder(order)
      try transaction.appendJournal(Sample.entry(order: number, payment: nil, event: "sweep"))
    }
  }
}
