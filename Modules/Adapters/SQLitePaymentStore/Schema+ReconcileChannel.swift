import SQLiteConnection

extension Schema {
  /// Journal lines about reads that a comparison of the books caused. The closed list of a column
  /// cannot grow in place: the table is made anew, with its rows and their numbers.
  static let reconcileChannel = SQLiteMigration(
    id: "0005-reconcile-channel",
    sql: """
      CREATE TABLE journal_new (
        sequence INTEGER NOT NULL PRIMARY KEY,
        at INTEGER NOT NULL,
        order_id TEXT,
        payment_id TEXT,
        channel TEXT NOT NULL CHECK (
          channel IN (
            'device', 'webhook', 'poll', 'read', 'reconcile', 'call', 'operator', 'system')),
        trust TEXT NOT NULL CHECK (trust IN ('hint', 'notification', 'proof')),
        event TEXT NOT NULL,
        change TEXT,
        note TEXT,
        operator_name TEXT,
        webhook_id TEXT
      ) STRICT;
      INSERT INTO journal_new
        SELECT sequence, at, order_id, payment_id, channel, trust, event, change, note,
          operator_name, webhook_id
        FROM journal ORDER BY sequence;
      DROP TABLE journal;
      ALTER TABLE journal_new RENAME TO journal;
      CREATE INDEX journal_of_order ON journal (order_id, sequence) WHERE order_id IS NOT NULL;
      CREATE INDEX journal_of_payment ON journal (payment_id, sequence)
        WHERE payment_id IS NOT NULL;
      CREATE INDEX journal_of_webhook ON journal (webhook_id, sequence)
        WHERE webhook_id IS NOT NULL;
      """)
}
