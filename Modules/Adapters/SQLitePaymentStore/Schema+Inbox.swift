extension Schema {
  /// Deliveries as an operator works on them. The list of states grows, which SQLite does by a new
  /// table alone.
  static let inboxForOperators = """
    CREATE TABLE new_webhooks (
      id TEXT NOT NULL PRIMARY KEY,
      provider TEXT NOT NULL,
      account TEXT NOT NULL,
      received_at INTEGER NOT NULL,
      body_hash TEXT NOT NULL,
      provider_payment_id TEXT,
      payment_reference TEXT,
      event_id TEXT,
      topic TEXT,
      is_proof INTEGER NOT NULL CHECK (is_proof IN (0, 1)),
      state TEXT NOT NULL CHECK (
        state IN ('received', 'processed', 'unmatched', 'rejected', 'parked')),
      detail TEXT,
      deliveries INTEGER NOT NULL CHECK (deliveries >= 1),
      tries INTEGER NOT NULL CHECK (tries >= 0),
      next_try_at INTEGER,
      body_erased_at INTEGER,
      checked_headers TEXT,
      matched_secret INTEGER CHECK (matched_secret >= 0),
      is_unsigned INTEGER NOT NULL CHECK (is_unsigned IN (0, 1)),
      is_concluded INTEGER NOT NULL CHECK (is_concluded IN (0, 1)),
      body BLOB NOT NULL
    ) STRICT, WITHOUT ROWID;
    INSERT INTO new_webhooks
      SELECT id, provider, account, received_at, body_hash, provider_payment_id,
        payment_reference, event_id, topic, is_proof, state, detail, deliveries, tries,
        next_try_at, NULL, NULL, NULL, 0, 1, body
      FROM webhooks;
    DROP TABLE webhooks;
    ALTER TABLE new_webhooks RENAME TO webhooks;
    CREATE INDEX webhooks_due ON webhooks (provider, account, received_at, id)
      WHERE state = 'received';
    CREATE INDEX webhooks_by_state ON webhooks (state, provider, id);
    CREATE INDEX webhooks_in_state ON webhooks (state, id);
    CREATE INDEX webhooks_by_provider ON webhooks (provider, id);
    CREATE INDEX webhooks_open ON webhooks (provider, body_hash, id)
      WHERE state IN ('received', 'unmatched', 'rejected');
    CREATE INDEX webhooks_by_event ON webhooks (provider, account, event_id, id)
      WHERE event_id IS NOT NULL;
    CREATE INDEX webhooks_by_provider_payment
      ON webhooks (provider, provider_payment_id, state, id)
      WHERE provider_payment_id IS NOT NULL;
    CREATE INDEX webhooks_by_reference ON webhooks (payment_reference, provider, state, id)
      WHERE payment_reference IS NOT NULL;
    CREATE INDEX webhooks_unsigned ON webhooks (received_at, id)
      WHERE state = 'unmatched' AND is_unsigned = 1;
    CREATE INDEX webhooks_with_body ON webhooks (received_at, id) WHERE body_erased_at IS NULL;

    CREATE INDEX payments_due_of_account ON payments (provider, account, next_read_at, id)
      WHERE next_read_at IS NOT NULL;

    CREATE INDEX orders_of_subject ON orders (subject, id);

    ALTER TABLE journal ADD COLUMN webhook_id TEXT;
    CREATE INDEX journal_of_webhook ON journal (webhook_id, sequence)
      WHERE webhook_id IS NOT NULL;
    """
}
