import PaymentModels

/// One transaction on a copy of the tables.
final class InMemoryTransaction: PaymentTransaction {
  private(set) var tables: InMemoryTables
  private let mayWrite: Bool
  private var isOpen = true
  private var touchedOrders: Set<OrderID> = []
  private var touchedPayments: Set<PaymentID> = []

  init(_ tables: InMemoryTables, mayWrite: Bool) {
    self.tables = tables
    self.mayWrite = mayWrite
  }

  /// Ends the transaction; whoever kept it past its body traps at the next use.
  func close() { isOpen = false }

  var changes: CommittedChanges {
    CommittedChanges(orders: touchedOrders, payments: touchedPayments)
  }

  /// Checks that the tables may be looked at now.
  func requireOpen() {
    precondition(isOpen, "a transaction was used after its body returned")
  }

  /// The only way to change the tables.
  func change(_ body: (inout InMemoryTables) throws -> Void) throws {
    requireOpen()
    guard mayWrite else { throw StoreError(.readOnly, "a read transaction writes nothing") }
    try body(&tables)
  }

  func touch(_ order: OrderID) { touchedOrders.insert(order) }

  func touch(_ payment: PaymentID) {
    touchedPayments.insert(payment)
    if let row = tables.payments[payment] { touchedOrders.insert(row.orderID) }
  }

  // MARK: Orders

  func insertOrder(_ order: OrderRow) throws {
    try change { tables in
      guard tables.orders[order.id] == nil else { throw StoreError(.duplicate, "order id") }
      tables.orders[order.id] = order
    }
    touch(order.id)
  }

  func order(_ id: OrderID) throws -> OrderRow? {
    requireOpen()
    return tables.orders[id]
  }

  func updateOrder(_ order: OrderRow) throws {
    try change { tables in
      guard let stored = tables.orders[order.id] else { throw StoreError(.missing, "order") }
      guard stored.version == order.version else { throw StoreError(.stale, "order") }
      var updated = order
      updated.version += 1
      tables.orders[order.id] = updated
    }
    touch(order.id)
  }

  // MARK: Idempotency keys

  func idempotency(_ scope: String, _ key: String) throws -> IdempotencyRow? {
    requireOpen()
    return tables.idempotency[InMemoryTables.IdempotencyKey(scope: scope, key: key)]
  }

  func insertIdempotency(_ row: IdempotencyRow) throws {
    try change { tables in
      let key = InMemoryTables.IdempotencyKey(scope: row.scope, key: row.key)
      guard tables.idempotency[key] == nil else {
        throw StoreError(.duplicate, "idempotency key")
      }
      try tables.require(row.orderID)
      try tables.require(row.paymentID)
      tables.idempotency[key] = row
    }
  }
}

extension InMemoryTables {
  /// The foreign keys of the durable schema.
  func require(_ order: OrderID) throws {
    guard orders[order] != nil else { throw StoreError(.constraint, "names no stored order") }
  }

  func require(_ payment: PaymentID) throws {
    guard payments[payment] != nil else {
      throw StoreError(.constraint, "names no stored payment")
    }
  }
}

extension Array {
  /// The first `limit` elements. A negative limit is a fault of the caller.
  func limited(to limit: Int) -> [Element] {
    precondition(limit >= 0, "a limit is not negative")
    return Array(prefix(limit))
  }
}
