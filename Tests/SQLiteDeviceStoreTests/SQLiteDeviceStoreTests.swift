import CheckoutLifecycle
import CheckoutSession
import SQLiteConnection
import SQLiteDeviceStore
import TestSupport
import Testing

@Suite("SQLiteDeviceStore")
struct SQLiteDeviceStoreTests {
  private func withPath(_ body: (String) async throws -> Void) async throws {
    try await withTemporaryDirectory { try await body("\($0)/checkouts.sqlite") }
  }

  @Test(arguments: DeviceStoreContract.parts.indices)
  func `the store keeps the contract`(part: Int) async throws {
    let (name, check) = DeviceStoreContract.parts[part]
    try await withPath { path in
      let violations = try await check(SQLiteDeviceStore(path: path))
      #expect(violations == [], "\(name)")
    }
  }

  @Test func `what save returned for survives the end of the process without a close`()
    async throws
  {
    try await withPath { path in
      await #expect(processExitsWith: .failure) { [path = path as String] in
        let store = try SQLiteDeviceStore(path: path)
        for record in sampleCheckoutRecords() { try await store.save(record) }
        fatalError("killed")
      }
      let records = try await SQLiteDeviceStore(path: path).all()
      #expect(records == sampleCheckoutRecords())
    }
  }

  @Test func `two stores on one file see each other's saves`() async throws {
    try await withPath { path in
      let (first, second) = (
        try SQLiteDeviceStore(path: path), try SQLiteDeviceStore(path: path)
      )
      let record = sampleCheckoutRecords()[0]
      try await first.save(record)
      #expect(try await second.load(record.key) == record)
      try await second.remove(record.key)
      #expect(try await first.load(record.key) == nil)
    }
  }

  @Test func `a record that cannot be read does not hide the others`() async throws {
    try await withPath { path in
      let store = try SQLiteDeviceStore(path: path)
      let records = sampleCheckoutRecords()
      for record in records { try await store.save(record) }
      let database = try SQLiteDatabase(path: path)
      try database.run(
        "UPDATE checkout_fields SET value = 'nonsense' WHERE field = 'stage' AND checkout_key = ?",
        [.text(records[0].key.rawValue)])
      #expect(try await store.all() == Array(records.dropFirst()))
      await #expect(throws: CheckoutRecordError.self) { try await store.load(records[0].key) }
    }
  }

  @Test func `a field that only a later version knows is passed over`() async throws {
    try await withPath { path in
      let store = try SQLiteDeviceStore(path: path)
      let record = sampleCheckoutRecords()[0]
      try await store.save(record)
      let database = try SQLiteDatabase(path: path)
      try database.run(
        "INSERT INTO checkout_fields (checkout_key, field, value) VALUES (?, 'later', 'x')",
        [.text(record.key.rawValue)])
      #expect(try await store.load(record.key) == record)
    }
  }

  @Test func `a file that a later version changed is refused`() async throws {
    try await withPath { path in
      await (try SQLiteDeviceStore(path: path)).close()
      let database = try SQLiteDatabase(path: path)
      try database.run("INSERT INTO till_migrations (id) VALUES ('0002-later')")
      let error = #expect(throws: SQLiteError.self) { try SQLiteDeviceStore(path: path) }
      #expect(error?.kind == .newer)
    }
  }

  @Test func `a save that fails leaves the earlier record`() async throws {
    try await withPath { path in
      let store = try SQLiteDeviceStore(path: path)
      var record = sampleCheckoutRecords()[0]
      try await store.save(record)
      let earlier = record
      let database = try SQLiteDatabase(path: path)
      // Fails between the removal of the old fields and the last of the new ones.
      try database.run(
        """
        CREATE TRIGGER refuse BEFORE INSERT ON checkout_fields WHEN new.field = 'strategy'
        BEGIN SELECT RAISE(ABORT, 'refused'); END
        """)
      record.revision += 1
      let later = record
      await #expect(throws: SQLiteError.self) { try await store.save(later) }
      #expect(try await store.load(earlier.key) == earlier)
    }
  }

  @Test func `a closed store refuses`() async throws {
    try await withPath { path in
      let store = try SQLiteDeviceStore(path: path)
      await store.close()
      await #expect(throws: SQLiteError.self) { try await store.save(sampleCheckoutRecords()[0]) }
    }
  }
}
