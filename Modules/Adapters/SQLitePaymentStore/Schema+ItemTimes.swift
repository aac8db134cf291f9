import SQLiteConnection

extension Schema {
  /// When a movement was first known, for those of which the provider names no time. Older rows
  /// get the time of their payment. A day's movements are found without looking at all others.
  static let itemTimes = SQLiteMigration(
    id: "0007-item-times",
    sql: """
      ALTER TABLE payment_items ADD COLUMN learned_at INTEGER;
      UPDATE payment_items SET learned_at =
        (SELECT created_at FROM payments WHERE payments.id = payment_items.payment_id);
      CREATE INDEX payment_items_by_time ON payment_items (coalesce(created_at, learned_at));

      """)
}
