import SQLiteConnection

extension Schema {
  /// Payments in a table of numbered rows, found by an index of their ids.
  ///
  /// A row is about 800 bytes long, and a tree of keys that holds whole rows has four of them on a
  /// page: seven pages from the root to a payment among 100,000, where an index and numbered rows
  /// take three each, of which the last alone is not in memory.
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

  /// Deliveries likewise: of a row of more than 1,002 bytes a tree of keys puts the rest on a page
  /// of its own. Those that are worked off, nearly all, stand in no index of states; few are not,
  /// so a list of those that are passes over them.
  static let numberedWebhooks = SQLiteMigration(
    id: "0014-numbered-webhooks",
    sql: """
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
      ) STRICT;
      INSERT INTO new_webhooks SELECT * FROM webhooks ORDER BY id;
      DROP TABLE webhooks;
      ALTER TABLE new_webhooks RENAME TO webhooks;
      CREATE INDEX webhooks_due ON webhooks (provider, account, received_at, id)
        WHERE state = 'received';
      CREATE INDEX webhooks_by_state ON webhooks (state, provider, id)
        WHERE state = 'received' OR state = 'unmatched' OR state = 'rejected' OR state = 'parked';
      CREATE INDEX webhooks_in_state ON webhooks (state, id)
        WHERE state = 'received' OR state = 'unmatched' OR state = 'rejected' OR state = 'parked';
      CREATE INDEX webhooks_by_provider ON webhooks (provider, id, state);
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
      """)
}
