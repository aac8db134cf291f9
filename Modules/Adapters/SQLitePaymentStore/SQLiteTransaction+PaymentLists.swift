import PaymentModels
import PaymentStore
import SQLiteConnection

/// Lists of payments for people.
extension SQLiteTransaction {
  func payments(
    matching filter: PaymentFilter, before: PaymentID?, limit: Int
  ) throws -> [PaymentRow] {
    guard filter != PaymentFilter() else { return try payments(before: before, limit: limit) }
    // The index of states ends with the id, so the newest of each provider and state stand side by
    // side in it, however few of all payments they are.
    let providers = try filter.provider.map { [$0] } ?? paymentProviders()
    let states = filter.state.map { [$0] } ?? PaymentFilter.State.allCases
    var ids: [PaymentID] = []
    for provider in providers {
      for state in states { ids += try self.ids(provider, state, before: before, limit: limit) }
    }
    return try ids.sorted(by: >).prefix(limit).compactMap { try payment($0) }
  }

  func payments(idPrefix prefix: String, limit: Int) throws -> [PaymentRow] {
    let ids: [PaymentID] = try all(
      "SELECT id FROM payments WHERE id >= ?1 AND id < ?2 ORDER BY id DESC LIMIT ?3",
      [.text(prefix), .text(prefix + "\u{10FFFF}"), bound(limit)]
    ) { (row) throws(SQLiteError) in try row.id() }
    return try ids.compactMap { try payment($0) }
  }

  /// Found by one look at the index for each.
  func paymentProviders() throws -> [ProviderName] {
    try all(
      """
      WITH RECURSIVE found (provider) AS (
        SELECT min(provider) FROM payments
        UNION ALL
        SELECT (SELECT min(provider) FROM payments WHERE provider > found.provider) FROM found
        WHERE found.provider IS NOT NULL)
      SELECT provider FROM found WHERE provider IS NOT NULL ORDER BY provider
      """, []
    ) { (row) throws(SQLiteError) in try row.id() }
  }

  func paymentAccounts() throws -> [AccountKey] {
    // Nobody waits for it: it reads the accounts of all payments.
    try all("SELECT DISTINCT provider, account FROM payments ORDER BY provider, account", []) {
      (row) throws(SQLiteError) in AccountKey(try row.id(), try row.id())
    }
  }

  private func ids(
    _ provider: ProviderName, _ state: PaymentFilter.State, before: PaymentID?, limit: Int
  ) throws -> [PaymentID] {
    // A provider's own words all begin with `unknown:`, and `;` comes behind `:`.
    let condition =
      state == .unknown ? "status >= 'unknown:' AND status < 'unknown;'" : "status = ?4"
    let word: [SQLiteValue] = state == .unknown ? [] : [.word(state)]
    return try all(
      """
      SELECT id FROM payments WHERE provider = ?1 AND \(condition) AND id < ?2
      ORDER BY id DESC LIMIT ?3
      """,
      [.id(provider), .text(before?.rawValue ?? "\u{10FFFF}"), bound(limit)] + word
    ) { (row) throws(SQLiteError) in try row.id() }
  }
}
