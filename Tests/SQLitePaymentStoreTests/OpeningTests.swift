import PaymentStore
import SQLiteConnection
@testable import SQLitePaymentStore
import SystemRuntime
import TestSupport
import Testing

@Suite struct OpeningTests {
  private func kindOfOpening(_ path: String) -> StoreError.Kind? {
    do {
      _ = try SQLitePaymentStore.open(path: path)
      return nil
    } catch {
      return error.kind
    }
  }

  @Test func `a newer database is not touched`() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/till.sqlite"
      await (try SQLitePaymentStore.open(path: path)).close()
      let database = try SQLiteDatabase(path: path)
      try database.write {
        try database.run("INSERT INTO till_migrations (id) VALUES ('9999-from-the-future')")
      }
      database.close()
      #expect(kindOfOpening(path) == .unusable)
    }
  }

  @Test(arguments: ["not a database at all, and longer than a header".utf8.map { $0 }, [0]])
  func `a file that is no database is unusable`(_ content: [UInt8]) async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/till.sqlite"
      let filler = Array(repeating: UInt8(ascii: "x"), count: 4_096)
      try Files.replace(path, with: content + filler)
      #expect(kindOfOpening(path) == .unusable)
    }
  }

  @Test func `a damaged page is unusable and never a wrong answer`() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/till.sqlite"
      let store = try SQLitePaymentStore.open(path: path)
      for number in 1...40 { try await store.seed(order: number) }
      await store.close()
      var bytes = try Files.read(path, bytesMax: 10_000_000)
      for index in 4_096..<bytes.count { bytes[index] = UInt8(truncatingIfNeeded: index &* 31) }
      try Files.replace(path, with: bytes)
      #expect(kindOfOpening(path) == .unusable)
    }
  }

  @Test func `a database of another program is not touched`() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/other.sqlite"
      let database = try SQLiteDatabase(path: path)
      try database.run("CREATE TABLE theirs (n INTEGER)")
      database.close()
      #expect(kindOfOpening(path) == .unusable)
    }
  }

  @Test func `a directory that is not there is unusable`() {
    #expect(kindOfOpening("/nowhere/at/all/till.sqlite") == .unusable)
  }

  /// Tests may run as root, whom permissions do not stop; the kernel's own tree takes no files
  /// from anybody.
  @Test(.enabled(if: Files.exists("/sys/kernel"), "needs sysfs"))
  func `a directory that takes no files is read only`() {
    #expect(kindOfOpening("/sys/till.sqlite") == .readOnly)
  }

  @Test(arguments: [
    (SQLiteError.Kind.busy, StoreError.Kind.busy), (.full, .full), (.readOnly, .readOnly),
    (.duplicate, .duplicate), (.constraint, .constraint), (.unreachable, .unusable),
    (.damaged, .unusable), (.newer, .unusable), (.fault, .unusable),
  ])
  func `each refusal of SQLite says what the caller of the store may do`(
    _ seen: SQLiteError.Kind, _ right: StoreError.Kind
  ) {
    #expect(StoreError(SQLiteError(seen, "words")).kind == right)
  }

  @Test func `a store is readable by its owner alone`() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/till.sqlite"
      let store = try SQLitePaymentStore.open(path: path)
      try await store.seed()
      for file in [path, "\(path)-wal", "\(path)-shm"] {
        #expect(try !Files.isOpenToOthers(file), "\(file)")
      }
      await store.close()
    }
  }
}
