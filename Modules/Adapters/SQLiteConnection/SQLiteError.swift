import CTillSQLite

/// Why SQLite refused, without any value that was bound.
public struct SQLiteError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What the caller may do next.
  public enum Kind: String, Hashable, Sendable {
    /// Another connection held the lock for longer than the busy timeout: run the whole
    /// transaction again, never the single statement.
    case busy
    /// No room for more pages.
    case full
    /// The file, its directory or this connection cannot be written.
    case readOnly
    /// The file cannot be opened, or the disk failed.
    case unreachable
    /// A key is taken.
    case duplicate
    /// Another rule of the schema was broken.
    case constraint
    /// The file is damaged, not a database, not of this program, or a value is not of the type
    /// that its column must have.
    case damaged
    /// A later version of the program has changed the schema.
    case newer
    /// A fault of ours: wrong SQL, wrong use, no memory.
    case fault
  }

  /// What the caller may do next.
  public let kind: Kind
  /// SQLite's primary result code; 0 if the refusal is the wrapper's own.
  public let code: Int32
  /// SQLite's extended result code; 0 if the refusal is the wrapper's own.
  public let extendedCode: Int32
  /// SQLite's own words. They name tables and columns, never values.
  public let message: String
  /// The statement, with its placeholders.
  public let sql: String?

  /// - Parameter systemError: the number that the operating system gave for it; 0 if none.
  init(extendedCode: Int32, message: String, sql: String?, systemError: Int32 = 0) {
    kind = Self.kind(extendedCode, systemError)
    code = extendedCode & 0xFF
    self.extendedCode = extendedCode
    self.message = message
    self.sql = sql
  }

  /// A refusal of the wrapper, or of a caller that found a stored value it cannot read.
  public init(_ kind: Kind, _ message: String, sql: String? = nil) {
    self.kind = kind
    code = 0
    extendedCode = 0
    self.message = message
    self.sql = sql
  }

  /// Codes, words and statement.
  public var description: String {
    "sqlite \(kind.rawValue) (\(extendedCode)): \(message)\(sql.map { " in: \($0)" } ?? "")"
  }

  private static func kind(_ extendedCode: Int32, _ systemError: Int32) -> Kind {
    switch extendedCode {
    case till_constraint_unique, till_constraint_primary_key, till_constraint_rowid:
      return .duplicate
    default: break
    }
    switch extendedCode & 0xFF {
    case SQLITE_BUSY, SQLITE_LOCKED: return .busy
    case SQLITE_FULL: return .full
    case SQLITE_READONLY, SQLITE_PERM: return .readOnly
    case SQLITE_CANTOPEN, SQLITE_IOERR:
      // SQLite tells a full disk by its own code at writes alone, and a disk that was made read
      // only under an open file not at all.
      switch systemError {
      // A limit of the file size is no room either.
      case ENOSPC, EDQUOT, EFBIG: return .full
      case EROFS, EACCES, EPERM: return .readOnly
      default: return .unreachable
      }
    case SQLITE_CONSTRAINT, SQLITE_TOOBIG: return .constraint
    case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_MISMATCH: return .damaged
    default: return .fault
    }
  }
}
