/// A store that lives as long as the process: for tests, simulations and a first try of the kit.
///
/// It keeps every promise of ``PaymentStore`` but the disk. A write works on a copy of the tables
/// and the copy takes their place only if the body returns, so each write costs time in proportion
/// to what is stored; take `SQLitePaymentStore` for anything that must last or grow.
public actor InMemoryPaymentStore: PaymentStore {
  private var book: InMemoryBook

  /// An empty store that tells `onCommit` what each commit touched.
  public init(onCommit: CommitObserver? = nil) {
    book = InMemoryBook(onCommit: onCommit)
  }

  /// Runs `body` on a copy of the tables and keeps the copy if it returns.
  ///
  /// - Throws: what `body` throws.
  public func write<Result: Sendable>(
    _ body: @escaping @Sendable (any PaymentTransaction) throws -> Result
  ) throws -> Result {
    try book.write(body)
  }

  /// Runs `body` on the tables as they are.
  ///
  /// - Throws: what `body` throws; `readOnly` from a method that writes.
  public func read<Result: Sendable>(
    _ body: @escaping @Sendable (any PaymentTransaction) throws -> Result
  ) throws -> Result {
    try book.read(body)
  }

  /// Does nothing: there are no files.
  public func checkpoint() {}
}
