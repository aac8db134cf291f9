import PaymentModels
import PaymentStore
import SQLiteConnection

extension SQLiteTransaction {
  func insertWebhook(_ webhook: WebhookRow) throws {
    // Most bodies that receive a delivery do nothing else.
    try writeLast(WebhookRow.sql.insert, webhook.values)
  }

  func webhook(_ id: WebhookID) throws -> WebhookRow? {
    try first(WebhookRow.sql.selectByKey, [.id(id)], WebhookRow.decode)
  }

  func updateWebhook(_ webhook: WebhookRow) throws {
    guard try write(WebhookRow.sql.update, webhook.values) == 1 else {
      throw StoreError(.missing, "webhook")
    }
  }

  func webhooksDue(of account: AccountKey?, at now: Instant, limit: Int) throws -> [WebhookRow] {
    if let account {
      return try all(
        WebhookRow.sql.select + """
           WHERE state = 'received' AND provider = ? AND account = ? AND next_try_at <= ?
           ORDER BY received_at, id LIMIT ?
          """, [.id(account.provider), .id(account.account), .instant(now), bound(limit)],
        WebhookRow.decode)
    }
    return try all(
      WebhookRow.sql.select + """
         WHERE state = 'received' AND next_try_at <= ? ORDER BY received_at, id LIMIT ?
        """, [.instant(now), bound(limit)], WebhookRow.decode)
  }

  func openWebhook(_ provider: ProviderName, bodyHash: String) throws -> WebhookRow? {
    try first(WebhookRow.selectOpen, [.id(provider), .text(bodyHash)], WebhookRow.decode)
  }

  func webhook(
    _ provider: ProviderName, _ account: ProviderAccount, eventID: String
  ) throws -> WebhookRow? {
    try first(
      WebhookRow.selectEvent, [.id(provider), .id(account), .text(eventID)], WebhookRow.decode)
  }

  func webhooks(
    in state: WebhookRow.State?, at provider: ProviderName?, before: WebhookID?, limit: Int
  ) throws -> [WebhookRow] {
    // U+10FFFF sorts behind every id. Each form has an index in the order of the list. Its state
    // stands in the text, since the index of those that are not worked off takes no parameter.
    let end = SQLiteValue.text(before?.rawValue ?? "\u{10FFFF}")
    let isWanted = state.map { " state = '\($0.rawValue)' AND" } ?? ""
    guard let provider else {
      return try all(
        WebhookRow.sql.select + " WHERE\(isWanted) id < ? ORDER BY id DESC LIMIT ?",
        [end, bound(limit)], WebhookRow.decode)
    }
    return try all(
      WebhookRow.sql.select + " WHERE\(isWanted) provider = ? AND id < ? ORDER BY id DESC LIMIT ?",
      [.id(provider), end, bound(limit)], WebhookRow.decode)
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

  func webhookCount(in state: WebhookRow.State, at provider: ProviderName) throws -> Int {
    try first(
      "SELECT count(*) FROM webhooks WHERE state = '\(state.rawValue)' AND provider = ?",
      [.id(provider)]
    ) { (row) throws(SQLiteError) in try row.count() } ?? 0
  }

  func removeWebhooks(
    _ provider: ProviderName, in state: WebhookRow.State, keeping newest: Int, limit: Int
  ) throws -> Int {
    // The one behind the newest, and all that are older.
    let those = "state = '\(state.rawValue)' AND provider = ?1"
    return try write(
      """
      DELETE FROM webhooks WHERE id IN (
        SELECT id FROM webhooks WHERE \(those) AND id <= (
          SELECT id FROM webhooks WHERE \(those) ORDER BY id DESC LIMIT 1 OFFSET ?2)
        ORDER BY id LIMIT ?3)
      """, [.id(provider), bound(newest), bound(limit)])
  }

  func removeUnsignedWebhooks(receivedBefore time: Instant, limit: Int) throws -> Int {
    try write(
      """
      DELETE FROM webhooks WHERE id IN (
        SELECT id FROM webhooks
        WHERE state = 'unmatched' AND is_unsigned = 1 AND received_at < ?
        ORDER BY id LIMIT ?)
      """, [.instant(time), bound(limit)])
  }

  func eraseWebhookBodies(
    receivedBefore time: Instant, limit: Int, at now: Instant
  ) throws -> Int {
    try write(
      """
      UPDATE webhooks SET body = x'', checked_headers = NULL, body_erased_at = ?3
      WHERE id IN (
        SELECT id FROM webhooks WHERE body_erased_at IS NULL AND received_at < ?1
        ORDER BY received_at, id LIMIT ?2)
      """, [.instant(time), bound(limit), .instant(now)])
  }
}

extension WebhookRow {
  fileprivate static let sql = TableSQL(
    "webhooks",
    columns: """
      id provider account received_at body body_hash provider_payment_id payment_reference \
      event_id topic is_proof state detail deliveries tries next_try_at body_erased_at \
      checked_headers matched_secret is_unsigned is_concluded
      """)

  // Each delivery asks both, so their texts are made once.
  fileprivate static let selectOpen =
    sql.select + """
       WHERE provider = ? AND body_hash = ? AND state IN ('received', 'unmatched', 'rejected')
       ORDER BY id LIMIT 1
      """
  fileprivate static let selectEvent =
    sql.select + " WHERE provider = ? AND account = ? AND event_id = ? ORDER BY id LIMIT 1"

  fileprivate var values: [SQLiteValue] {
    [
      .id(id), .id(provider), .id(account), .instant(receivedAt), .blob(body), .text(bodyHash),
      .id(providerPaymentID), .id(paymentReference), .text(eventID), .text(topic),
      .flag(isProof), .word(state), .text(detail), .count(deliveries), .count(tries),
      .instant(nextTryAt), .instant(bodyErasedAt), .text(checkedHeaders),
      .integer(matchedSecret.map(Int64.init)), .flag(isUnsigned), .flag(isConcluded),
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
    webhook.bodyErasedAt = try row.optionalInstant()
    webhook.checkedHeaders = try row.optionalText()
    webhook.matchedSecret = try row.optionalInteger().map { Int($0) }
    webhook.isUnsigned = try row.flag()
    webhook.isConcluded = try row.flag()
    return webhook
  }
}
