import PaymentModels
import PaymentStore
import SQLiteConnection

extension SQLiteTransaction {
  func moneyTotals(from start: Instant, to end: Instant) throws -> [MoneyTotal] {
    try all(
      """
      SELECT p.provider, p.account, i.amount_currency, i.amount_exponent,
        sum(CASE i.kind WHEN 'capture' THEN i.amount_minor_units ELSE 0 END),
        sum(CASE i.kind WHEN 'refund' THEN i.amount_minor_units ELSE 0 END),
        sum(CASE i.kind WHEN 'chargeback' THEN i.amount_minor_units ELSE 0 END),
        sum(CASE WHEN i.kind = 'capture' AND EXISTS (
              SELECT 1 FROM reviews r WHERE r.order_id = p.order_id AND r.resolved_at IS NULL)
            THEN i.amount_minor_units ELSE 0 END)
      FROM payment_items i JOIN payments p ON p.id = i.payment_id
      WHERE coalesce(i.created_at, i.learned_at) >= ?1
        AND coalesce(i.created_at, i.learned_at) < ?2
      GROUP BY p.provider, p.account, i.amount_currency, i.amount_exponent
      ORDER BY p.provider, p.account, i.amount_currency, i.amount_exponent
      """, [.instant(start), .instant(end)], MoneyTotal.decode)
  }
}

extension MoneyTotal {
  fileprivate static func decode(_ row: inout SQLiteRow) throws(SQLiteError) -> MoneyTotal {
    let (provider, account) = (try row.text(), try row.text())
    guard let currency = Currency(code: try row.text(), exponent: try row.count()) else {
      throw SQLiteError(.damaged, "a row holds what is not a currency")
    }
    return MoneyTotal(
      provider: ProviderName(provider), account: ProviderAccount(account), currency: currency,
      captured: try row.integer(), refunded: try row.integer(), chargedBack: try row.integer(),
      inReview: try row.integer())
  }
}
