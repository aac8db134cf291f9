import PaymentModels
import PaymentStore
import SQLiteConnection

extension SQLiteTransaction {
  func insertPayment(_ payment: PaymentRow) throws {
    let isNew = try requireFree(payment)
    try write(PaymentRow.sql.insert, payment.values)
    if isNew { try addLink(of: payment) }
    touch(payment.id, of: payment.orderID)
  }

  func payment(_ id: PaymentID) throws -> PaymentRow? {
    try first(PaymentRow.sql.selectByKey, [.id(id)], PaymentRow.decode)
  }

  func payment(_ provider: ProviderName, _ id: ProviderPaymentID) throws -> PaymentRow? {
    try owner(provider, id).flatMap { try payment($0) }
  }

  func payments(of order: OrderID) throws -> [PaymentRow] {
    try all(
      PaymentRow.sql.select + " WHERE order_id = ? ORDER BY attempt", [.id(order)],
      PaymentRow.decode)
  }

  func payments(before: PaymentID?, limit: Int) throws -> [PaymentRow] {
    guard let before else {
      return try all(
        PaymentRow.sql.select + " ORDER BY id DESC LIMIT ?", [bound(limit)], PaymentRow.decode)
    }
    return try all(
      PaymentRow.sql.select + " WHERE id < ? ORDER BY id DESC LIMIT ?",
      [.id(before), bound(limit)], PaymentRow.decode)
  }

  func paymentCount() throws -> Int {
    try first("SELECT count(*) FROM payments", []) { (row) throws(SQLiteError) in
      try row.count()
    } ?? 0
  }

  func updatePayment(_ payment: PaymentRow) throws {
    let isNew = try requireFree(payment)
    if try write(PaymentRow.sql.update, payment.values) == 0 {
      let isThere = try first("SELECT 1 FROM payments WHERE id = ?", [.id(payment.id)]) { _ in
        true
      }
      throw StoreError(isThere == nil ? .missing : .stale, "payment")
    }
    if isNew { try addLink(of: payment) }
    touch(payment.id, of: payment.orderID)
  }

  func link(_ provider: ProviderName, _ id: ProviderPaymentID, to payment: PaymentID) throws {
    if let owner = try owner(provider, id) {
      guard owner == payment else { throw StoreError(.duplicate, "provider payment id") }
      return
    }
    try addLink(provider, id, to: payment)
  }

  func providerPaymentIDs(of payment: PaymentID) throws -> [ProviderPaymentID] {
    try all(
      "SELECT provider_payment_id FROM provider_payments WHERE payment_id = ? ORDER BY position",
      [.id(payment)]
    ) { (row) throws(SQLiteError) in try row.id() }
  }

  func paymentsDue(
    of account: AccountKey, isLive: Bool, at now: Instant, limit: Int
  ) throws -> [PaymentRow] {
    // Each half has an index of its own, so that neither is searched for in the other.
    let isOver =
      "(lapsed = 1 OR status IN ('authorized', 'captured', 'rejected', 'expired', 'cancelled'))"
    return try all(
      PaymentRow.sql.select + """
         WHERE provider = ?1 AND account = ?2 AND next_read_at <= ?3
           AND (lease_until IS NULL OR lease_until <= ?3)
           AND \(isOver) = \(isLive ? 0 : 1)
         ORDER BY next_read_at, id LIMIT ?4
        """, [.id(account.provider), .id(account.account), .instant(now), bound(limit)],
      PaymentRow.decode)
  }

  func paymentsDue(of account: AccountKey?, at now: Instant, limit: Int) throws -> [PaymentRow] {
    if let account {
      return try all(
        PaymentRow.sql.select + """
           WHERE provider = ?1 AND account = ?2 AND next_read_at <= ?3
             AND (lease_until IS NULL OR lease_until <= ?3)
           ORDER BY next_read_at, id LIMIT ?4
          """, [.id(account.provider), .id(account.account), .instant(now), bound(limit)],
        PaymentRow.decode)
    }
    return try all(
      PaymentRow.sql.select + """
         WHERE next_read_at <= ?1 AND (lease_until IS NULL OR lease_until <= ?1)
         ORDER BY next_read_at, id LIMIT ?2
        """, [.instant(now), bound(limit)], PaymentRow.decode)
  }

  func schedulePayment(_ id: PaymentID, _ schedule: ReadSchedule) throws {
    let changed = try write(
      """
      UPDATE payments SET next_read_at = ?2, lease_until = ?3, last_proof_at = ?4,
        failed_reads = ?5
      WHERE id = ?1
      """, [.id(id)] + schedule.values)
    guard changed == 1 else { throw StoreError(.missing, "payment") }
  }

  // MARK: Provider ids

