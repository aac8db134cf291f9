import SQLiteConnection

/// The tables of the durable store.
///
/// Keys are UUIDs of version 7 as text, so new rows land at the end of their tree. Every text that
/// Swift reads as an enum is a closed list here too. An amount is three columns: minor units, code
/// and the exponent that the row keeps for good. The journal and the inbox name orders and
/// payments without a reference, because they also tell of what is not stored.
enum Schema {
  /// All steps, oldest first. A released step never changes.
  static let history = [
    SQLiteMigration(
      id: "0001-payments",
      sql: orders + payments + operations + inbox + outbox + journal),
    SQLiteMigration(
      id: "0002-operator-names", sql: "ALTER TABLE journal ADD COLUMN operator_name TEXT;"),
    SQLiteMigration(id: "0003-inbox", sql: inboxForOperators),
    SQLiteMigration(id: "0004-review-decisions", sql: reviewDecisions),
    reconcileChannel, probe, itemTimes,
    SQLiteMigration(
      id: "0008-outbox",
      sql: "CREATE INDEX messages_open ON messages (id) WHERE delivered_at IS NULL;"),
    SQLiteMigration(
      id: "0009-pauses",
      sql: """
        CREATE TABLE provider_pauses (
          provider TEXT NOT NULL,
          account TEXT NOT NULL,
          paused_at INTEGER NOT NULL,
          operator_name TEXT NOT NULL,
          reason TEXT NOT NULL,
          PRIMARY KEY (provider, account)
        ) STRICT, WITHOUT ROWID;
        """),
    // Monitoring counts payments by state every few seconds.
    SQLiteMigration(
      id: "0010-payments-by-state",
      sql: "CREATE INDEX payments_by_state ON payments (provider, status);"),
    // Those whose end is not known come first, however many others are due.
    SQLiteMigration(
      id: "0011-due-by-use",
      sql: """
        CREATE INDEX payments_due_by_use ON payments (provider, account,
          (lapsed = 1 OR status IN ('authorized', 'captured', 'rejected', 'expired', 'cancelled')),
          next_read_at, id) WHERE next_read_at IS NOT NULL;
        """),
    // Few payments are open at a time, and monitoring asks for the oldest of them.
    SQLiteMigration(
      id: "0012-payments-waiting",
      sql: """
        CREATE INDEX payments_waiting ON payments (provider, coalesce(last_proof_at, created_at))
        WHERE lapsed = 0
          AND status NOT IN ('authorized', 'captured', 'rejected', 'expired', 'cancelled');
        """),
    numberedPayments, numberedWebhooks,
  ]

  private static let orders = """
    CREATE TABLE orders (
      id TEXT NOT NULL PRIMARY KEY,
      subject TEXT NOT NULL,
      total_minor_units INTEGER NOT NULL CHECK (total_minor_units >= 0),
      total_currency TEXT NOT NULL CHECK (length(total_currency) = 3),
      total_exponent INTEGER NOT NULL CHECK (total_exponent BETWEEN 0 AND 4),
      state TEXT NOT NULL CHECK (
        state IN ('pending', 'authorized', 'paid', 'refunded', 'cancelled', 'needs_review')),
      cancel_requested_at INTEGER,
      cancelled_at INTEGER,
      lowered_due INTEGER CHECK (lowered_due >= 0),
      next_sequence INTEGER NOT NULL CHECK (next_sequence >= 1),
      is_fulfilled INTEGER NOT NULL CHECK (is_fulfilled IN (0, 1)),
      created_at INTEGER NOT NULL,
      version INTEGER NOT NULL CHECK (version >= 1)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE order_lines (
      order_id TEXT NOT NULL REFERENCES orders (id),
      position INTEGER NOT NULL CHECK (position >= 0),
      product_id TEXT NOT NULL,
      title TEXT NOT NULL,
      category TEXT NOT NULL,
      quantity INTEGER NOT NULL CHECK (quantity >= 1),
      unit_price_minor_units INTEGER NOT NULL CHECK (unit_price_minor_units >= 0),
      unit_price_currency TEXT NOT NULL CHECK (length(unit_price_currency) = 3),
      unit_price_exponent INTEGER NOT NULL CHECK (unit_price_exponent BETWEEN 0 AND 4),
      PRIMARY KEY (order_id, position)
    ) STRICT, WITHOUT ROWID;

    """

