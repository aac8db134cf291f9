import SQLiteConnection

/// One row of a stored record: a field, or the check sum over all others.
struct StoredRow: Hashable {
  /// Frozen, as the fields of records are.
  static let checkField = "check"

  let field: String
  let value: String

  init(field: String, value: String) {
    self.field = field
    self.value = value
  }

  /// The row that tells whether one of `rows` was lost or changed. Against accidents of the disk:
  /// FNV-1a of 64 bits, which needs no library.
  init(checking rows: [StoredRow]) {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for row in rows.sorted(by: { $0.field.utf8.lexicographicallyPrecedes($1.field.utf8) }) {
      for text in [row.field, row.value] {
        for byte in Array(text.utf8) + [0] {
          hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
        }
      }
    }
    self.init(field: Self.checkField, value: String(hash, radix: 16))
  }

  /// The rows of one record, by field.
  static func all(
    of key: String, in database: SQLiteDatabase
  ) throws(SQLiteError) -> [StoredRow] {
    try database.all(
      "SELECT field, value FROM checkout_fields WHERE checkout_key = ? ORDER BY field",
      [.text(key)]
    ) { (row) throws(SQLiteError) in StoredRow(field: try row.text(), value: try row.text()) }
  }

  /// Reads every record and sees that it is whole, fields of later versions included.
  ///
  /// - Throws: `SQLiteError`; of kind `damaged` if one is not.
  static func check(_ database: SQLiteDatabase) throws {
    try database.read {
      try database.checkIntegrity()
      let keys = try database.all(
        "SELECT DISTINCT checkout_key FROM checkout_fields ORDER BY checkout_key"
      ) {
        (row) throws(SQLiteError) in try row.text()
      }
      for key in keys {
        let rows = try all(of: key, in: database)
        let fields = rows.filter { $0.field != checkField }
        guard rows.contains(StoredRow(checking: fields)),
          fields.contains(StoredRow(field: "key", value: key))
        else { throw SQLiteError(.damaged, "a stored checkout is not whole") }
      }
    }
  }
}
