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

INSERT INTO orders VALUES
  ('01995000-0001-7000-8000-000000000001', 'buyer-1', 15000, 'AED', 2, 'paid', NULL, NULL, NULL,
   3, 1, 1790000000000, 4),
  ('01995000-0001-7000-8000-000000000002', 'buyer-2', 12500, 'KWD', 3, 'cancelled',
   1790000000001, 1790000000002, 500, 1, 0, 1790000000000, 2);
INSERT INTO order_lines VALUES
  ('01995000-0001-7000-8000-000000000001', 0, 'mug', 'Mug – blue', 'home', 2, 2500, 'AED', 2),
  ('01995000-0001-7000-8000-000000000001', 1, 'lamp', 'Lamp', 'home', 1, 10000, 'AED', 2),
  ('01995000-0001-7000-8000-000000000002', 0, 'tee', 'It''s a tee', 'clothes', 1, 12500, 'KWD',
   3);
INSERT INTO payments VALUES
  ('01995000-0002-7000-8000-000000000001', '01995000-0001-7000-8000-000000000001', 1, 'tabby',
   'uae', 'test', 15000, 'AED', 2, 'key-1', 'created', 'prov-1',
   'https://checkout.example/?a=%20b', 'shop://success', 'shop://cancel', 'shop://failure',
   'captured', NULL, 1790000060000, 'tx-1', NULL, 1, NULL, 1790000003000, 'won', 1790000001000,
    1790086400000,
   NULL, 1790000004000, 0, 0, 5, x''),
  ('01995000-0002-7000-8000-000000000002', '01995000-0001-7000-8000-000000000002', 1, 'seb',
   'main', 'live', 12500, 'KWD', 3, 'key-2', 'intent', NULL, NULL,
   'shop://success', 'shop://cancel', 'shop://failure', 'unknown:ON_HOLD', 'refused', NULL, NULL,
   'verify-1', 0, 1790000600000, NULL, NULL, 1790000001000, 1790000002000, 1790000003000, NULL,
    4, 1, 1, x'00ff01');
INSERT INTO provider_payments VALUES
  ('tabby', 'prov-0', '01995000-0002-7000-8000-000000000001', 1), ('tabby', 'prov-1',
   '01995000-0002-7000-8000-000000000001', 2);
INSERT INTO payment_items VALUES
  ('01995000-0002-7000-8000-000000000001', 'capture', 'c-1',
   '01995000-0003-7000-8000-000000000001', 15000, 'AED', 2, 1790000002000),
  ('01995000-0002-7000-8000-000000000001', 'chargeback', 'b-1', NULL, 0, 'AED', 2, NULL),
  ('01995000-0002-7000-8000-000000000001', 'refund', 'r-1', NULL, 1000, 'AED', 2, 1790000005000);
INSERT INTO idempotency_keys VALUES ('subject/buyer-1', 'k-1', 'hash-1',
 '01995000-0001-7000-8000-000000000001', '01995000-0002-7000-8000-000000000001', 1790000000000);
INSERT INTO operations VALUES
  ('01995000-0003-7000-8000-000000000001', '01995000-0002-7000-8000-000000000001', 'capture',
   15000, 'AED', 2, 'automatic capture', 'done', NULL, 1, NULL, 1790000000000),
  ('01995000-0003-7000-8000-000000000002', '01995000-0002-7000-8000-000000000001', 'refund',
   1000, 'AED', 2, 'damaged', 'unknown', NULL, 2, 1790000009000, 1790000000000),
  ('01995000-0003-7000-8000-000000000003', '01995000-0002-7000-8000-000000000001', 'close', 0,
   'AED', 2, NULL, 'refused', 'too late', 1, NULL, 1790000000000);
INSERT INTO webhooks VALUES
  ('01995000-0004-7000-8000-000000000001', 'tabby', 'uae', 1790000000000, 'hash-1', 'prov-1',
   NULL, NULL, NULL, 0, 'processed', NULL, 2, 1,
   NULL, x'7b7d'),
  ('01995000-0004-7000-8000-000000000002', 'tabby', 'uae', 1790000000001, 'hash-2', 'prov-9',
   '01995000-0002-7000-8000-000000000001', 'ev-1', 'payment.refunded', 1,
   'unmatched', NULL, 1, 0, NULL, x'7b7d'),
  ('01995000-0004-7000-8000-000000000003', 'tabby', 'uae', 1790000000002, 'hash-3', NULL,
   '01995000-0002-7000-8000-000000000001', 'ev-2', NULL, 0, 'received', NULL, 1, 0,
   1790000000002, x'7b7d'),
  ('01995000-0004-7000-8000-000000000004', 'tabby', 'uae', 1790000000003, 'hash-4', NULL, NULL,
   NULL, NULL, 0, 'parked', 'no read', 1, 12,
   NULL, x'7b7d');
INSERT INTO messages VALUES
  ('01995000-0005-7000-8000-000000000001', '01995000-0001-7000-8000-000000000001', 1, 'fulfil',
   '01995000-0002-7000-8000-000000000001', 15000, 'AED', 2, 1790000000000, 1790000000001, 1,
   NULL),
  ('01995000-0005-7000-8000-000000000002', '01995000-0001-7000-8000-000000000001', 2,
   'refunded', '01995000-0002-7000-8000-000000000001', 1000, 'AED', 2, 1790000005000, NULL, 3,
   1790000006000);
INSERT INTO journal VALUES
  (1, 1790000000000, '01995000-0001-7000-8000-000000000001',
   '01995000-0002-7000-8000-000000000001', 'device', 'hint', 'return', NULL, NULL),
  (2, 1790000000001, '01995000-0001-7000-8000-000000000001',
   '01995000-0002-7000-8000-000000000001', 'webhook', 'notification', 'webhook', NULL,
   'authorized'),
  (3, 1790000000002, '01995000-0001-7000-8000-000000000001',
   '01995000-0002-7000-8000-000000000001', 'poll', 'proof', 'read', 'created → captured', NULL),
  (4, 1790000000003, '01995000-0001-7000-8000-000000000001',
   '01995000-0002-7000-8000-000000000001', 'read', 'proof', 'read failed', NULL,
   'unknown (HTTP 502): bad'),
  (5, 1790000000004, '01995000-0001-7000-8000-000000000001',
   '01995000-0002-7000-8000-000000000001', 'call', 'proof', 'answer', 'captures and refunds',
   NULL),
  (6, 1790000000005, '01995000-0001-7000-8000-000000000001',
   '01995000-0002-7000-8000-000000000001', 'operator', 'hint', 'refund', NULL,
   '10.00 AED: damaged'),
  (9, 1790000000006, NULL, '01995000-0002-7000-8000-000000000001', 'system', 'proof', 'lapsed',
   NULL, NULL);
INSERT INTO reviews VALUES
  (1, '01995000-0001-7000-8000-000000000001', '01995000-0002-7000-8000-000000000001',
   'amount_mismatch', 'asked 150.00 AED, provider 140.00 AED', 1790000000000, 1790000000007),
  (2, '01995000-0001-7000-8000-000000000001', NULL, 'late_money',
   'found when the order was derived', 1790000000001, NULL);