  private static let payments = """
    CREATE TABLE payments (
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
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX payments_due ON payments (next_read_at, id) WHERE next_read_at IS NOT NULL;

    CREATE TABLE provider_payments (
      provider TEXT NOT NULL,
      provider_payment_id TEXT NOT NULL,
      payment_id TEXT NOT NULL REFERENCES payments (id),
      position INTEGER NOT NULL CHECK (position >= 1),
      PRIMARY KEY (provider, provider_payment_id),
      UNIQUE (payment_id, position)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE payment_items (
      payment_id TEXT NOT NULL REFERENCES payments (id),
      kind TEXT NOT NULL CHECK (kind IN ('capture', 'refund', 'chargeback')),
      provider_item_id TEXT NOT NULL,
      reference TEXT,
      amount_minor_units INTEGER NOT NULL,
      amount_currency TEXT NOT NULL CHECK (length(amount_currency) = 3),
      amount_exponent INTEGER NOT NULL CHECK (amount_exponent BETWEEN 0 AND 4),
      created_at INTEGER,
      PRIMARY KEY (payment_id, kind, provider_item_id)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE idempotency_keys (
      scope TEXT NOT NULL,
      key TEXT NOT NULL,
      terms_hash TEXT NOT NULL,
      order_id TEXT NOT NULL REFERENCES orders (id),
      payment_id TEXT NOT NULL REFERENCES payments (id),
      created_at INTEGER NOT NULL,
      PRIMARY KEY (scope, key)
    ) STRICT, WITHOUT ROWID;

    """

  private static let operations = """
    CREATE TABLE operations (
      id TEXT NOT NULL PRIMARY KEY,
      payment_id TEXT NOT NULL REFERENCES payments (id),
      kind TEXT NOT NULL CHECK (kind IN ('capture', 'refund', 'close')),
      amount_minor_units INTEGER NOT NULL CHECK (amount_minor_units >= 0),
      amount_currency TEXT NOT NULL CHECK (length(amount_currency) = 3),
      amount_exponent INTEGER NOT NULL CHECK (amount_exponent BETWEEN 0 AND 4),
      reason TEXT,
      state TEXT NOT NULL CHECK (state IN ('intent', 'unknown', 'done', 'refused')),
      detail TEXT,
      tries INTEGER NOT NULL CHECK (tries >= 0),
      next_try_at INTEGER,
      created_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX operations_of_payment ON operations (payment_id, id);
    CREATE INDEX operations_due ON operations (next_try_at, id)
      WHERE state IN ('intent', 'unknown');

    """

  private static let inbox = """
    CREATE TABLE webhooks (
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
      state TEXT NOT NULL CHECK (state IN ('received', 'processed', 'unmatched', 'parked')),
      detail TEXT,
      deliveries INTEGER NOT NULL CHECK (deliveries >= 1),
      tries INTEGER NOT NULL CHECK (tries >= 0),
      next_try_at INTEGER,
      body BLOB NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX webhooks_due ON webhooks (received_at, id) WHERE state = 'received';
    CREATE INDEX webhooks_held ON webhooks (id) WHERE state IN ('unmatched', 'parked');
    CREATE INDEX webhooks_open ON webhooks (provider, body_hash, id)
      WHERE state IN ('received', 'unmatched');
    CREATE INDEX webhooks_by_event ON webhooks (provider, account, event_id, id)
      WHERE event_id IS NOT NULL;
    CREATE INDEX webhooks_unmatched_by_provider_id
      ON webhooks (provider, provider_payment_id, id) WHERE state = 'unmatched';
    CREATE INDEX webhooks_unmatched_by_reference
      ON webhooks (provider, payment_reference, id) WHERE state = 'unmatched';

    """

  private static let outbox = """
    CREATE TABLE messages (
      id TEXT NOT NULL PRIMARY KEY,
      order_id TEXT NOT NULL REFERENCES orders (id),
      sequence INTEGER NOT NULL CHECK (sequence >= 1),
      kind TEXT NOT NULL CHECK (
        kind IN ('fulfil', 'revoke', 'refunded', 'disputed', 'needs_review')),
      payment_id TEXT REFERENCES payments (id),
      amount_minor_units INTEGER NOT NULL,
      amount_currency TEXT NOT NULL CHECK (length(amount_currency) = 3),
      amount_exponent INTEGER NOT NULL CHECK (amount_exponent BETWEEN 0 AND 4),
      created_at INTEGER NOT NULL,
      delivered_at INTEGER,
      tries INTEGER NOT NULL CHECK (tries >= 0),
      next_try_at INTEGER,
      UNIQUE (order_id, sequence)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX messages_due ON messages (next_try_at, id) WHERE delivered_at IS NULL;
    CREATE INDEX messages_undelivered ON messages (order_id, sequence)
      WHERE delivered_at IS NULL;

    """

