public import PaymentStore
import SQLiteConnection
import SystemRuntime

/// Looks at a store's file without changing it, also while a server works with it.
public enum StoreExamination {
  /// What the file is.
  public struct Facts: Hashable, Sendable {
    /// Bytes of the database.
    public var bytes: Int64
    /// Bytes of its write-ahead log; 0 if there is none.
    public var walBytes: Int64
    /// The last step of the schema's history that it has.
    public var version: String
    /// Whether that is the newest that this program knows.
    public var isCurrent: Bool
    /// What is wrong with it; empty if nothing.
    public var faults: [String]
  }

  private static let faultsMax = 5

  /// Reads the whole file and says what is wrong with it.
  ///
  /// - Throws: ``PaymentStore/StoreError``: `unusable` if it is no store, or none of this program.
  public static func facts(_ path: String) throws(StoreError) -> Facts {
    try opened(path) { database in
      let steps = try database.migrations()
      let wal = "\(path)-wal"
      return Facts(
        bytes: try Files.size(path), walBytes: Files.exists(wal) ? try Files.size(wal) : 0,
        version: steps.last ?? "none", isCurrent: steps == Schema.history.map(\.id),
        faults: try database.faults(limit: faultsMax))
    }
  }

  /// Runs `body` on one consistent view of a store whose schema is the newest.
  ///
  /// - Throws: ``PaymentStore/StoreError``.
  public static func read<Result>(
    _ path: String, _ body: (any PaymentTransaction) throws -> Result
  ) throws(StoreError) -> Result {
    try opened(path) { database in
      try database.read {
        let transaction = SQLiteTransaction(database, mayWrite: false)
        defer { transaction.close() }
        return try body(transaction)
      }
    }
  }

  private static func opened<Result>(
    _ path: String, _ body: (SQLiteDatabase) throws -> Result
  ) throws(StoreError) -> Result {
    do {
      let database = try SQLiteDatabase(path: path, access: .readOnly)
      defer { database.close() }
      return try body(database)
    } catch let error as SQLiteError {
      throw StoreError(error)
    } catch let error as StoreError {
      throw error
    } catch {
      throw StoreError(.unusable, "\(error)")
    }
  }
}
