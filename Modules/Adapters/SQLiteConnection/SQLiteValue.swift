/// A value to bind.
public enum SQLiteValue: Hashable, Sendable {
  /// No value.
  case null
  /// A 64-bit integer.
  case integer(Int64)
  /// Text, stored as UTF-8; a NUL inside is kept.
  case text(String)
  /// Bytes.
  case blob([UInt8])

  /// Text or NULL.
  public static func text(_ text: String?) -> SQLiteValue { text.map { .text($0) } ?? .null }

  /// An integer or NULL.
  public static func integer(_ integer: Int64?) -> SQLiteValue {
    integer.map { .integer($0) } ?? .null
  }
}
