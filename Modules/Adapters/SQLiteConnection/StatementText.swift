/// The text of a statement as the key of those that are kept prepared.
///
/// Texts are hundreds of bytes long and differ in length or near their end, so the hash takes no
/// more than that: it would cost as much as the query.
struct StatementText: Hashable {
  private static let hashedBytes = 16

  let sql: String

  init(_ sql: String) { self.sql = sql }

  func hash(into hasher: inout Hasher) {
    hasher.combine(sql.utf8.count)
    for byte in sql.utf8.suffix(Self.hashedBytes) { hasher.combine(byte) }
  }
}
