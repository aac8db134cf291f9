import CTillSQLite

extension SQLiteDatabase {
  /// Pages between two calls of `onProgress`: 4 MiB, some hundredths of a second.
  private static let pagesPerStep: Int32 = 1_024

  /// Copies the whole database as it is now into a new file at `path`, readable by its owner
  /// alone, while other connections go on reading and writing. `body` runs on the same view.
  ///
  /// - Parameters:
  ///   - path: a file that is not there yet; a copy that failed leaves it behind.
  ///   - onProgress: told how many pages of how many are copied.
  /// - Throws: `full`, `readOnly`, `unreachable`; what `body` throws.
  public func copy<Result>(
    to path: String, onProgress: (_ done: Int, _ all: Int) -> Void = { _, _ in },
    along body: () throws -> Result
  ) throws -> Result {
    try read {
      // The first read fixes the view, which the copy below then keeps: no writer restarts it.
      let result = try body()
      try copyPages(to: path, onProgress: onProgress)
      return result
    }
  }

  private func copyPages(
    to path: String, onProgress: (_ done: Int, _ all: Int) -> Void
  ) throws(SQLiteError) {
    // Open, and it outlives the call.
    let source = try unsafe open()
    // The path is read during the calls only; the handle is closed below, also after a failure.
    guard unsafe till_create_private(path) == 0 else {
      throw SQLiteError(.unreachable, "the copy cannot be created")
    }
    var target: OpaquePointer?
    let opened = unsafe sqlite3_open_v2(
      path, &target, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil)
    defer { unsafe sqlite3_close_v2(target) }
    guard opened == SQLITE_OK, let target = unsafe target,
      // Both connections live until it is finished.
      let copy = unsafe sqlite3_backup_init(target, "main", source, "main")
    else {
      throw SQLiteError(extendedCode: opened, message: "the copy cannot be opened", sql: nil)
    }
    var code = SQLITE_OK
    while code == SQLITE_OK {
      code = unsafe sqlite3_backup_step(copy, Self.pagesPerStep)
      let all = unsafe sqlite3_backup_pagecount(copy)
      onProgress(Int(all - (unsafe sqlite3_backup_remaining(copy))), Int(all))
    }
    unsafe sqlite3_backup_finish(copy)
    guard code == SQLITE_DONE else {
      throw SQLiteError(extendedCode: code, message: "the copy was not finished", sql: nil)
    }
  }

  /// What SQLite finds wrong with the file: pages, indexes, values and references. Empty if
  /// nothing. Reads the whole file.
  ///
  /// - Parameter limit: findings at the most.
  public func faults(limit: Int) throws(SQLiteError) -> [String] {
    precondition(limit > 0, "a limit of findings is positive")
    let found = try all("PRAGMA integrity_check(\(limit))") { (row) throws(SQLiteError) in
      try row.text()
    }
    let broken = try all("PRAGMA foreign_key_check") { (row) throws(SQLiteError) in
      "a row of \(try row.text()) names what is not there"
    }
    return (found == ["ok"] ? [] : found) + broken.prefix(limit)
  }

  /// How many rows each table of the program has, by name.
  public func rowCounts() throws(SQLiteError) -> [(table: String, rows: Int64)] {
    let tables = try all(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite~_%' ESCAPE '~'"
        + " ORDER BY name"
    ) { (row) throws(SQLiteError) in try row.text() }
    var counts: [(table: String, rows: Int64)] = []
    for table in tables {
      let name = table.replacing("\"", with: "\"\"")
      let rows = try first("SELECT count(*) FROM \"\(name)\"") { (row) throws(SQLiteError) in
        try row.integer()
      }
      counts.append((table, rows ?? 0))
    }
    return counts
  }

  /// The steps of the schema's history that the file has, oldest first.
  ///
  /// - Throws: `damaged` if it is a database of another program.
  public func migrations() throws(SQLiteError) -> [String] {
    let isOurs = try first(
      "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'till_migrations'"
    ) { _ in true }
    guard isOurs == true else {
      throw SQLiteError(.damaged, "the database belongs to another program")
    }
    return try all("SELECT id FROM till_migrations ORDER BY position") {
      (row) throws(SQLiteError) in try row.text()
    }
  }

  /// The process that has the file open in WAL mode; nil if none has, or if it cannot be told.
  ///
  /// This process must have no connection to the file: looking drops its locks.
  public static func holder(of path: String) -> Int32? {
    // The path is read during the call only.
    let holder = unsafe till_lock_holder(path)
    return holder == 0 || holder == -1 ? nil : holder
  }
}
