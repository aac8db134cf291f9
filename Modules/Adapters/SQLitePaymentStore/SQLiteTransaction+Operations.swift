import PaymentModels
import PaymentStore
import SQLiteConnection

extension SQLiteTransaction {
  // MARK: Items

  func putItem(_ item: PaymentItem, of payment: PaymentID, learnedAt: Instant) throws {
    try write(PaymentItem.put, item.values(of: payment) + [.instant(learnedAt)])
    try touch(payment)
  }

  func items(of payment: PaymentID) throws -> [PaymentItem] {
    try all(
      PaymentItem.sql.select + " WHERE payment_id = ? ORDER BY kind, provider_item_id",
      [.id(payment)], PaymentItem.decode)
  }

  // MARK: Operations

  func insertOperation(_ operation: OperationRow) throws {
    try write(OperationRow.sql.insert, operation.values)
    try touch(operation.paymentID)
  }

  func operation(_ id: OperationID) throws -> OperationRow? {
    try first(OperationRow.sql.select + " WHERE id = ?", [.id(id)], OperationRow.decode)
  }

  func updateOperation(_ operation: OperationRow) throws {
    guard try write(OperationRow.sql.update, operation.values) == 1 else {
      throw StoreError(.missing, "operation")
    }
    try touch(operation.paymentID)
  }

  func operations(of payment: PaymentID) throws -> [OperationRow] {
    try all(
      OperationRow.sql.select + " WHERE payment_id = ? ORDER BY id", [.id(payment)],
      OperationRow.decode)
  }

  func operationsDue(at now: Instant, limit: Int) throws -> [OperationRow] {
    try all(
      OperationRow.sql.select + """
         WHERE state IN ('intent', 'unknown') AND next_try_at <= ?
         ORDER BY next_try_at, id LIMIT ?
        """, [.instant(now), bound(limit)], OperationRow.decode)
  }
}

extension PaymentItem {
  private static let columns = """
    payment_id kind provider_item_id reference amount_minor_units amount_currency \
    amount_exponent created_at
    """

  fileprivate static let sql = TableSQL("payment_items", columns: columns)

  /// The time of learning stays as it was first.
  fileprivate static let put =
    TableSQL("payment_items", columns: columns + " learned_at").insert + """
       ON CONFLICT (payment_id, kind, provider_item_id) DO UPDATE SET
         reference = excluded.reference, amount_minor_units = excluded.amount_minor_units,
         amount_currency = excluded.amount_currency, amount_exponent = excluded.amount_exponent,
         created_at = excluded.created_at
      """

  fileprivate func values(of payment: PaymentID) -> [SQLiteValue] {
    let first: [SQLiteValue] = [
      .id(payment), .word(kind), .text(providerItemID), .text(reference),
    ]
    return first + amount.values + [.instant(createdAt)]
  }

  fileprivate static func decode(_ row: inout SQLiteRow) throws(SQLiteError) -> PaymentItem {
    // The payment's id comes first and is known.
    _ = try row.text()
    return PaymentItem(
      kind: try row.word(), providerItemID: try row.text(), reference: try row.optionalText(),
      amount: try row.money(), createdAt: try row.optionalInstant())
  }
}

extension OperationRow {
  fileprivate static let sql = TableSQL(
    "operations",
    columns: """
      id payment_id kind amount_minor_units amount_currency amount_exponent reason state \
      accepted_at detail tries next_try_at created_at
      """)

  fileprivate var values: [SQLiteValue] {
    let first: [SQLiteValue] = [.id(id), .id(paymentID), .word(kind)]
    let last: [SQLiteValue] = [
      .text(reason), .word(state), .instant(acceptedAt), .text(detail), .count(tries),
      .instant(nextTryAt),
      .instant(createdAt),
    ]
    return first + amount.values + last
  }

  fileprivate static func decode(_ row: inout SQLiteRow) throws(SQLiteError) -> OperationRow {
    var operation = OperationRow(
      id: try row.id(), paymentID: try row.id(), kind: try row.word(), amount: try row.money(),
      reason: try row.optionalText(), createdAt: Instant(milliseconds: 0))
    operation.state = try row.word()
    operation.acceptedAt = try row.optionalInstant()
    operation.detail = try row.optionalText()
    operation.tries = try row.count()
    operation.nextTryAt = try row.optionalInstant()
    operation.createdAt = try row.instant()
    return operation
  }
}
