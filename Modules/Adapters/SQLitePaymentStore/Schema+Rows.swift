import SQLiteConnection

extension Schema {
  /// Payments in a table of numbered rows, found by an index of their ids.
  ///
  /// A row is about 800 bytes long, and a tree of keys that holds whole rows has four of them on a
  /// page: seven pages from the root to a payment among 100,000, where an index and numbers take
  /// four of which all but two stay in memory.
  static let numberedPayments = SQLiteMigration(
    id: "0013-numbered-payments",
    sql: """
      CREATE TABLE new_payments (
        id TEXT NOT NULL PRIMARY KEY,
        order_id TEXT NOT NULL REFERENCES orders (id),
        attempt INTEGER NOT NULL CHECK (attempt >= 1),
        provider TEXT NOT NULL,
        account TEXT NOT NULL,
        mode TEXT NOT NULL CHECK (mode IN ('test', 'live')),
        amount_minor_units INTEGER NOT NULL CHECK (amount_minor_units >= 0),
        amount_currency TEXT NOT NULL CHECK (length(amount_currency) = 3),
        amount_exponent INTEGER NOT NULL CHECK (amount_exponent BETWEEN 0 AND 4),
        create_key TEXT NOT NULL,
        create_state TEXT NOT NULL CHECK (create_state IN ('intent', 'created', 'refused')),
        provider_payment_id TEXT,
        checkout_url TEXT,
        success_url TEXT NOT NULL,
        cancel_url TEXT NOT NULL,
        failure_url TEXT NOT NULL,
        status TEXT NOT NULL CHECK (
          status IN (
            'created', 'pending', 'authorized', 'captured', 'rejected', 'expired', 'cancelled')
          OR status GLOB 'unknown:*'),
        rejection_reason TEXT,
        expires_at INTEGER,
        transaction_id TEXT,
        verification_key TEXT,
        is_mode_proven INTEGER NOT NULL CHECK (is_mode_proven IN (0, 1)),
        fulfilment_held_until INTEGER,
        last_event_at INTEGER,
        dispute TEXT CHECK (dispute IN ('opened', 'won', 'lost', 'closed')),
        created_at INTEGER NOT NULL,
        next_read_at INTEGER,
        lease_until INTEGER,
        last_proof_at INTEGER,
        failed_reads INTEGER NOT NULL CHECK (failed_reads >= 0),
        lapsed INTEGER NOT NULL CHECK (lapsed IN (0, 1)),
        version INTEGER NOT NULL CHECK (version >= 1),
        create_request BLOB NOT NULL,
        UNIQUE (order_id, attempt)
      ) STRICT;
      INSERT INTO new_payments SELECT * FROM payments ORDER BY id;
      DROP TABLE payments;
      ALTER TABLE new_payments RENAME TO payments;
      CREATE INDEX payments_due ON payments (next_read_at, id) WHERE next_read_at IS NOT NULL;
      CREATE INDEX payments_due_of_account ON payments (provider, account, next_read_at, id)
        WHERE next_read_at IS NOT NULL;
      CREATE INDEX payments_due_by_use ON payments (provider, account,
        (lapsed = 1 OR status IN ('authorized', 'captured', 'rejected', 'expired', 'cancelled')),
        next_read_at, id) WHERE next_read_at IS NOT NULL;
      CREATE INDEX payments_by_state ON payments (provider, status, id);
      CREATE INDEX payments_waiting ON payments (provider, coalesce(last_proof_at, created_at))
        WHERE lapsed = 0
          AND status NOT IN ('authorized', 'captured', 'rejected', 'expired', 'cancelled');
      """)
}
