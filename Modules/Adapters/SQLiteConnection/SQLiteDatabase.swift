import CTillSQLite

/// One connection to a SQLite file in WAL mode, with its prepared statements.
///
/// A connection is used by one thread at a time: SQLite's own locking is off, and the type is not
/// `Sendable`, so whoever shares one must guard it. Nothing of C shows outside.
///
///     let database = try SQLiteDatabase(path: "shop.sqlite")
///     try database.migrate([SQLiteMigration(id: "0001", sql: "CREATE TABLE …")])
///     try database.write {
///       try database.run("INSERT INTO notes (body) VALUES (?)", [.text("hello")])
///     }
@safe
public final class SQLiteDatabase {
  /// How long a connection waits for another one's lock before it throws `busy`, in milliseconds:
  /// longer than any transaction of ours takes, shorter than a caller's patience.
  public static let defaultBusyTimeoutMs: Int32 = 5_000
  /// Statements kept prepared. SQL texts are constants of the program, about a hundred in the
  /// largest module; more than this means that somebody builds SQL from values.
  static let maxCachedStatements = 256

  /// Whether the connection may write.
  public enum Access: Hashable, Sendable {
    /// Reads and writes; creates the file, readable by its owner alone.
    case readWrite
    /// Reads; the file must exist.
    case readOnly
  }

  /// Said once, before the first connection.
  private static let saysNothing = till_count_no_memory()

  private var handle: OpaquePointer?
  private var statements: [StatementText: SQLiteStatement] = [:]

  /// Opens `path` with WAL, `synchronous = FULL`, foreign keys and defensive settings.
  ///
  /// - Throws: `unreachable` if the file cannot be opened, `readOnly` if it cannot be written,
  ///   `damaged` if it is no database, `busy`.
  public init(
    path: String, access: Access = .readWrite, busyTimeoutMs: Int32 = defaultBusyTimeoutMs
  ) throws(SQLiteError) {
    _ = Self.saysNothing
    if access == .readWrite {
      // The path is read during the call only.
      switch unsafe till_create_private(path) {
      case 0: break
      case EACCES, EPERM, EROFS:
        throw SQLiteError(.readOnly, "the database file cannot be created here")
      case ENOSPC: throw SQLiteError(.full, "no room for the database file")
      default: throw SQLiteError(.unreachable, "the database file cannot be created")
      }
    }
    // Both paths are read during the call only.
    guard unsafe till_lost_its_pages(path, "\(path)-wal") == 0 else {
      throw SQLiteError(.damaged, "the database file has lost its pages")
    }
    let mode = access == .readWrite ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY
    // SQLite gives a handle even when it fails; it lives until close or deinit.
    let result = unsafe sqlite3_open_v2(path, &handle, mode | SQLITE_OPEN_NOMUTEX, nil)
    guard result == SQLITE_OK, let handle = unsafe handle else {
      throw SQLiteError(
        extendedCode: result, message: "the database file cannot be opened", sql: nil,
        systemError: unsafe sqlite3_system_errno(handle))
    }
    unsafe Self.configure(handle, busyTimeoutMs: busyTimeoutMs)
    try prepare(access)
  }

  deinit { close() }

  private static func configure(_ handle: OpaquePointer, busyTimeoutMs: Int32) {
    // The handle was just opened. None of these calls fails on an open connection.
    unsafe sqlite3_extended_result_codes(handle, 1)
    unsafe sqlite3_busy_timeout(handle, busyTimeoutMs)
    for (option, value): (Int32, Int32) in [
      (Int32(SQLITE_DBCONFIG_DEFENSIVE), 1),
      (Int32(SQLITE_DBCONFIG_DQS_DDL), 0),
      (Int32(SQLITE_DBCONFIG_DQS_DML), 0),
    ] {
      unsafe till_configure(handle, option, value)
    }
  }

  private func prepare(_ access: Access) throws(SQLiteError) {
    try run("PRAGMA trusted_schema = OFF")
    try run("PRAGMA cell_size_check = ON")
    try run("PRAGMA foreign_keys = ON")
    try run("PRAGMA synchronous = FULL")
    // In KiB. With SQLite's 2 MiB the inner pages of a table of 100,000 long rows are read from the
    // file again and again; a connection takes no more of this than it has read.
    try run("PRAGMA cache_size = -8192")
    guard access == .readWrite else { return }
    // Every savepoint keeps the pages that it changes as they were: in memory, else each group
    // commit writes a file of its own for them, and deletes it.
    try run("PRAGMA temp_store = MEMORY")
    let mode = try first("PRAGMA journal_mode = WAL") { (row) throws(SQLiteError) in
      try row.text()
    }
    guard mode == "wal" else {
      throw SQLiteError(.unreachable, "this file system cannot hold a WAL database")
    }
    // Pages in the WAL that cause a checkpoint. At 1,000 it hits one commit in a few hundred and
    // triples the 99th percentile; far more makes the WAL slow to read.
    try run("PRAGMA wal_autocheckpoint = 4000")
    // What is deleted is overwritten with zeros: an erased name stays in no free page.
    _ = try first("PRAGMA secure_delete = ON") { (row) throws(SQLiteError) in try row.integer() }
  }

