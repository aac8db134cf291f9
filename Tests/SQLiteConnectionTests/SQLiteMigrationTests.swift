import SQLiteConnection
import SystemRuntime
import TestSupport
import Testing

@Suite struct SQLiteMigrationTests {
  private static let history = [
    SQLiteMigration(id: "0001-a", sql: "CREATE TABLE a (n INTEGER PRIMARY KEY) STRICT;"),
    SQLiteMigration(
      id: "0002-b",
      sql: """
        CREATE TABLE b (n INTEGER REFERENCES a (n)) STRICT;
        INSERT INTO a VALUES (7);
        """),
  ]

  private func tables(_ database: SQLiteDatabase) throws -> [String] {
    try database.all("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name") {
      (row) throws(SQLiteError) in try row.text()
    }
  }

  private func withDatabase(_ body: (SQLiteDatabase) throws -> Void) async throws {
    try await withTemporaryDirectory { directory in
      try body(try SQLiteDatabase(path: "\(directory)/m.sqlite"))
    }
  }

  private func kind(_ database: SQLiteDatabase, _ history: [SQLiteMigration]) -> SQLiteError.Kind? {
    do {
      try database.migrate(history)
      return nil
    } catch {
      return (error as? SQLiteError)?.kind
    }
  }

  @Test func `steps are applied once, in order, whatever was applied before`() async throws {
    try await withDatabase { database in
      try database.migrate([Self.history[0]])
      #expect(try tables(database) == ["a", "till_migrations"])
      try database.migrate(Self.history)
      try database.migrate(Self.history)
      #expect(try tables(database) == ["a", "b", "till_migrations"])
    }
  }

  @Test func `a step that fails leaves the schema and the list as they were`() async throws {
    try await withDatabase { database in
      try database.migrate([Self.history[0]])
      let broken = SQLiteMigration(id: "0002-x", sql: "CREATE TABLE c (n INTEGER); SELECT wrong;")
      #expect(kind(database, [Self.history[0], broken]) == .fault)
      #expect(try tables(database) == ["a", "till_migrations"])
      #expect(kind(database, Self.history) == nil)
    }
  }

  @Test func `a step that leaves a reference to nothing is refused`() async throws {
    try await withDatabase { database in
      try database.migrate(Self.history)
      let broken = SQLiteMigration(
        id: "0003",
        sql: """
          PRAGMA defer_foreign_keys = ON;
          INSERT INTO b VALUES (99);
          """)
      #expect(kind(database, Self.history + [broken]) == .constraint)
      #expect(kind(database, Self.history) == nil)
    }
  }

  @Test func `a table that others name is made anew, and they go on naming it`() async throws {
    try await withDatabase { database in
      try database.migrate(Self.history)
      try database.run("INSERT INTO b VALUES (7)")
      let anew = SQLiteMigration(
        id: "0003",
        sql: """
          CREATE TABLE new_a (n INTEGER PRIMARY KEY, m TEXT) STRICT;
          INSERT INTO new_a SELECT n, NULL FROM a;
          DROP TABLE a;
          ALTER TABLE new_a RENAME TO a;
          """)
      #expect(kind(database, Self.history + [anew]) == nil)
      #expect(throws: SQLiteError.self) { try database.run("INSERT INTO b VALUES (8)") }
      #expect(throws: SQLiteError.self) { try database.run("DELETE FROM a") }
      #expect(try database.run("INSERT INTO a VALUES (8, 'x')") == 1)
    }
  }

  @Test func `a database that knows more steps, or others, is newer`() async throws {
    try await withDatabase { database in
      try database.migrate(Self.history)
      #expect(kind(database, [Self.history[0]]) == .newer)
      let other = SQLiteMigration(id: "0002-other", sql: "CREATE TABLE c (n INTEGER) STRICT;")
      #expect(kind(database, [Self.history[0], other]) == .newer)
      #expect(try tables(database) == ["a", "b", "till_migrations"])
    }
  }

  @Test func `a database of another program is left alone`() async throws {
    try await withDatabase { database in
      try database.run("CREATE TABLE theirs (n INTEGER)")
      #expect(kind(database, Self.history) == .damaged)
      #expect(try tables(database) == ["theirs"])
    }
  }

  @Test func `a file that is no database is damaged`() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/m.sqlite"
      try Files.replace(path, with: Array(repeating: UInt8(ascii: "x"), count: 5_000))
      let error = #expect(throws: SQLiteError.self) { try SQLiteDatabase(path: path) }
      #expect(error?.kind == .damaged)
    }
  }

  @Test func `a missing file is made for writing and refused for reading`() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/m.sqlite"
      let missing = #expect(throws: SQLiteError.self) {
        try SQLiteDatabase(path: path, access: .readOnly)
      }
      #expect(missing?.kind == .unreachable)
      _ = try SQLiteDatabase(path: path)
      #expect(try !Files.isOpenToOthers(path))
      let nowhere = #expect(throws: SQLiteError.self) {
        try SQLiteDatabase(path: "\(directory)/no/m.sqlite")
      }
      #expect(nowhere?.kind == .unreachable)
    }
  }
}
