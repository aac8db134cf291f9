import SQLiteConnection
import SystemRuntime
import TestSupport
import Testing

@Suite struct SQLiteDatabaseTests {
  /// Runs `body` on a new database with one table `notes`.
  private func withDatabase(_ body: (SQLiteDatabase, String) throws -> Void) async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/notes.sqlite"
      let database = try SQLiteDatabase(path: path, busyTimeoutMs: 0)
      try database.run(
        """
        CREATE TABLE notes (
          id INTEGER PRIMARY KEY, body TEXT UNIQUE, bytes BLOB, size INTEGER CHECK (size < 10),
          parent INTEGER REFERENCES notes (id)
        ) STRICT
        """)
      try body(database, path)
    }
  }

  private func count(_ database: SQLiteDatabase) throws -> Int64? {
    try database.first("SELECT count(*) FROM notes") { (row) throws(SQLiteError) in
      try row.integer()
    }
  }

  @Test(arguments: [
    ("journal_mode", "wal"), ("synchronous", "2"), ("foreign_keys", "1"), ("trusted_schema", "0"),
    ("cell_size_check", "1"),
  ])
  func `a connection is set up for money`(_ setting: String, _ right: String) async throws {
    try await withDatabase { database, _ in
      let seen = try database.first("SELECT CAST(\(setting) AS TEXT) FROM pragma_\(setting)") {
        (row) throws(SQLiteError) in try row.text()
      }
      #expect(seen == right)
    }
  }

  @Test(arguments: ["", "plain", "nul \u{0} inside", "\u{0}", "é – 😀", "\r\n"])
  func `a text comes back as it was bound`(_ text: String) async throws {
    try await withDatabase { database, _ in
      try database.run("INSERT INTO notes (body) VALUES (?)", [.text(text)])
      let seen = try database.first("SELECT body FROM notes WHERE body = ?", [.text(text)]) {
        (row) throws(SQLiteError) in try row.text()
      }
      #expect(seen.map { Array($0.utf8) } == Array(text.utf8))
    }
  }

  @Test(arguments: [[], [0], [0, 255, 0, 1], Array(repeating: 9, count: 100_000)] as [[UInt8]])
  func `bytes come back as they were bound`(_ bytes: [UInt8]) async throws {
    try await withDatabase { database, _ in
      try database.run("INSERT INTO notes (bytes) VALUES (?)", [.blob(bytes)])
      let seen = try database.first("SELECT bytes FROM notes") { (row) throws(SQLiteError) in
        try row.blob()
      }
      #expect(seen == bytes)
    }
  }

  @Test(arguments: [Int64.min, -1, 0, 9])
  func `an integer comes back as it was bound`(_ integer: Int64) async throws {
    try await withDatabase { database, _ in
      try database.run("INSERT INTO notes (size) VALUES (?)", [.integer(integer)])
      let seen = try database.first("SELECT size, body FROM notes") {
        (row) throws(SQLiteError) in (try row.optionalInteger(), try row.optionalText())
      }
      #expect(seen?.0 == integer)
      #expect(seen?.1 == nil)
    }
  }

  @Test func `a column of another type is an error, never a zero or an empty text`() async throws {
    try await withDatabase { database, _ in
      try database.run("INSERT INTO notes (body) VALUES ('12')")
      let integer = #expect(throws: SQLiteError.self) {
        try database.first("SELECT body FROM notes") { (row) throws(SQLiteError) in
          try row.integer()
        }
      }
      let text = #expect(throws: SQLiteError.self) {
        try database.first("SELECT bytes FROM notes") { (row) throws(SQLiteError) in
          try row.text()
        }
      }
      #expect(integer?.kind == .damaged)
      #expect(text?.kind == .damaged)
    }
  }

  @Test(arguments: [
    ("INSERT INTO notes (id) VALUES (1)", SQLiteError.Kind.duplicate),
    ("INSERT INTO notes (body) VALUES ('taken')", .duplicate),
    ("INSERT INTO notes (size) VALUES (10)", .constraint),
    ("INSERT INTO notes (parent) VALUES (77)", .constraint),
    ("INSERT INTO notes (size) VALUES ('ten')", .constraint),
    ("INSERT INTO nowhere VALUES (1)", .fault),
    ("INSERT INTO notes (body) VALUES (\"double\")", .fault),
  ])
  func `a refusal says what the caller may do`(_ sql: String, _ kind: SQLiteError.Kind)
    async throws
  {
    try await withDatabase { database, _ in
      try database.run("INSERT INTO notes (id, body) VALUES (1, 'taken')")
      let error = #expect(throws: SQLiteError.self) { try database.run(sql) }
      #expect(error?.kind == kind)
      #expect(error?.sql == sql)
    }
  }

  @Test func `an error names the statement and no value that was bound`() async throws {
    try await withDatabase { database, _ in
      let sql = "INSERT INTO notes (body) VALUES (?)"
      try database.run(sql, [.text("secret-7")])
      let error = #expect(throws: SQLiteError.self) { try database.run(sql, [.text("secret-7")]) }
      #expect(error?.extendedCode == 2067)
      #expect(error?.code == 19)
      #expect(error?.description.contains(sql) == true)
      #expect(error?.description.contains("secret-7") == false)
    }
  }

  @Test func `the same statement may be used while its rows are read`() async throws {
    try await withDatabase { database, _ in
      for id: Int64 in 1...3 {
        try database.run("INSERT INTO notes (id, parent) VALUES (?, ?)", [.integer(id), .null])
      }
      let sql = "SELECT id FROM notes WHERE id > ? ORDER BY id"
      let pairs = try database.all(sql, [.integer(0)]) { (row) throws(SQLiteError) in
        let id = try row.integer()
        let later = try database.all(sql, [.integer(id)]) { (row) throws(SQLiteError) in
          try row.integer()
        }
        return [id] + later
      }
      #expect(pairs == [[1, 2, 3], [2, 3], [3]])
    }
  }

  @Test func `a write that throws leaves nothing`() async throws {
    struct Refused: Error {}
    try await withDatabase { database, _ in
      #expect(throws: Refused.self) {
        try database.write {
          try database.run("INSERT INTO notes (body) VALUES ('gone')")
          throw Refused()
        }
      }
      let rows = try count(database)
      #expect(rows == 0)
      #expect(!database.isInTransaction)
    }
  }

  @Test func `a savepoint that throws undoes its own part alone, at any depth`() async throws {
    struct Refused: Error {}
    try await withDatabase { database, _ in
      try database.write {
        try database.run("INSERT INTO notes (body) VALUES ('kept')")
        try database.savepoint {
          try database.run("INSERT INTO notes (body) VALUES ('outer')")
          #expect(throws: Refused.self) {
            try database.savepoint {
              try database.run("INSERT INTO notes (body) VALUES ('gone')")
              throw Refused()
            }
          }
        }
      }
      let bodies = try database.all("SELECT body FROM notes ORDER BY id") {
        (row) throws(SQLiteError) in try row.text()
      }
      #expect(bodies == ["kept", "outer"])
    }
  }

  @Test func `a read sees one moment although another connection writes`() async throws {
    try await withDatabase { database, path in
      let reader = try SQLiteDatabase(path: path, access: .readOnly)
      try reader.read {
        let before = try count(reader)
        try database.run("INSERT INTO notes (body) VALUES ('new')")
        #expect(try count(reader) == before)
      }
      #expect(try count(reader) == 1)
    }
  }

  @Test func `a connection for reads refuses to write`() async throws {
    try await withDatabase { _, path in
      let reader = try SQLiteDatabase(path: path, access: .readOnly)
      let error = #expect(throws: SQLiteError.self) {
        try reader.run("INSERT INTO notes (body) VALUES ('no')")
      }
      #expect(error?.kind == .readOnly)
    }
  }

  @Test func `a second writer is busy once its timeout is over`() async throws {
    try await withDatabase { database, path in
      let other = try SQLiteDatabase(path: path, busyTimeoutMs: 5)
      try database.beginWrite()
      let error = #expect(throws: SQLiteError.self) { try other.beginWrite() }
      #expect(error?.kind == .busy)
      database.rollback()
      try other.write { try other.run("INSERT INTO notes (body) VALUES ('later')") }
    }
  }

  @Test func `a closed connection refuses, and closing again is fine`() async throws {
    try await withDatabase { database, _ in
      database.close()
      database.close()
      let error = #expect(throws: SQLiteError.self) { try database.run("SELECT 1") }
      #expect(error?.kind == .fault)
      #expect(!database.isInTransaction)
    }
  }

  @Test func `the WAL is empty after a checkpoint`() async throws {
    try await withDatabase { database, path in
      try database.run("INSERT INTO notes (body) VALUES ('x')")
      #expect(try !Files.read("\(path)-wal", bytesMax: 1_000_000).isEmpty)
      try database.checkpoint()
      #expect(try Files.read("\(path)-wal", bytesMax: 1_000_000).isEmpty)
    }
  }
}