  private func owner(
    _ provider: ProviderName, _ id: ProviderPaymentID
  ) throws(StoreError) -> PaymentID? {
    // One row: provider and its id are the key.
    try first(
      "SELECT payment_id FROM provider_payments WHERE provider = ? AND provider_payment_id = ?",
      [.id(provider), .id(id)]
    ) { (row) throws(SQLiteError) in try row.id() }
  }

  /// Whether the payment names a provider id that is not linked yet. Looks before anything is
  /// written, so that a refused row leaves nothing behind in a body that goes on.
  private func requireFree(_ payment: PaymentRow) throws(StoreError) -> Bool {
    guard let id = payment.providerPaymentID else { return false }
    guard let owner = try owner(payment.provider, id) else { return true }
    guard owner == payment.id else { throw StoreError(.duplicate, "provider payment id") }
    return false
  }

  private func addLink(of payment: PaymentRow) throws(StoreError) {
    guard let id = payment.providerPaymentID else { return }
    try addLink(payment.provider, id, to: payment.id)
  }

  private func addLink(
    _ provider: ProviderName, _ id: ProviderPaymentID, to payment: PaymentID
  ) throws(StoreError) {
    try write(
      """
      INSERT INTO provider_payments (provider, provider_payment_id, payment_id, position)
      VALUES (?1, ?2, ?3, 1 + (SELECT count(*) FROM provider_payments WHERE payment_id = ?3))
      """, [.id(provider), .id(id), .id(payment)])
  }
}

extension PaymentRow {
  fileprivate static let sql = TableSQL(
    "payments",
    columns: """
      id order_id attempt provider account mode amount_minor_units amount_currency \
      amount_exponent create_key create_request create_state provider_payment_id checkout_url \
      success_url cancel_url failure_url status rejection_reason expires_at \
      transaction_id verification_key is_mode_proven fulfilment_held_until \
      last_event_at dispute created_at next_read_at lease_until last_proof_at \
      failed_reads lapsed version
      """)

  fileprivate var values: [SQLiteValue] {
    let identity: [SQLiteValue] = [
      .id(id), .id(orderID), .count(attempt), .id(provider), .id(account), .word(mode),
    ]
    let create: [SQLiteValue] = [
      .text(createKey), .blob(createRequest), .word(createState), .id(providerPaymentID),
      .text(checkoutURL), .text(returnURLs.success), .text(returnURLs.cancel),
      .text(returnURLs.failure),
    ]
    let state: [SQLiteValue] = [
      .text(status.description), .text(rejectionReason), .instant(expiresAt),
      .text(transactionID), .text(verificationKey?.reveal()), .flag(isModeProven),
      .instant(fulfilmentHeldUntil), .instant(lastEventAt), .text(dispute?.rawValue),
      .instant(createdAt),
    ]
    let end: [SQLiteValue] = [.flag(lapsed), .integer(version)]
    return identity + amount.values + create + state + schedule.values + end
  }

  fileprivate static func decode(_ row: inout SQLiteRow) throws(SQLiteError) -> PaymentRow {
    var payment = PaymentRow(
      id: try row.id(), orderID: try row.id(), attempt: try row.count(), provider: try row.id(),
      account: try row.id(), mode: try row.word(), amount: try row.money(),
      createKey: try row.text(), createRequest: try row.blob(),
      returnURLs: ReturnURLs(success: "", cancel: "", failure: ""),
      createdAt: Instant(milliseconds: 0))
    payment.createState = try row.word()
    payment.providerPaymentID = try row.optionalID()
    payment.checkoutURL = try row.optionalText()
    payment.returnURLs = ReturnURLs(
      success: try row.text(), cancel: try row.text(), failure: try row.text())
    payment.status = PaymentStatus(stored: try row.text())
    payment.rejectionReason = try row.optionalText()
    payment.expiresAt = try row.optionalInstant()
    payment.transactionID = try row.optionalText()
    payment.verificationKey = try row.optionalText().map { Secret($0) }
    payment.isModeProven = try row.flag()
    payment.fulfilmentHeldUntil = try row.optionalInstant()
    payment.lastEventAt = try row.optionalInstant()
    payment.dispute = try row.optionalWord()
    payment.createdAt = try row.instant()
    payment.schedule.nextReadAt = try row.optionalInstant()
    payment.schedule.leaseUntil = try row.optionalInstant()
    payment.schedule.lastProofAt = try row.optionalInstant()
    payment.schedule.failedReads = try row.count()
    payment.lapsed = try row.flag()
    payment.version = try row.integer()
    return payment
  }
}

extension ReadSchedule {
  fileprivate var values: [SQLiteValue] {
    [
      .instant(nextReadAt), .instant(leaseUntil), .instant(lastProofAt), .count(failedReads),
    ]
  }
}
