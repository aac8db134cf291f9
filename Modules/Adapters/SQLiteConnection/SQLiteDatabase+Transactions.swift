extension SQLiteDatabase {
  /// Takes the write lock, waiting for it up to the busy timeout.
  ///
  /// Every write path begins so. A transaction that first reads and then writes would begin as a
  /// reader, and SQLite refuses its later upgrade at once, without asking the busy handler, when
  /// another connection has written meanwhile.
  public func beginWrite() throws(SQLiteError) { try run("BEGIN IMMEDIATE") }

  /// Begins one consistent view; it is fixed at the first read.
  public func beginRead() throws(SQLiteError) { try run("BEGIN DEFERRED") }

  /// Makes the transaction durable.
  public func commit() throws(SQLiteError) { try run("COMMIT") }

  /// Ends the transaction, if one is open, as if it had never begun.
  public func rollback() {
    guard isInTransaction else { return }
    do {
      try run("ROLLBACK")
    } catch {
      // After this nothing can be said about the connection; SQLite rolls back when it closes.
      close()
    }
  }

  /// Runs `body` in a transaction that holds the write lock from its start and is durable when
  /// this returns. If `body` or the commit throws, nothing of it stays.
  @discardableResult
  public func write<Result>(_ body: () throws -> Result) throws -> Result {
    try beginWrite()
    do {
      let result = try body()
      try commit()
      return result
    } catch {
      rollback()
      throw error
    }
  }

  /// Runs `body` on one consistent view.
  public func read<Result>(_ body: () throws -> Result) throws -> Result {
    try beginRead()
    defer { rollback() }
    return try body()
  }

  /// Runs `body` in a part of the present transaction that alone is undone if it throws.
  ///
  /// If SQLite has ended the whole transaction meanwhile, ``isInTransaction`` is false afterwards
  /// and nothing can be kept.
  @discardableResult
  public func savepoint<Result>(_ body: () throws -> Result) throws -> Result {
    try beginPart()
    do {
      let result = try body()
      try keepPart()
      return result
    } catch {
      try undoPart()
      throw error
    }
  }

  /// Begins a part of the present transaction that can be undone alone, until ``keepPart()`` or
  /// ``undoPart()``. Parts lie within one another.
  public func beginPart() throws(SQLiteError) {
    precondition(isInTransaction, "a savepoint lies inside a transaction")
    try run("SAVEPOINT part")
  }

  /// Ends the innermost part; its changes stay, as long as what it lies in stays.
  public func keepPart() throws(SQLiteError) {
    if isInTransaction { try run("RELEASE part") }
  }

  /// Ends the innermost part as if it had never begun.
  public func undoPart() throws(SQLiteError) {
    guard isInTransaction else { return }
    try run("ROLLBACK TO part")
    try run("RELEASE part")
  }

  /// Moves what is in the WAL into the database file and empties the WAL. Waits for readers up to
  /// the busy timeout.
  ///
  /// - Returns: whether all of it was moved; false if a reader held it up.
  @discardableResult
  public func checkpoint() throws(SQLiteError) -> Bool {
    let busy = try first("PRAGMA wal_checkpoint(TRUNCATE)") { (row) throws(SQLiteError) in
      try row.integer()
    }
    return busy == 0
  }

  /// Reads the whole database and sees that it is of one piece. For small files, as they are
  /// opened: it takes some milliseconds a megabyte.
  ///
  /// - Throws: `damaged` if it is not.
  public func checkIntegrity() throws(SQLiteError) {
    let first = try first("PRAGMA integrity_check(1)") { (row) throws(SQLiteError) in
      try row.text()
    }
    // What SQLite found may quote an index, never a value; but nobody could act on it.
    guard first == "ok" else { throw SQLiteError(.damaged, "the database is not of one piece") }
  }
}
