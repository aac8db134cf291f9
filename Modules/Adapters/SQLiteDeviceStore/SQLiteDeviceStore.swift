public import CheckoutLifecycle
public import CheckoutSession
import SQLiteConnection

/// The device's checkouts in one small SQLite file, each save synced to the disk before it
/// returns.
///
/// A record is kept as its fields, one row each, so that a later version of the app may add one,
/// and with a check sum over them. The whole file is read when it is opened: a damaged one is
/// refused then, and is never taken for an empty one or for other checkouts.
/// Saves run inside the actor and block for the sync, some milliseconds a few times a checkout.
/// What a settled checkout no longer holds is gone from the file and its log.
///
///     let store = try SQLiteDeviceStore(path: directory + "/checkouts.sqlite")
///     try await store.save(record)
public actor SQLiteDeviceStore: DeviceStore {
  /// How long a save waits for another process of the same app, in milliseconds: more than any
  /// save takes, less than a payer waits.
  static let busyTimeoutMs: Int32 = 2_000

  private static let history = [
    SQLiteMigration(
      id: "0001-checkouts",
      sql: """
        CREATE TABLE checkout_fields (
          checkout_key TEXT NOT NULL,
          field TEXT NOT NULL,
          value TEXT NOT NULL,
          PRIMARY KEY (checkout_key, field)
        ) STRICT, WITHOUT ROWID;
        """)
  ]

  let database: SQLiteDatabase

  /// Opens the file, creating it for this user alone if need be.
  ///
  /// - Throws: `SQLiteError`; of kind `newer` if a later version of the app wrote it, `damaged` if
  ///   the disk lost or changed a part of it. Put such a file aside and open a new one; the server
  ///   goes on with every payment all the same.
  public init(path: String) throws {
    database = try SQLiteDatabase(path: path, busyTimeoutMs: Self.busyTimeoutMs)
    try database.migrate(Self.history)
    try StoredRow.check(database)
  }

  /// Puts the record on disk in place of an earlier one.
  ///
  /// - Throws: `SQLiteError`; the earlier record is still there then.
  public func save(_ record: CheckoutRecord) throws {
    let key = SQLiteValue.text(record.key.rawValue)
    try database.write {
      try database.run("DELETE FROM checkout_fields WHERE checkout_key = ?", [key])
      let rows = record.fields.map { StoredRow(field: $0.field.rawValue, value: $0.value) }
      for row in rows + [StoredRow(checking: rows)] {
        try database.run(
          "INSERT INTO checkout_fields (checkout_key, field, value) VALUES (?, ?, ?)",
          [key, .text(row.field), .text(row.value)])
      }
    }
    if record.stage == .settled { emptyLog() }
  }

  /// The record of a key; nil if there is none.
  ///
  /// - Throws: `SQLiteError`, or `CheckoutRecordError` if the stored fields are no record.
  public func load(_ key: CheckoutKey) throws -> CheckoutRecord? {
    let rows = try StoredRow.all(of: key.rawValue, in: database)
    return rows.isEmpty ? nil : try CheckoutRecord(fields: Self.known(rows))
  }

  /// All records that can be read, in the order of their keys.
  ///
  /// - Throws: `SQLiteError`.
  public func all() throws -> [CheckoutRecord] {
    try database.read {
      let keys = try database.all(
        "SELECT DISTINCT checkout_key FROM checkout_fields ORDER BY checkout_key"
      ) { (row) throws(SQLiteError) in CheckoutKey(try row.text()) }
      return try keys.compactMap { key in
        do {
          return try load(key)
        } catch is CheckoutRecordError {
          // One that cannot be read must not hide the others.
          return nil
        }
      }
    }
  }

  /// Forgets a record.
  ///
  /// - Throws: `SQLiteError`; the record is still there then.
  public func remove(_ key: CheckoutKey) throws {
    try database.write {
      try database.run(
        "DELETE FROM checkout_fields WHERE checkout_key = ?", [.text(key.rawValue)])
    }
    emptyLog()
  }

  /// The write-ahead log holds older versions of each page, secrets among them. If it cannot be
  /// emptied now, as while another process reads, a later call does: what was written is kept
  /// already, so it would be wrong to throw.
  private func emptyLog() {
    _ = try? database.checkpoint()
  }

  /// Closes the file. Every later call throws.
  public func close() { database.close() }

  /// Fields that this version knows; a later version may have written more.
  private static func known(_ rows: [StoredRow]) -> [CheckoutRecord.Field: String] {
    rows.reduce(into: [:]) { known, row in
      if let field = CheckoutRecord.Field(rawValue: row.field) { known[field] = row.value }
    }
  }
}
