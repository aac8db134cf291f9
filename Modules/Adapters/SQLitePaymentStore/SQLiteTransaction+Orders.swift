import PaymentModels
import PaymentStore
import SQLiteConnection

extension SQLiteTransaction {
  func insertOrder(_ order: OrderRow) throws {
    try atomically {
      try write(OrderRow.sql.insert, order.values)
      try insertLines(of: order)
    }
    touch(order.id)
  }

  private func insertLines(of order: OrderRow) throws {
    for (position, line) in order.lines.enumerated() {
      try write(OrderLine.sql.insert, line.values(of: order.id, at: position))
    }
  }

  func order(_ id: OrderID) throws -> OrderRow? {
    guard var order = try orderWithoutLines(id) else { return nil }
    order.lines = try lines(of: id)
    return order
  }

  func orderWithoutLines(_ id: OrderID) throws -> OrderRow? {
    try first(OrderRow.sql.selectByKey, [.id(id)], OrderRow.decode)
  }

  private func lines(of id: OrderID) throws -> [OrderLine] {
    try all(
      OrderLine.sql.select + " WHERE order_id = ? ORDER BY position", [.id(id)], OrderLine.decode)
  }

  func updateOrder(_ order: OrderRow) throws {
    if try write(OrderRow.sql.update, order.values) == 0 {
      let isThere = try first("SELECT 1 FROM orders WHERE id = ?", [.id(order.id)]) { _ in true }
      throw StoreError(isThere == nil ? .missing : .stale, "order")
    }
    if try lines(of: order.id) != order.lines {
      try atomically {
        try write("DELETE FROM order_lines WHERE order_id = ?", [.id(order.id)])
        try insertLines(of: order)
      }
    }
    touch(order.id)
  }

  // MARK: Idempotency keys

  func idempotency(_ scope: String, _ key: String) throws -> IdempotencyRow? {
    try first(
      IdempotencyRow.sql.select + " WHERE scope = ? AND key = ?", [.text(scope), .text(key)],
      IdempotencyRow.decode)
  }

  func insertIdempotency(_ row: IdempotencyRow) throws {
    try write(IdempotencyRow.sql.insert, row.values)
  }
}

extension OrderRow {
  static let sql = TableSQL(
    "orders",
    columns: """
      id subject total_minor_units total_currency total_exponent state cancel_requested_at \
      cancelled_at refunded_at lowered_due next_sequence is_fulfilled created_at version
      """)

  var values: [SQLiteValue] {
    let first: [SQLiteValue] = [.id(id), .id(subject)]
    let last: [SQLiteValue] = [
      .word(state), .instant(cancelRequestedAt), .instant(cancelledAt),
      .instant(refundedAt), .integer(loweredDue),
      .integer(nextSequence), .flag(isFulfilled), .instant(createdAt), .integer(version),
    ]
    return first + total.values + last
  }

  /// The order without its lines.
  static func decode(_ row: inout SQLiteRow) throws(SQLiteError) -> OrderRow {
    var order = OrderRow(
      id: try row.id(), subject: try row.id(), lines: [], total: try row.money(),
      createdAt: Instant(milliseconds: 0))
    order.state = try row.word()
    order.cancelRequestedAt = try row.optionalInstant()
    order.cancelledAt = try row.optionalInstant()
    order.refundedAt = try row.optionalInstant()
    order.loweredDue = try row.optionalInteger()
    order.nextSequence = try row.integer()
    order.isFulfilled = try row.flag()
    order.createdAt = try row.instant()
    order.version = try row.integer()
    return order
  }
}

extension OrderLine {
  fileprivate static let sql = TableSQL(
    "order_lines",
    columns: """
      order_id position product_id title category quantity unit_price_minor_units \
      unit_price_currency unit_price_exponent
      """)

  fileprivate func values(of order: OrderID, at position: Int) -> [SQLiteValue] {
    let first: [SQLiteValue] = [
      .id(order), .count(position), .text(productID), .text(title), .text(category),
      .integer(quantity),
    ]
    return first + unitPrice.values
  }

  fileprivate static func decode(_ row: inout SQLiteRow) throws(SQLiteError) -> OrderLine {
    // The order's id and the position come first and are known.
    _ = try row.text()
    _ = try row.integer()
    return OrderLine(
      productID: try row.text(), title: try row.text(), category: try row.text(),
      quantity: try row.integer(), unitPrice: try row.money())
  }
}

extension IdempotencyRow {
  fileprivate static let sql = TableSQL(
    "idempotency_keys", columns: "scope key terms_hash order_id payment_id created_at")

  fileprivate var values: [SQLiteValue] {
    [
      .text(scope), .text(key), .text(termsHash), .id(orderID), .id(paymentID),
      .instant(createdAt),
    ]
  }

  fileprivate static func decode(_ row: inout SQLiteRow) throws(SQLiteError) -> IdempotencyRow {
    IdempotencyRow(
      scope: try row.text(), key: try row.text(), termsHash: try row.text(), orderID: try row.id(),
      paymentID: try row.id(), createdAt: try row.instant())
  }
}
