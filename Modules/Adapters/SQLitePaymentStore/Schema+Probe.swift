import SQLiteConnection

extension Schema {
  /// One row that is written to learn whether anything can be.
  static let probe = SQLiteMigration(
    id: "0006-probe",
    sql: """
      CREATE TABLE probe (
        id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
        at INTEGER NOT NULL
      ) STRICT;

      """)
}
