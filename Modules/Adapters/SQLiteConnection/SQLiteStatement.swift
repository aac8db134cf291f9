import CTillSQLite

/// A prepared statement. The connection that made it outlives it and is used by one thread at a
/// time.
@safe
final class SQLiteStatement {
  private let handle: OpaquePointer
  private let database: OpaquePointer
  let sql: String
  /// Whether somebody steps through it.
  var isLent = false

  /// Prepares the one statement that `sql` is.
  init(_ sql: String, database: OpaquePointer) throws(SQLiteError) {
    var handle: OpaquePointer?
    // The text is read during the call only; the handle lives until deinit finalizes it, and the
    // connection drops all its statements before it closes.
    let result = unsafe sqlite3_prepare_v3(
      database, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
    guard result == SQLITE_OK, let handle = unsafe handle else {
      throw unsafe Self.error(result, sql: sql, database: database)
    }
    unsafe self.handle = handle
    unsafe self.database = database
    self.sql = sql
  }

  deinit {
    // Nobody else has the handle. The result repeats the last step's, which was thrown already.
    _ = unsafe sqlite3_finalize(handle)
  }

  func bind(_ arguments: [SQLiteValue]) throws(SQLiteError) {
    // The handle lives as long as self.
    let expected = unsafe Int(sqlite3_bind_parameter_count(handle))
    precondition(expected == arguments.count, "a statement got the wrong number of arguments")
    for (offset, argument) in arguments.enumerated() {
      let result = bind(argument, at: Int32(offset + 1))
      guard result == SQLITE_OK else { throw error(result) }
    }
  }

  private func bind(_ argument: SQLiteValue, at index: Int32) -> Int32 {
    // The handle lives as long as self; SQLite copies texts and bytes before the call returns.
    switch argument {
    case .null: return unsafe sqlite3_bind_null(handle, index)
    case .integer(let integer): return unsafe sqlite3_bind_int64(handle, index, integer)
    case .text(var text):
      return text.withUTF8 { bytes in
        unsafe till_bind_text(handle, index, bytes.baseAddress, UInt64(bytes.count))
      }
    case .blob(let blob):
      return unsafe blob.withUnsafeBytes { bytes in
        unsafe till_bind_blob(handle, index, bytes.baseAddress, UInt64(bytes.count))
      }
    }
  }

  /// Goes on to the next row; false at the end.
  func step() throws(SQLiteError) -> Bool {
    // The handle lives as long as self.
    let result = unsafe sqlite3_step(handle)
    switch result {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default: throw error(result)
    }
  }

  /// Makes the statement ready for another use and lets go of what was bound.
  func reset() {
    // The handle lives as long as self. Reset repeats the last step's result, thrown already.
    _ = unsafe sqlite3_reset(handle)
    _ = unsafe sqlite3_clear_bindings(handle)
  }

  // MARK: Columns of the present row

  func isNull(_ column: Int32) -> Bool {
    // The handle lives as long as self.
    unsafe sqlite3_column_type(handle, column) == SQLITE_NULL
  }

  func integer(_ column: Int32) throws(SQLiteError) -> Int64 {
    // The handle lives as long as self.
    guard unsafe sqlite3_column_type(handle, column) == SQLITE_INTEGER else {
      throw mismatch(column)
    }
    return unsafe sqlite3_column_int64(handle, column)
  }

  func text(_ column: Int32) throws(SQLiteError) -> String {
    // The bytes are SQLite's until the next step and are copied here; their count is asked for
    // after the text, as SQLite wants it.
    guard unsafe sqlite3_column_type(handle, column) == SQLITE_TEXT,
      let start = unsafe sqlite3_column_text(handle, column)
    else { throw mismatch(column) }
    let count = unsafe Int(sqlite3_column_bytes(handle, column))
    return unsafe String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  func blob(_ column: Int32) throws(SQLiteError) -> [UInt8] {
    // The bytes are SQLite's until the next step and are copied here; none give a null pointer.
    guard unsafe sqlite3_column_type(handle, column) == SQLITE_BLOB else { throw mismatch(column) }
    guard let start = unsafe sqlite3_column_blob(handle, column) else { return [] }
    let count = unsafe Int(sqlite3_column_bytes(handle, column))
    return unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
  }

  private func mismatch(_ column: Int32) -> SQLiteError {
    SQLiteError(.damaged, "column \(column) holds another type", sql: sql)
  }

  private func error(_ result: Int32) -> SQLiteError {
    // Both handles are alive: the connection outlives its statements.
    unsafe Self.error(result, sql: sql, database: database)
  }

  static func error(_ result: Int32, sql: String?, database: OpaquePointer) -> SQLiteError {
    // The message is SQLite's until the next call on this connection and is copied here; the
    // number is a plain value of the connection.
    let message = unsafe String(cString: sqlite3_errmsg(database))
    return SQLiteError(
      extendedCode: result, message: message, sql: sql,
      systemError: unsafe till_disk_errno(database))
  }
}
