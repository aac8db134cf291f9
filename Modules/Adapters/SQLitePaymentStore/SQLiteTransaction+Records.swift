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

  func journal(of order: OrderID, after: Int64, limit: Int) throws -> [JournalEntry] {
    try all(
      """
      SELECT sequence, at, order_id, payment_id, channel, operator_name, trust, event, change,
        note, webhook_id
      FROM journal
      WHERE sequence > ?2
        AND (order_id = ?1 OR payment_id IN (SELECT id FROM payments WHERE order_id = ?1))
      ORDER BY sequence LIMIT ?3
      """, [.id(order), .integer(after), bound(limit)], JournalEntry.decode)
  }

  func journal(after: Int64, limit: Int) throws -> [JournalEntry] {
    try all(
      """
      SELECT sequence, at, order_id, payment_id, channel, operator_name, trust, event, change,
        note, webhook_id
      FROM journal WHERE sequence > ? ORDER BY sequence LIMIT ?
      """, [.integer(after), bound(limit)], JournalEntry.decode)
  }

  func lastChange(of payment: PaymentID) throws -> JournalEntry? {
    let channels = Channel.allCases.filter(\.bringsProof).map { "'\($0.rawValue)'" }
    return try first(
      """
      SELECT sequence, at, order_id, payment_id, channel, operator_name, trust, event, change,
        note, webhook_id
      FROM journal
      WHERE payment_id = ? AND change IS NOT NULL AND trust = 'proof'
        AND channel IN (\(channels.joined(separator: ", ")))
      ORDER BY sequence DESC LIMIT 1
      """, [.id(payment)], JournalEntry.decode)
  }

  func lastNoted(_ payment: PaymentID) throws -> Instant? {
    try first(
      "SELECT at FROM journal WHERE payment_id = ? ORDER BY sequence DESC LIMIT 1", [.id(payment)]
    ) { (row) throws(SQLiteError) in try row.instant() }
  }

  func probe(at now: Instant) throws {
    try write(
      "INSERT INTO probe (id, at) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET at = excluded.at",
      [.instant(now)])
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

  func updateReview(_ review: ReviewRow) throws {
    let changed = try write(
      """
      UPDATE reviews SET resolved_at = ?2, decision = ?3, decided_by = ?4, decision_reason = ?5,
        decision_key = ?6
      WHERE number = ?1
      """,
      [
        .integer(review.number), .instant(review.resolvedAt),
        .text(review.decision?.decision.rawValue), .id(review.decision?.operatorName),
        .text(review.decision?.reason), .text(review.decision?.idempotencyKey),
      ])
    guard changed == 1 else { throw StoreError(.missing, "review") }
    touch(review.orderID)
    if let payment = review.paymentID { try touch(payment) }
  }

  func review(_ number: Int64) throws -> ReviewRow? {
    try first(ReviewRow.sql.select + " WHERE number = ?", [.integer(number)], ReviewRow.decode)
  }

  func openReviews(after number: Int64, limit: Int) throws -> [ReviewRow] {
    try all(
      ReviewRow.sql.select + " WHERE resolved_at IS NULL AND number > ? ORDER BY number LIMIT ?",
      [.integer(number), bound(limit)], ReviewRow.decode)
  }

  func reviews(of order: OrderID) throws -> [ReviewRow] {
    try all(
      ReviewRow.sql.select + " WHERE order_id = ? ORDER BY opened_at, number", [.id(order)],
      ReviewRow.decode)
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
  fileprivate static let sql = TableSQL(
    "reviews",
    columns: """
      number order_id payment_id kind detail opened_at resolved_at decision decided_by \
      decision_reason decision_key
      """)

  fileprivate static func decode(_ row: inout SQLiteRow) throws(SQLiteError) -> ReviewRow {
    let number = try row.integer()
    var review = ReviewRow(
      orderID: try row.id(), paymentID: try row.optionalID(), kind: try row.word(),
      detail: try row.text(), openedAt: try row.instant())
    review.number = number
    review.resolvedAt = try row.optionalInstant()
    let decision: ReviewDecision? = try row.optionalWord()
    let operatorName: OperatorName? = try row.optionalID()
    let reason = try row.optionalText()
    let key = try row.optionalText()
    review.decision = decision.map {
      Decided($0, by: operatorName, because: reason ?? "", idempotencyKey: key)
    }
    return review
  }
}
