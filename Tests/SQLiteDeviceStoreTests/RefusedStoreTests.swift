import CheckoutLifecycle
import PaymentModels
import SQLiteConnection
@testable import SQLiteDeviceStore
import SystemRuntime
import TestSupport
import Testing

extension SQLiteDeviceStore {
  /// Lets the file grow by so many pages and no further, as a disk does that is nearly full.
  fileprivate func leaveRoom(pages: Int64) throws {
    let count = try database.first("PRAGMA page_count") { (row) throws(SQLiteError) in
      try row.integer()
    }
    try database.run("PRAGMA max_page_count = \((count ?? 0) + pages)")
  }
}

@Suite("A device store that cannot be opened, or cannot save")
struct RefusedStoreTests {
  private func kindOfOpening(_ path: String) -> SQLiteError.Kind? {
    do {
      _ = try SQLiteDeviceStore(path: path)
      return nil
    } catch {
      return (error as? SQLiteError)?.kind
    }
  }

  @Test func `a directory that is not there, or in the place of the file, is unreachable`()
    async throws
  {
    try await withTemporaryDirectory { directory in
      #expect(kindOfOpening("\(directory)/nowhere/checkouts.sqlite") == .unreachable)
      #expect(kindOfOpening(directory) == .unreachable)
    }
  }

  /// Tests may run as root, whom permissions do not stop; the kernel's own tree takes no files
  /// from anybody.
  @Test(.enabled(if: Files.exists("/sys/kernel"), "needs sysfs"))
  func `a directory that takes no files is read only`() {
    #expect(kindOfOpening("/sys/checkouts.sqlite") == .readOnly)
  }

  @Test func `a file of something else is damaged, and stays as it is`() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/checkouts.sqlite"
      let content = Array(repeating: UInt8(ascii: "x"), count: 5_000)
      try Files.replace(path, with: content)
      #expect(kindOfOpening(path) == .damaged)
      #expect(try Files.read(path, bytesMax: 10_000) == content)
      let other = try SQLiteDatabase(path: "\(directory)/other.sqlite")
      try other.run("CREATE TABLE theirs (n INTEGER)")
      #expect(kindOfOpening("\(directory)/other.sqlite") == .damaged)
    }
  }

  @Test(arguments: [
    "DELETE FROM checkout_fields WHERE field = 'checkout_url'",
    "UPDATE checkout_fields SET value = 'https://checkout.example/A2' WHERE field = 'checkout_url'",
    "INSERT INTO checkout_fields SELECT checkout_key, 'more', 'x' FROM checkout_fields LIMIT 1",
    "DELETE FROM checkout_fields WHERE field = 'check'",
    "UPDATE checkout_fields SET checkout_key = 'other'",
  ])
  func `a record that was changed by others than the store is damaged`(sql: String) async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/checkouts.sqlite"
      let store = try SQLiteDeviceStore(path: path)
      try await store.save(sampleCheckoutRecords()[2])
      await store.close()
      #expect(kindOfOpening(path) == nil)
      let database = try SQLiteDatabase(path: path)
      #expect(try database.run(sql) > 0)
      database.close()
      #expect(kindOfOpening(path) == .damaged)
    }
  }

  @Test func `a later version may have kept more of a record, and it is whole`() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/checkouts.sqlite"
      let record = sampleCheckoutRecords()[2]
      let database = try SQLiteDatabase(path: path)
      await (try SQLiteDeviceStore(path: path)).close()
      var rows = record.fields.map { StoredRow(field: $0.field.rawValue, value: $0.value) }
      rows.append(StoredRow(field: "later", value: "x"))
      for row in rows + [StoredRow(checking: rows)] {
        try database.run(
          "INSERT INTO checkout_fields (checkout_key, field, value) VALUES (?, ?, ?)",
          [.text(record.key.rawValue), .text(row.field), .text(row.value)])
      }
      #expect(try await SQLiteDeviceStore(path: path).all() == [record])
    }
  }

  // Stores of installed apps hold them.
  @Test func `the check sum and its name are frozen`() {
    let rows = [StoredRow(field: "b", value: "é"), StoredRow(field: "a", value: "1")]
    #expect(StoredRow(checking: rows) == StoredRow(checking: rows.reversed()))
    #expect(StoredRow(checking: rows).field == "check")
    #expect(StoredRow(checking: []).value == "cbf29ce484222325")
    #expect(StoredRow(checking: rows).value == "1c9356b97c99fd1d")
    #expect(CheckoutRecord.Field(rawValue: StoredRow.checkField) == nil)
  }

  @Test func `with a full disk a save fails, what was kept is there, and with room it succeeds`()
    async throws
  {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/checkouts.sqlite"
      let store = try SQLiteDeviceStore(path: path)
      let kept = sampleCheckoutRecords()[1]
      try await store.save(kept)
      try await store.leaveRoom(pages: 0)
      var large = kept
      large.revision += 1
      large.payment?.returnURLs.failure = String(repeating: "x", count: 20_000)
      let later = large
      let error = await #expect(throws: SQLiteError.self) { try await store.save(later) }
      #expect(error?.kind == .full)
      #expect(try await store.all() == [kept])
      #expect(try await SQLiteDeviceStore(path: path).all() == [kept])
      try await store.leaveRoom(pages: 100)
      try await store.save(later)
      #expect(try await SQLiteDeviceStore(path: path).all() == [later])
    }
  }
}
