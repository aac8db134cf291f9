/// The merchant's durable memory of orders, payments and all that happened to them.
///
/// Both calls run a synchronous body: nothing can be awaited inside, so no transaction spans a
/// network call. `SQLitePaymentStore` is the durable one, ``InMemoryPaymentStore`` the one for
/// tests; both pass the same contract suite.
public protocol PaymentStore: Sendable {
  /// Runs `body` in a transaction that is on disk when this returns. If it throws, nothing of it
  /// stays. The body may be run on another thread, once.
  ///
  /// - Throws: what `body` throws, or ``StoreError``.
  func write<Result: Sendable>(
    _ body: @escaping @Sendable (any PaymentTransaction) throws -> Result
  ) async throws -> Result

  /// Runs `body` on one consistent view. Writing in it throws ``StoreError``.
  func read<Result: Sendable>(
    _ body: @escaping @Sendable (any PaymentTransaction) throws -> Result
  ) async throws -> Result

  /// Makes sure that what was erased or deleted so far is nowhere in the store's files any more.
  ///
  /// - Throws: ``StoreError`` of kind `busy` if a reader still sees the old rows; repeat it then.
  func checkpoint() async throws
}

/// Why the store could not do it. Nothing was half-written in any case.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What the caller may do next.
  public enum Kind: String, Hashable, Sendable {
    /// Locked by another process for longer than the busy timeout: the same may work later.
    case busy
    /// No room on the disk: nothing new is accepted until there is.
    case full
    /// The file or its directory cannot be written.
    case readOnly = "read_only"
    /// A row of that key is there already.
    case duplicate
    /// The row was changed since it was loaded: load again and decide anew.
    case stale
    /// No such row.
    case missing
    /// A rule of the schema was broken; a fault of ours.
    case constraint
    /// The file is damaged, not a store, or newer than this program.
    case unusable
  }

  /// What the caller may do next.
  public let kind: Kind
  /// What happened, without values of rows.
  public let detail: String

  /// Builds an error.
  public init(_ kind: Kind, _ detail: String) {
    self.kind = kind
    self.detail = detail
  }

  /// Kind and detail.
  public var description: String { "store \(kind.rawValue): \(detail)" }
}
