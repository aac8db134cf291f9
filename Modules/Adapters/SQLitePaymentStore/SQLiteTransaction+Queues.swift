import PaymentModels
import PaymentStore
import SQLiteConnection

extension SQLiteTransaction {
  // MARK: Outbox

  func insertMessage(_ message: MessageRow) throws {
    try write(MessageRow.sql.insert, message.values)
    touch(message.orderID)
  }

  func updateMessage(_ message: MessageRow) throws {
    guard try write(MessageRow.sql.update, message.values) == 1 else {
      throw StoreError(.missing, "message")
    }
    touch(message.orderID)
  }

  func messagesDue(at now: Instant, limit: Int) throws -> [MessageRow] {
    try all(
      MessageRow.sql.select + """
         AS message WHERE delivered_at IS NULL AND next_try_at <= ? AND NOT EXISTS (
           SELECT 1 FROM messages AS earlier
           WHERE earlier.order_id = message.order_id AND earlier.delivered_at IS NULL
             AND earlier.sequence < message.sequence)
         ORDER BY next_try_at, id LIMIT ?
        """, [.instant(now), bound(limit)], MessageRow.decode)
  }

  func message(_ id: MessageID) throws -> MessageRow? {
    try first(MessageRow.sql.select + " WHERE id = ?", [.id(id)], MessageRow.decode)
  }

  func messages(
    in state: MessageRow.State?, before: MessageID?, limit: Int
  ) throws -> [MessageRow] {
    // U+10FFFF sorts behind every id. The undelivered ones, which are few, have an index.
    let condition =
      switch state {
      case nil: ""
      case .waiting: "delivered_at IS NULL AND next_try_at IS NOT NULL AND "
      case .dead: "delivered_at IS NULL AND next_try_at IS NULL AND "
      case .delivered: "delivered_at IS NOT NULL AND "
      }
    return try all(
      MessageRow.sql.select + " WHERE \(condition)id < ? ORDER BY id DESC LIMIT ?",
      [.text(before?.rawValue ?? "\u{10FFFF}"), bound(limit)], MessageRow.decode)
  }

  func messages(of order: OrderID) throws -> [MessageRow] {
    try all(
      MessageRow.sql.select + " WHERE order_id = ? ORDER BY sequence", [.id(order)],
      MessageRow.decode)
  }
}

extension MessageRow {
  fileprivate static let sql = TableSQL(
    "messages",
    columns: """
      id order_id sequence kind payment_id amount_minor_units amount_currency amount_exponent \
      created_at delivered_at tries next_try_at
      """)

  fileprivate var values: [SQLiteValue] {
    let first: [SQLiteValue] = [
      .id(id), .id(orderID), .integer(sequence), .word(kind), .id(paymentID),
    ]
    let last: [SQLiteValue] = [
      .instant(createdAt), .instant(deliveredAt), .count(tries), .instant(nextTryAt),
    ]
    return first + amount.values + last
  }

  fileprivate static func decode(_ row: inout SQLiteRow) throws(SQLiteError) -> MessageRow {
    var message = MessageRow(
      id: try row.id(), orderID: try row.id(), sequence: try row.integer(), kind: try row.word(),
      paymentID: try row.optionalID(), amount: try row.money(), createdAt: try row.instant())
    message.deliveredAt = try row.optionalInstant()
    message.tries = try row.count()
    message.nextTryAt = try row.optionalInstant()
    return message
  }
}
