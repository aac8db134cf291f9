import SQLiteConnection
import SystemRuntime

/// Copies a store while it is in use, and puts a copy back. Blocks as long as the copy takes.
public enum StoreBackup {
  /// What a copy holds.
  public struct Report: Hashable, Sendable {
    /// Rows of each table, by name.
    public var tables: [Table]
    /// The last step of the schema's history that it has.
    public var version: String
    /// Bytes of the file.
    public var bytes: Int64
  }

  /// A table and how many rows it has.
  public struct Table: Hashable, Sendable {
    /// Its name.
    public var name: String
    /// Its rows.
    public var rows: Int64
  }

  /// Findings of a damaged file that are told.
  private static let faultsMax = 5

  /// Copies the store at `source` as it is at one moment, checks the copy, and then gives it its
  /// name: what stands at `path` is whole, also after a kill.
  ///
  /// - Parameter replaces: whether a file that is there is replaced.
  /// - Throws: ``BackupError``.
  public static func save(
    _ source: String, to path: String, replaces: Bool,
    onProgress: (_ done: Int, _ all: Int) -> Void = { _, _ in }
  ) throws(BackupError) -> Report {
    guard Files.exists(source) else { throw BackupError(.missing, "there is no store \(source)") }
    try requireFree(path, replaces: replaces)
    return try throwingBackupErrors(path) {
      let database = try openSource(source)
      defer { database.close() }
      _ = try database.migrations()
      let temporary = "\(path).incomplete-\(ProcessFacts.identifier)"
      defer { removeAll(temporary) }
      removeAll(temporary)
      let counts = try database.copy(to: temporary, onProgress: onProgress) {
        try database.rowCounts()
      }
      let report = try check(temporary)
      guard report.tables == counts.map({ Table(name: $0.table, rows: $0.rows) }) else {
        throw BackupError(.damaged, "the copy has other rows than the store")
      }
      try place(temporary, at: path, replaces: replaces)
      return report
    }
  }

  /// Checks a copy: its pages, its references, and that this program knows its schema.
  ///
  /// - Throws: ``BackupError``.
  public static func verify(_ path: String) throws(BackupError) -> Report {
    guard Files.exists(path) else { throw BackupError(.missing, "there is no file \(path)") }
    return try throwingBackupErrors(path) { try check(path) }
  }

  /// Puts the copy at `source` in place of the store at `path`; the copy stays.
  ///
  /// A store that is there is kept beside, its name ended by `.replaced`.
  ///
  /// - Throws: ``BackupError``: `inUse` if any process has the store open.
  public static func restore(
    _ source: String, to path: String, replaces: Bool,
    onProgress: (_ done: Int, _ all: Int) -> Void = { _, _ in }
  ) throws(BackupError) -> Report {
    guard Files.exists(source) else { throw BackupError(.missing, "there is no file \(source)") }
    if let holder = SQLiteDatabase.holder(of: path) {
      throw BackupError(.inUse, "process \(holder) has the store open: stop it first")
    }
    try requireFree(path, replaces: replaces)
    return try throwingBackupErrors(path) {
      let database = try openSource(source)
      defer { database.close() }
      let temporary = "\(path).incomplete-\(ProcessFacts.identifier)"
      defer { removeAll(temporary) }
      removeAll(temporary)
      try database.copy(to: temporary, onProgress: onProgress) { _ = try database.rowCounts() }
      let report = try check(temporary)
      if Files.exists(path) { try keepOld(path) }
      try Files.move(temporary, to: path, replaces: replaces)
      return report
    }
  }

  private static func requireFree(_ path: String, replaces: Bool) throws(BackupError) {
    for suffix in sideFiles where path.hasSuffix(suffix) {
      let database = String(path.dropLast(suffix.count))
      guard Files.exists(database) else { continue }
      // Its latest changes stand there alone.
      throw BackupError(.inUse, "\(path) is a part of the database \(database)")
    }
    guard !replaces, Files.exists(path) else { return }
    throw BackupError(.exists, "\(path) is there already; --force replaces it")
  }