  private static let journal = """
    CREATE TABLE journal (
      sequence INTEGER NOT NULL PRIMARY KEY,
      at INTEGER NOT NULL,
      order_id TEXT,
      payment_id TEXT,
      channel TEXT NOT NULL CHECK (
        channel IN ('device', 'webhook', 'poll', 'read', 'call', 'operator', 'system')),
      trust TEXT NOT NULL CHECK (trust IN ('hint', 'notification', 'proof')),
      event TEXT NOT NULL,
      change TEXT,
      note TEXT
    ) STRICT;
    CREATE INDEX journal_of_order ON journal (order_id, sequence) WHERE order_id IS NOT NULL;
    CREATE INDEX journal_of_payment ON journal (payment_id, sequence)
      WHERE payment_id IS NOT NULL;

    CREATE TABLE reviews (
      number INTEGER NOT NULL PRIMARY KEY,
      order_id TEXT NOT NULL REFERENCES orders (id),
      payment_id TEXT REFERENCES payments (id),
      kind TEXT NOT NULL CHECK (
        kind IN (
          'extra_payment', 'amount_mismatch', 'wrong_order', 'mode_mismatch', 'late_money',
          'short_capture', 'unexpected_transition', 'operation_failed', 'disputed')),
      detail TEXT NOT NULL,
      opened_at INTEGER NOT NULL,
      resolved_at INTEGER
    ) STRICT;
    CREATE INDEX reviews_of_order ON reviews (order_id, opened_at, number);
    CREATE UNIQUE INDEX reviews_open_on_payment ON reviews (payment_id, kind)
      WHERE resolved_at IS NULL AND payment_id IS NOT NULL;
    CREATE UNIQUE INDEX reviews_open_on_order ON reviews (order_id, kind)
      WHERE resolved_at IS NULL AND payment_id IS NULL;

    """

  /// The list of kinds is a check, which only a new table can change. An order that was refunded
  /// before the time of it was kept gets the only time that is known to be no later.
  private static let reviewDecisions = """
    ALTER TABLE operations ADD COLUMN accepted_at INTEGER;
    ALTER TABLE orders ADD COLUMN refunded_at INTEGER;
    UPDATE orders SET refunded_at = created_at WHERE state = 'refunded';

    CREATE TABLE decided_reviews (
      number INTEGER NOT NULL PRIMARY KEY,
      order_id TEXT NOT NULL REFERENCES orders (id),
      payment_id TEXT REFERENCES payments (id),
      kind TEXT NOT NULL CHECK (
        kind IN (
          'extra_payment', 'amount_mismatch', 'wrong_order', 'mode_mismatch', 'late_money',
          'short_capture', 'unexpected_transition', 'operation_failed', 'disputed',
          'uncaptured_hold')),
      detail TEXT NOT NULL,
      opened_at INTEGER NOT NULL,
      resolved_at INTEGER,
      decision TEXT CHECK (decision IN ('accept', 'refund', 'keep', 'dismiss')),
      decided_by TEXT,
      decision_reason TEXT,
      decision_key TEXT
    ) STRICT;
    INSERT INTO decided_reviews (
      number, order_id, payment_id, kind, detail, opened_at, resolved_at)
      SELECT number, order_id, payment_id, kind, detail, opened_at, resolved_at FROM reviews;
    DROP TABLE reviews;
    ALTER TABLE decided_reviews RENAME TO reviews;
    CREATE INDEX reviews_of_order ON reviews (order_id, opened_at, number);
    CREATE INDEX reviews_open ON reviews (number) WHERE resolved_at IS NULL;
    CREATE UNIQUE INDEX reviews_open_on_payment ON reviews (payment_id, kind)
      WHERE resolved_at IS NULL AND payment_id IS NOT NULL;
    CREATE UNIQUE INDEX reviews_open_on_order ON reviews (order_id, kind)
      WHERE resolved_at IS NULL AND payment_id IS NULL;

    """
}
