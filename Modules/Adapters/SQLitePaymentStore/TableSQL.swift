/// The statements that put, replace and load whole rows of one table, made from its columns.
///
/// Parameters are numbered by column, so one list of values serves insert and update.
struct TableSQL: Sendable {
  /// `INSERT …` with a value for each column.
  let insert: String
  /// `UPDATE …` of the row whose first column is the first value. With a version column it must
  /// hold the given version and gets the next one.
  let update: String
  /// `SELECT` of all columns, up to and including the table's name.
  let select: String
  /// The same of the row whose first column is the one value.
  let selectByKey: String

  /// - Parameter columns: the key first, separated by spaces.
  init(_ table: String, columns text: String) {
    let columns = text.split(separator: " ").map(String.init)
    let numbered = columns.indices.map { "?\($0 + 1)" }
    let names = columns.joined(separator: ", ")
    insert = "INSERT INTO \(table) (\(names)) VALUES (\(numbered.joined(separator: ", ")))"
    select = "SELECT \(names) FROM \(table)"
    selectByKey = "\(select) WHERE \(columns[0]) = ?"
    let changes = zip(columns, numbered).dropFirst().map { column, value in
      column == "version" ? "version = \(value) + 1" : "\(column) = \(value)"
    }
    let version = columns.firstIndex(of: "version").map { " AND version = ?\($0 + 1)" } ?? ""
    update =
      "UPDATE \(table) SET \(changes.joined(separator: ", ")) WHERE \(columns[0]) = ?1\(version)"
  }
}