  private static func check(_ path: String) throws -> Report {
    let database = try SQLiteDatabase(path: path)
    defer { database.close() }
    let steps = try database.migrations()
    let known = Schema.history.map(\.id)
    guard steps.count <= known.count, steps == Array(known.prefix(steps.count)),
      let version = steps.last
    else {
      throw BackupError(
        .newer,
        "it was made by a newer program: its schema has step \(steps.last ?? "none"), which this "
          + "one does not know")
    }
    let faults = try database.faults(limit: faultsMax)
    guard faults.isEmpty else {
      throw BackupError(.damaged, "it is damaged: \(faults.joined(separator: "; "))")
    }
    let tables = try database.rowCounts().map { Table(name: $0.table, rows: $0.rows) }
    return Report(tables: tables, version: version, bytes: try Files.size(path))
  }

  /// Gives a checked copy its name. The side files of what stood there belong to other content.
  private static func place(_ temporary: String, at path: String, replaces: Bool) throws {
    if replaces, Files.exists(path) {
      if let holder = SQLiteDatabase.holder(of: path) {
        throw BackupError(.inUse, "process \(holder) has \(path) open as a database")
      }
      for suffix in sideFiles { try Files.removeTree(path + suffix) }
    }
    try Files.move(temporary, to: path, replaces: replaces)
  }

  /// Gives the old store a second name. Its last changes, which may stand in a side file, are put
  /// into it first; where that cannot be done, the side files are kept as they are.
  private static func keepOld(_ path: String) throws {
    if let old = try? SQLiteDatabase(path: path) {
      _ = try? old.checkpoint()
      old.close()
    }
    removeAll("\(path).replaced")
    for suffix in sideFiles where Files.exists(path + suffix) {
      try Files.move(path + suffix, to: "\(path).replaced\(suffix)", replaces: true)
    }
    try Files.addName("\(path).replaced", to: path)
  }

  private static let sideFiles = ["-wal", "-shm"]

  /// Best effort: what cannot be removed is named as unfinished.
  private static func removeAll(_ path: String) {
    for suffix in [""] + sideFiles + ["-journal"] { _ = try? Files.removeTree(path + suffix) }
  }

  private static func openSource(_ path: String) throws(BackupError) -> SQLiteDatabase {
    do {
      return try SQLiteDatabase(path: path, access: .readOnly)
    } catch {
      throw BackupError(error, at: path)
    }
  }

  /// - Parameter path: the file that is written, which an error names.
  private static func throwingBackupErrors<Result>(
    _ path: String, _ body: () throws -> Result
  ) throws(BackupError) -> Result {
    do {
      return try body()
    } catch let error as BackupError {
      throw error
    } catch let error as SQLiteError {
      throw BackupError(error, at: path)
    } catch {
      throw BackupError(.unwritable, "\(error)")
    }
  }
}

/// Why a store was not copied or put back; nothing was changed.
public struct BackupError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What the caller may do next.
  public enum Kind: Hashable, Sendable {
    /// There is no such file.
    case missing
    /// The target is there already.
    case exists
    /// A process has the store open.
    case inUse
    /// Not a store, or not whole.
    case damaged
    /// Of a newer program.
    case newer
    /// No room, or not permitted.
    case unwritable
  }

  /// What the caller may do next.
  public let kind: Kind
  /// What happened; names files and tables, no values.
  public let description: String

  init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }

  init(_ error: SQLiteError, at path: String) {
    let kind: Kind =
      switch error.kind {
      case .damaged, .constraint, .fault: .damaged
      case .newer: .newer
      case .busy: .inUse
      case .full, .readOnly, .unreachable, .duplicate: .unwritable
      }
    self.init(kind, "\(path): \(error)")
  }
}
