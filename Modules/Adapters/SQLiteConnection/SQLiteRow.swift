/// The present row of a query, read column by column from the left.
///
/// Valid only inside the closure that got it; it cannot be copied out. Each getter takes the next
/// column and throws `damaged` if the value is not of that type.
public struct SQLiteRow: ~Copyable {
  private let statement: SQLiteStatement
  private var column: Int32 = 0

  init(_ statement: SQLiteStatement) {
    self.statement = statement
  }

  private mutating func next() -> Int32 {
    defer { column += 1 }
    return column
  }

  /// The next column, an integer.
  public mutating func integer() throws(SQLiteError) -> Int64 { try statement.integer(next()) }

  /// The next column, a text.
  public mutating func text() throws(SQLiteError) -> String { try statement.text(next()) }

  /// The next column, bytes.
  public mutating func blob() throws(SQLiteError) -> [UInt8] { try statement.blob(next()) }

  /// The next column, an integer or NULL.
  public mutating func optionalInteger() throws(SQLiteError) -> Int64? {
    let column = next()
    return statement.isNull(column) ? nil : try statement.integer(column)
  }

  /// The next column, a text or NULL.
  public mutating func optionalText() throws(SQLiteError) -> String? {
    let column = next()
    return statement.isNull(column) ? nil : try statement.text(column)
  }
}