  /// Finalizes all statements and closes the file. Every later call throws. Repeating it is fine.
  public func close() {
    statements = [:]
    // All statements are gone: those in use are inside a call on this same thread, and SQLite
    // keeps a connection that still has some until they are finalized.
    unsafe sqlite3_close_v2(handle)
    unsafe handle = nil
  }

  // MARK: Statements

  /// Runs a statement to its end and returns how many rows it changed. Rows that it gives are
  /// dropped. `sql` is one statement and a constant; values go into `arguments`.
  @discardableResult
  public func run(_ sql: String, _ arguments: [SQLiteValue] = []) throws(SQLiteError) -> Int {
    try with(sql, arguments) { (statement) throws(SQLiteError) in
      while try statement.step() {}
    }
    // Open, or the statement would have thrown.
    return unsafe handle.map { unsafe Int(sqlite3_changes($0)) } ?? 0
  }

  /// The first row, or nil if there is none.
  public func first<Value>(
    _ sql: String, _ arguments: [SQLiteValue] = [],
    _ decode: (inout SQLiteRow) throws(SQLiteError) -> Value
  ) throws(SQLiteError) -> Value? {
    var found: Value?
    try with(sql, arguments) { (statement) throws(SQLiteError) in
      guard try statement.step() else { return }
      var row = SQLiteRow(statement)
      found = try decode(&row)
    }
    return found
  }

  /// All rows, in the order of the statement.
  public func all<Value>(
    _ sql: String, _ arguments: [SQLiteValue] = [],
    _ decode: (inout SQLiteRow) throws(SQLiteError) -> Value
  ) throws(SQLiteError) -> [Value] {
    var found: [Value] = []
    try with(sql, arguments) { (statement) throws(SQLiteError) in
      while try statement.step() {
        var row = SQLiteRow(statement)
        found.append(try decode(&row))
      }
    }
    return found
  }

  /// Runs a script of several statements without arguments, for migrations.
  func script(_ sql: String) throws(SQLiteError) {
    // The connection is open and the text is read during the calls only.
    let handle = try unsafe open()
    let result = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
    guard result == SQLITE_OK else {
      throw unsafe SQLiteStatement.error(result, sql: sql, database: handle)
    }
  }

  /// Whether a transaction is open. SQLite ends one by itself after some errors, such as a full
  /// disk; whoever goes on must look here first.
  public var isInTransaction: Bool {
    // Open, or there is no transaction.
    unsafe handle.map { unsafe sqlite3_get_autocommit($0) == 0 } ?? false
  }

  func open() throws(SQLiteError) -> OpaquePointer {
    // Nil from close on.
    guard let handle = unsafe handle else { throw SQLiteError(.fault, "the database is closed") }
    return unsafe handle
  }

  /// The statements that are kept prepared, each with the steps by which SQLite goes about it: a
  /// search names its index, a scan reads all rows. For tests of what a schema is used for.
  package func plans() throws(SQLiteError) -> [(sql: String, steps: [String])] {
    // The connection is open and outlives the statements.
    let handle = try unsafe open()
    var plans: [(sql: String, steps: [String])] = []
    for text in statements.keys where text.sql.contains("FROM") {
      let statement = try unsafe SQLiteStatement("EXPLAIN QUERY PLAN \(text.sql)", database: handle)
      var steps: [String] = []
      // Number, parent, nothing, and what is done.
      while try statement.step() { steps.append(try statement.text(3)) }
      plans.append((text.sql, steps))
    }
    return plans.sorted { $0.sql < $1.sql }
  }

  /// Lends a bound statement to `body`. The same text may be used again inside: it gets a statement
  /// of its own then.
  private func with(
    _ sql: String, _ arguments: [SQLiteValue],
    _ body: (SQLiteStatement) throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    // The connection is open and outlives the statement.
    let handle = try unsafe open()
    let text = StatementText(sql)
    let kept = statements[text]
    let statement: SQLiteStatement
    if let kept, !kept.isLent {
      statement = kept
    } else {
      statement = try unsafe SQLiteStatement(sql, database: handle)
      if kept == nil, statements.count < Self.maxCachedStatements { statements[text] = statement }
    }
    statement.isLent = true
    defer {
      statement.reset()
      statement.isLent = false
    }
    try statement.bind(arguments)
    try body(statement)
  }
}
