import PaymentStore
import SQLiteConnection
import SystemRuntime
import TestSupport
import Testing

@testable import SQLitePaymentStore

@Suite("Copies of a store")
struct StoreBackupTests {
  private func kind(_ body: () throws(BackupError) -> Void) -> BackupError.Kind? {
    do {
      try body()
      return nil
    } catch {
      return error.kind
    }
  }

  private func store(_ path: String, orders: Int) async throws {
    let store = try SQLitePaymentStore.open(path: path)
    for number in 1...orders { try await store.seed(order: number) }
    await store.close()
  }

  private func orders(_ path: String) async throws -> Int {
    let store = try SQLitePaymentStore.open(path: path)
    let count = try await store.read { try $0.paymentCount() }
    await store.close()
    return count
  }

  @Test func `a copy made beside a writer is whole, checked and of one moment`() async throws {
    try await withTemporaryDirectory { directory in
      let (path, copy) = ("\(directory)/till.sqlite", "\(directory)/copy.sqlite")
      let store = try SQLitePaymentStore.open(path: path)
      for number in 1...50 { try await store.seed(order: number) }
      async let writes: Void = {
        for number in 51...150 { try await store.seed(order: number) }
      }()
      let report = try await blocking {
        try StoreBackup.save(path, to: copy, replaces: false)
      }
      try await writes
      await store.close()
      let payments = try #require(report.tables.first { $0.name == "payments" }).rows
      #expect(payments >= 50)
      #expect(report.version == Schema.history.last?.id)
      #expect(try await orders(copy) == Int(payments))
      #expect(try StoreBackup.verify(copy).tables == report.tables)
      #expect(try !Files.isOpenToOthers(copy))
    }
  }

  @Test func `nothing is left beside the copy, and a file is not replaced unless told`()
    async throws
  {
    try await withTemporaryDirectory { directory in
      let (path, copy) = ("\(directory)/till.sqlite", "\(directory)/copy.sqlite")
      try await store(path, orders: 1)
      try Files.replace(copy, with: Array("mine".utf8))
      #expect(
        kind { () throws(BackupError) in
          _ = try StoreBackup.save(path, to: copy, replaces: false)
        } == .exists)
      #expect(try Files.read(copy, bytesMax: 99) == Array("mine".utf8))
      _ = try StoreBackup.save(path, to: copy, replaces: true)
      for suffix in ["-wal", "-shm"] { #expect(!Files.exists(copy + suffix)) }
      #expect(!Files.exists("\(copy).incomplete-\(ProcessFacts.identifier)"))
      #expect(try await orders(copy) == 1)
    }
  }

  @Test func `a store is put back, and the one before is kept beside`() async throws {
    try await withTemporaryDirectory { directory in
      let (path, copy) = ("\(directory)/till.sqlite", "\(directory)/copy.sqlite")
      try await store(path, orders: 2)
      _ = try StoreBackup.save(path, to: copy, replaces: false)
      let more = try SQLitePaymentStore.open(path: path)
      try await more.seed(order: 3)
      await more.close()
      #expect(
        kind { () throws(BackupError) in
          _ = try StoreBackup.restore(copy, to: path, replaces: false)
        } == .exists)
      _ = try StoreBackup.restore(copy, to: path, replaces: true)
      #expect(try await orders(path) == 2)
      #expect(try await orders("\(path).replaced") == 3)
      #expect(try await orders(copy) == 2, "the copy stays")
    }
  }

  @Test(arguments: ["-wal", "-shm"])
  func `what a database keeps beside itself is never replaced`(suffix: String) async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/till.sqlite"
      try await store(path, orders: 1)
      let server = try SQLitePaymentStore.open(path: path)
      #expect(
        kind { () throws(BackupError) in
          _ = try StoreBackup.save(path, to: path + suffix, replaces: true)
        } == .inUse)
      try await server.seed(order: 2)
      #expect(try await orders(path) == 2)
      await server.close()
    }
  }

  @Test func `a store that a server has open is not replaced`() async throws {
    try await withTemporaryDirectory { directory in
      let (path, copy) = ("\(directory)/till.sqlite", "\(directory)/copy.sqlite")
      try await store(path, orders: 1)
      _ = try StoreBackup.save(path, to: copy, replaces: false)
      let server = try SQLitePaymentStore.open(path: path)
      #expect(
        kind { () throws(BackupError) in
          _ = try StoreBackup.restore(copy, to: path, replaces: true)
        } == .inUse)
      await server.close()
      #expect(!Files.exists("\(path).replaced"))
    }
  }

  @Test func `a damaged, foreign or newer copy is not put back`() async throws {
    try await withTemporaryDirectory { directory in
      let (path, copy) = ("\(directory)/till.sqlite", "\(directory)/copy.sqlite")
      try await store(path, orders: 40)
      _ = try StoreBackup.save(path, to: copy, replaces: false)
      let whole = try Files.read(copy, bytesMax: 10_000_000)
      var damaged = whole
      for index in 8_192..<damaged.count { damaged[index] = UInt8(truncatingIfNeeded: index &* 31) }
      let newer = try SQLiteDatabase(path: copy)
      try newer.write { try newer.run("INSERT INTO till_migrations (id) VALUES ('9999-later')") }
      newer.close()
      let later = try Files.read(copy, bytesMax: 10_000_000)
      for (bytes, expected) in [
        (damaged, BackupError.Kind.damaged), (Array("no database".utf8), .damaged),
        (later, .newer),
      ] {
        try Files.replace(copy, with: bytes)
        #expect(
          kind { () throws(BackupError) in
            _ = try StoreBackup.restore(copy, to: path, replaces: true)
          } == expected)
        #expect(try await orders(path) == 40)
      }
      #expect(
        kind { () throws(BackupError) in
          _ = try StoreBackup.restore("\(directory)/none", to: path, replaces: true)
        } == .missing)
    }
  }
}
