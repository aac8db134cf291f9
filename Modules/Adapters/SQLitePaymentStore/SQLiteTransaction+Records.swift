import PaymentModels
import PaymentStore
import SQLiteConnection

extension SQLiteTransaction {
  // MARK: Journal

  func appendJournal(_ entry: JournalEntry) throws {
    // Entries are never deleted, so the number that SQLite gives is one above the last.
    try write(
      """
      INSERT INTO journal (
        at, order_id, payment_id, channel, operator_name, trust, event, change, note, webhook_id)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        .instant(entry.at), .id(entry.orderID), .id(entry.paymentID), .word(entry.channel),
        .id(entry.operatorName), .word(entry.trust), .text(entry.event), .text(entry.change),
        .text(entry.note), .id(entry.webhookID),
      ])
  }

  func journal(of order: OrderID, limit: Int) throws -> [JournalEntry] {
    try all(
      """
      SELECT sequence, at, order_id, payment_id, channel, operator_name, trust, event, change,
        note, webhook_id
      FROM journal
      WHERE order_id = ?1 OR payment_id IN (SELECT id FROM payments WHERE order_id = ?1)
      ORDER BY sequence LIMIT ?2
      """, [.id(order), bound(limit)], JournalEntry.decode)
  }

  func journal(of webhook: WebhookID, limit: Int) throws -> [JournalEntry] {
    try all(
      """
      SELECT sequence, at, order_id, payment_id, channel, operator_name, trust, event, change,
        note, webhook_id
      FROM journal WHERE webhook_id = ? ORDER BY sequence DESC LIMIT ?
      """, [.id(webhook), bound(limit)], JournalEntry.decode)
  }

  // MARK: Reviews

  func openReview(_ review: ReviewRow) throws -> Bool {
    let isOpen = try first(
      review.paymentID == nil
        ? """
        SELECT 1 FROM reviews
        WHERE order_id = ? AND kind = ? AND payment_id IS NULL AND resolved_at IS NULL
        """
        : "SELECT 1 FROM reviews WHERE payment_id = ? AND kind = ? AND resolved_at IS NULL",
      [review.paymentID.map { .id($0) } ?? .id(review.orderID), .word(review.kind)]
    ) { _ in true }
    if isOpen != nil { return false }
    try write(
      """
      INSERT INTO reviews (order_id, payment_id, kind, detail, opened_at, resolved_at)
      VALUES (?, ?, ?, ?, ?, ?)
      """,
      [
        .id(review.orderID), .id(review.paymentID), .word(review.kind), .text(review.detail),
        .instant(review.openedAt), .instant(review.resolvedAt),
      ])
    touch(review.orderID)
    if let payment = review.paymentID { try touch(payment) }
    return true
  }

  func resolveReview(
    _ kind: ReviewKind, of order: OrderID, _ payment: PaymentID?, at: Instant
  ) throws -> Bool {
    let changed = try write(
      """
      UPDATE reviews SET resolved_at = ?4
      WHERE order_id = ?1 AND kind = ?2 AND payment_id IS ?3 AND resolved_at IS NULL
      """, [.id(order), .word(kind), .id(payment), .instant(at)])
    guard changed > 0 else { return false }
    touch(order)
    if let payment { try touch(payment) }
    return true
  }

  func reviews(of order: OrderID) throws -> [ReviewRow] {
    try all(
      """
      SELECT order_id, payment_id, kind, detail, opened_at, resolved_at FROM reviews
      WHERE order_id = ? ORDER BY opened_at, number
      """, [.id(order)], ReviewRow.decode)
  }
}

extension JournalEntry {
  fileprivate static func decode(_ row: inout SQLiteRow) throws(SQLiteError) -> JournalEntry {
    let sequence = try row.integer()
    var entry = JournalEntry(
      at: try row.instant(), orderID: try row.optionalID(), paymentID: try row.optionalID(),
      channel: try row.word(), operatorName: try row.optionalID(), trust: try row.word(),
      event: try row.text(), change: try row.optionalText(), note: try row.optionalText(),
      webhookID: try row.optionalID())
    entry.sequence = sequence
    return entry
  }
}

extension ReviewRow {
  fileprivate static func decode(_ row: inout SQLiteRow) throws(SQLiteError) -> ReviewRow {
    var review = ReviewRow(
      orderID: try row.id(), paymentID: try row.optionalID(), kind: try row.word(),
      detail: try row.text(), openedAt: try row.instant())
    review.resolvedAt = try row.optionalInstant()
    return review
  }
}
