/// One step of a schema's history. Once released, a step never changes; a new one is added.
public struct SQLiteMigration: Hashable, Sendable {
  /// Unique in its history: `0001-first`.
  public let id: String
  /// The statements that make the step.
  public let sql: String

  /// Builds a step.
  public init(id: String, sql: String) {
    self.id = id
    self.sql = sql
  }
}

extension SQLiteDatabase {
  /// Brings the schema up to the end of `history`, all missing steps in one transaction together
  /// with the note that they were applied.
  ///
  /// - Throws: `newer` if the file knows a step that is not in `history`, `damaged` if it is a
  ///   database of another program, `constraint` if a step leaves a reference to nothing.
  public func migrate(_ history: [SQLiteMigration]) throws {
    // A table is made anew by dropping it, which rows that name its own would forbid. What they
    // name is looked at in the end. Within a transaction the setting cannot be changed.
    try run("PRAGMA foreign_keys = OFF")
    try apply(history)
    try run("PRAGMA foreign_keys = ON")
  }

  private func apply(_ history: [SQLiteMigration]) throws {
    try write {
      let applied = try appliedMigrations()
      guard applied.count <= history.count, applied == history.prefix(applied.count).map(\.id)
      else { throw SQLiteError(.newer, "the database is newer than this program") }
      for step in history.dropFirst(applied.count) {
        try script(step.sql)
        try run("INSERT INTO till_migrations (id) VALUES (?)", [.text(step.id)])
      }
      guard applied.count < history.count else { return }
      let isBroken = try first("PRAGMA foreign_key_check") { _ in true } ?? false
      if isBroken { throw SQLiteError(.constraint, "a migration left a reference to nothing") }
    }
  }

  private func appliedMigrations() throws(SQLiteError) -> [String] {
    let tables = try all(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite~_%' ESCAPE '~'"
        + " ORDER BY name"
    ) { (row) throws(SQLiteError) in try row.text() }
    guard !tables.isEmpty else {
      try run(
        "CREATE TABLE till_migrations (position INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE)"
          + " STRICT")
      return []
    }
    guard tables.contains("till_migrations") else {
      throw SQLiteError(.damaged, "the database belongs to another program")
    }
    return try all("SELECT id FROM till_migrations ORDER BY position") {
      (row) throws(SQLiteError) in try row.text()
    }
  }
}
