import PaymentModels
import PaymentStore
import SQLiteConnection

/// What operators decide beside orders.
extension SQLiteTransaction {
  func pauses() throws -> [PauseRow] {
    try all(
      """
      SELECT provider, account, paused_at, operator_name, reason FROM provider_pauses
      ORDER BY provider, account
      """, []
    ) { (row) throws(SQLiteError) in
      let provider: ProviderName = try row.id()
      let account = try row.text()
      return PauseRow(
        provider: provider, account: account.isEmpty ? nil : ProviderAccount(account),
        pausedAt: try row.instant(), operatorName: try row.id(), reason: try row.text())
    }
  }

  func putPause(_ pause: PauseRow) throws {
    try write(
      """
      INSERT OR REPLACE INTO provider_pauses (provider, account, paused_at, operator_name, reason)
      VALUES (?, ?, ?, ?, ?)
      """,
      [
        .id(pause.provider), .text(pause.account?.rawValue ?? ""), .instant(pause.pausedAt),
        .id(pause.operatorName), .text(pause.reason),
      ])
  }

  func removePause(_ provider: ProviderName, _ account: ProviderAccount?) throws -> Bool {
    try write(
      "DELETE FROM provider_pauses WHERE provider = ? AND account = ?",
      [.id(provider), .text(account?.rawValue ?? "")]) > 0
  }

  func eraseBuyer(_ subject: Subject, at now: Instant) throws -> ErasedBuyer {
    var erased = ErasedBuyer(
      orders: try all("SELECT id FROM orders WHERE subject = ? ORDER BY id", [.id(subject)]) {
        (row) throws(SQLiteError) in try row.id()
      })
    for order in erased.orders {
      for payment in try payments(of: order) { try erase(payment, now, &erased) }
    }
    return erased
  }

  private func erase(_ payment: PaymentRow, _ now: Instant, _ erased: inout ErasedBuyer) throws {
    let id = SQLiteValue.id(payment.id)
    erased.requests += try write(
      """
      UPDATE payments SET create_request = x''
      WHERE id = ? AND create_state <> 'intent' AND length(create_request) > 0
      """, [id])
    erased.pages += try write(
      """
      UPDATE payments SET checkout_url = NULL, verification_key = NULL
      WHERE id = ? AND create_state <> 'intent'
        AND status IN ('captured', 'rejected', 'expired', 'cancelled')
        AND (checkout_url IS NOT NULL OR verification_key IS NOT NULL)
      """, [id])
    if payment.createState == .intent { erased.waiting += 1 }
    // By either name; each is a seek in an index.
    let named = """
      body_erased_at IS NULL AND id IN (
        SELECT id FROM webhooks WHERE payment_reference = ?1 AND provider = ?2
        UNION
        SELECT webhooks.id FROM provider_payments JOIN webhooks
          ON webhooks.provider = provider_payments.provider
          AND webhooks.provider_payment_id = provider_payments.provider_payment_id
        WHERE provider_payments.payment_id = ?1)
      """
    erased.waiting +=
      try first(
        "SELECT count(*) FROM webhooks WHERE state = 'received' AND \(named)",
        [id, .id(payment.provider)]
      ) { (row) throws(SQLiteError) in try row.count() } ?? 0
    erased.bodies += try write(
      """
      UPDATE webhooks SET body = x'', checked_headers = NULL, body_erased_at = ?3
      WHERE state <> 'received' AND \(named)
      """, [id, .id(payment.provider), .instant(now)])
  }
}
