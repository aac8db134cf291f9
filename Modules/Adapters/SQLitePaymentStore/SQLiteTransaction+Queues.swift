import PaymentModels
import PaymentStore
import SQLiteConnection

extension SQLiteTransaction {
  // MARK: Inbox

  func insertWebhook(_ webhook: WebhookRow) throws {
    try write(WebhookRow.sql.insert, webhook.values)
  }

  func webhook(_ id: WebhookID) throws -> WebhookRow? {
    try first(WebhookRow.sql.select + " WHERE id = ?", [.id(id)], WebhookRow.decode)
  }

  func updateWebhook(_ webhook: WebhookRow) throws {
    guard try write(WebhookRow.sql.update, webhook.values) == 1 else {
      throw StoreError(.missing, "webhook")
    }
  }

  func webhooksDue(at now: Instant, limit: Int) throws -> [WebhookRow] {
    try all(
      WebhookRow.sql.select + """
         WHERE state = 'received' AND next_try_at <= ? ORDER BY received_at, id LIMIT ?
        """, [.instant(now), bound(limit)], WebhookRow.decode)
  }

  func openWebhook(_ provider: ProviderName, bodyHash: String) throws -> WebhookRow? {
    try first(
      WebhookRow.sql.select + """
         WHERE provider = ? AND body_hash = ? AND state IN ('received', 'unmatched')
         ORDER BY id LIMIT 1
        """, [.id(provider), .text(bodyHash)], WebhookRow.decode)
  }

  func webhook(
    _ provider: ProviderName, _ account: ProviderAccount, eventID: String
  ) throws -> WebhookRow? {
    try first(
      WebhookRow.sql.select + """
         WHERE provider = ? AND account = ? AND event_id = ? ORDER BY id LIMIT 1
        """, [.id(provider), .id(account), .text(eventID)], WebhookRow.decode)
  }

  func heldWebhooks(before: WebhookID?, limit: Int) throws -> [WebhookRow] {
    // U+10FFFF sorts behind every id.
    try all(
      WebhookRow.sql.select + """
         WHERE state IN ('unmatched', 'parked') AND id < ? ORDER BY id DESC LIMIT ?
        """, [.text(before?.rawValue ?? "\u{10FFFF}"), bound(limit)], WebhookRow.decode)
  }

  func unmatchedWebhooks(
    _ provider: ProviderName, naming id: ProviderPaymentID?, or payment: PaymentID?
  ) throws -> [WebhookRow] {
    // Two seeks in two indexes; an OR over both would scan. A NULL equals nothing.
    try all(
      WebhookRow.sql.select + """
         WHERE id IN (
           SELECT id FROM webhooks
           WHERE state = 'unmatched' AND provider = ?1 AND provider_payment_id = ?2
           UNION
           SELECT id FROM webhooks
           WHERE state = 'unmatched' AND provider = ?1 AND payment_reference = ?3)
         ORDER BY id
        """, [.id(provider), .id(id), .id(payment)], WebhookRow.decode)
  }

  func removeUnmatchedWebhooks(keeping newest: Int) throws {
    try write(
      """
      DELETE FROM webhooks WHERE id IN (
        SELECT id FROM (
          SELECT id, row_number() OVER (PARTITION BY provider ORDER BY id DESC) AS place
          FROM webhooks WHERE state = 'unmatched')
        WHERE place > ?)
      """, [bound(newest)])
  }

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

  func messages(of order: OrderID) throws -> [MessageRow] {
    try all(
      MessageRow.sql.select + " WHERE order_id = ? ORDER BY sequence", [.id(order)],
      MessageRow.decode)
  }
}

extension WebhookRow {
  fileprivate static let sql = TableSQL(
    "webhooks",
    columns: """
      id provider account received_at body body_hash provider_payment_id payment_reference \
      event_id topic is_proof state detail deliveries tries next_try_at
      """)

  fileprivate var values: [SQLiteValue] {
    [
      .id(id), .id(provider), .id(account), .instant(receivedAt), .blob(body), .text(bodyHash),
      .id(providerPaymentID), .id(paymentReference), .text(eventID), .text(topic),
      .flag(isProof), .word(state), .text(detail), .count(deliveries), .count(tries),
      .instant(nextTryAt),
    ]
  }

  fileprivate static func decode(_ row: inout SQLiteRow) throws(SQLiteError) -> WebhookRow {
    var webhook = WebhookRow(
      id: try row.id(), provider: try row.id(), account: try row.id(),
      receivedAt: try row.instant(), body: try row.blob(), bodyHash: try row.text(),
      providerPaymentID: try row.optionalID(), paymentReference: try row.optionalID())
    webhook.eventID = try row.optionalText()
    webhook.topic = try row.optionalText()
    webhook.isProof = try row.flag()
    webhook.state = try row.word()
    webhook.detail = try row.optionalText()
    webhook.deliveries = try row.count()
    webhook.tries = try row.count()
    webhook.nextTryAt = try row.optionalInstant()
    return webhook
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
