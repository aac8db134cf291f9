/// The tables of ``InMemoryPaymentStore`` with its transactions, for whoever decides by itself who
/// comes next, as a simulated disk does.
package struct InMemoryBook: Sendable {
  private var tables = InMemoryTables()
  private let onCommit: CommitObserver?

  /// Empty tables that tell `onCommit` what each commit touched.
  package init(onCommit: CommitObserver? = nil) {
    self.onCommit = onCommit
  }

  /// Runs `body` on a copy of the tables and keeps the copy if it returns.
  package mutating func write<Result>(
    _ body: (any PaymentTransaction) throws -> Result
  ) throws -> Result {
    let transaction = InMemoryTransaction(tables, mayWrite: true)
    defer { transaction.close() }
    let result = try body(transaction)
    tables = transaction.tables
    let changes = transaction.changes
    if !changes.isEmpty { onCommit?(changes) }
    return result
  }

  /// Runs `body` on the tables as they are.
  package func read<Result>(
    _ body: (any PaymentTransaction) throws -> Result
  ) throws -> Result {
    let transaction = InMemoryTransaction(tables, mayWrite: false)
    defer { transaction.close() }
    return try body(transaction)
  }
}
