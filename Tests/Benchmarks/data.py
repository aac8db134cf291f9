"""Makes what every run begins with: a store of payments for each kind of server, and requests.

    python3 data.py FOLDER TILL_SERVER PAYMENTS REQUESTS

The store of the kit is made by the server itself, at its first start, and then filled: so the
schema is the one that is served, with every index. Nothing here is random: two runs of the same
numbers make the same bytes.
"""

import hashlib
import hmac
import json
import os
import signal
import sqlite3
import subprocess
import sys

SECRET = "whsec_0123456789abcdef0123456789abcdef"
OPERATOR_KEY = "operator-key-of-the-bench"
SUBJECTS = 5_000
BODY_BYTES = 600
CREATED = 1_767_225_600_000  # 2026-01-01, in milliseconds
# What the pages of a wait are about: payments that are authorized, with an order that waits.
HELD = 20


def peer_payment(number):
    return f"pay_01HZX3V7Q8K9M2N4P6R8{number:06d}"


def payment(number):
    return f"019b76da-a800-7000-8000-{number:012x}"


def order(number):
    return f"019b76da-a800-7000-9000-{number:012x}"


def subject(number):
    return f"user-{number % SUBJECTS:05d}"


def token(number):
    return f"app-token-{number % SUBJECTS:05d}"


# The peers' store: one table of payments and one of webhooks.


PEER_SCHEMA = """
PRAGMA journal_mode = WAL;
CREATE TABLE payments(
  id TEXT PRIMARY KEY, amount INTEGER NOT NULL, currency TEXT NOT NULL, status TEXT NOT NULL,
  reference TEXT NOT NULL, description TEXT NOT NULL, email TEXT NOT NULL,
  created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, version INTEGER NOT NULL)
  WITHOUT ROWID;
CREATE TABLE webhooks(
  seq INTEGER PRIMARY KEY, digest BLOB NOT NULL UNIQUE, received_at INTEGER NOT NULL,
  body BLOB NOT NULL);
"""


def peer_store(path, count):
    remove_store(path)
    database = sqlite3.connect(path)
    database.executescript(PEER_SCHEMA)
    states = ("created", "requires_action", "authorized", "captured", "refunded")
    database.executemany(
        "INSERT INTO payments VALUES (?,?,?,?,?,?,?,?,?,1)",
        (
            (peer_payment(i), 100 + i * 7 % 500_000, "EUR", states[i % 5],
             f"order-2026-{i:06d}",
             f'Two tickets, row "{chr(65 + i % 26)}", seats {i % 40} and {i % 40 + 1}',
             f"anna.svensson+{i}@example.com", 1717171717 + i, 1717171999 + i)
            for i in range(count)
        ),
    )
    close(database)


# The kit's store.


def configuration(folder, port, extra={}):
    """Settings of a production server, with five thousand app tokens; providers that never
    answer, since nothing that is measured asks one."""
    settings = {
        "listen_port": port,
        "database": "till.sqlite",
        "app_return_base": "tillshop://checkout",
        "catalogue": "catalogue.json",
        "buyers": "buyers.json",
        "app_tokens": "app-tokens.json",
        "operator_keys": [{"name": "bench", "key": {"env": "TILL_OPERATOR_KEY"}}],
        # One more than waiters: the commit comes on a connection of its own.
        "connections_max": 12_000,
        "tabby": [{
            "account": "bench", "merchant_code": "AE", "base_url": "http://127.0.0.1:9",
            "secret_key": {"env": "TILL_TABBY_SECRET_KEY"},
        }],
        "tebex": [{
            "account": "bench", "mode": "test", "public_token": "t66x-0123456789abcdef",
            "headless_url": "http://127.0.0.1:9/api", "page_origin": "http://127.0.0.1:9",
            "private_key": {"env": "TILL_TEBEX_SECRET_KEY"},
            "checkout": {
                "url": "http://127.0.0.1:9/api", "username": {"env": "TILL_TEBEX_SECRET_KEY"},
            },
            "webhook_secrets": [{"env": "TILL_TEBEX_WEBHOOK_SECRET"}],
        }],
        **extra,
    }
    product = {"id": "lamp", "title": "Desk lamp", "category": "home", "price": "340.00",
               "currency": "AED"}
    buyers = [
        {"subject": subject(i), "name": "Test Payer", "email": "otp.success@tabby.ai",
         "phone": "+971500000001"}
        for i in range(SUBJECTS)
    ]
    tokens = [
        {"subject": subject(i), "token_sha256": hashlib.sha256(token(i).encode()).hexdigest()}
        for i in range(SUBJECTS)
    ]
    for name, value in (
        ("till-server.json", settings), ("catalogue.json", {"products": [product]}),
        ("buyers.json", {"buyers": buyers}), ("app-tokens.json", {"tokens": tokens}),
    ):
        with open(f"{folder}/{name}", "w") as file:
            json.dump(value, file)
    return f"{folder}/till-server.json"


def environment():
    return {
        **os.environ,
        "TILL_OPERATOR_KEY": OPERATOR_KEY,
        "TILL_TABBY_SECRET_KEY": "sk_test_00000000-0000-0000-0000-000000000000",
        # The key that every sandbox takes.
        "TILL_SANDBOX_KEY": "sk_test_00000000-0000-4000-8000-000000000001",
        "TILL_TEBEX_SECRET_KEY": "tebex-secret-key-of-the-bench",
        "TILL_TEBEX_WEBHOOK_SECRET": SECRET,
    }


def row(number):
    """Order, line, payment, link, items, journal of one payment."""
    held = number < HELD
    state = "authorized" if held else ("captured", "captured", "captured", "rejected")[number % 4]
    order_state = {"authorized": "authorized", "captured": "paid", "rejected": "pending"}[state]
    key, at, amount = order(number), CREATED + number * 1_000, 100 + number * 7 % 500_000
    money = (amount, "AED", 2)
    provider_id = f"tabby-{number:012x}"
    return_url = "tillshop://checkout/%s?attempt=" + payment(number)
    return (
        (key, subject(number), *money, order_state, 2, int(state == "captured"), at, 2),
        (key, 0, "lamp", 'Two tickets, row "H"', "home", 1, *money),
        (payment(number), key, 1, "tabby", "bench", "test", *money, f"key-{number:012x}",
         b"{}" * 150, "created", provider_id, f"http://127.0.0.1:9/pay/{number:x}",
         return_url % "success", return_url % "cancel", return_url % "failure", state, at,
         at + 5_000, 2),
        ("tabby", provider_id, payment(number), 1),
        (payment(number), "capture", f"capture-{number:x}", *money, at)
        if state == "captured" else None,
        (at, key, payment(number), "read", "proof", "created", None),
        (at + 5_000, key, payment(number), "webhook", "proof", "read", f"created -> {state}"),
    )


INSERTS = (
    """INSERT INTO orders (id, subject, total_minor_units, total_currency, total_exponent, state,
       next_sequence, is_fulfilled, created_at, version) VALUES (?,?,?,?,?,?,?,?,?,?)""",
    "INSERT INTO order_lines VALUES (?,?,?,?,?,?,?,?,?)",
    """INSERT INTO payments (id, order_id, attempt, provider, account, mode, amount_minor_units,
       amount_currency, amount_exponent, create_key, create_request, create_state,
       provider_payment_id, checkout_url, success_url, cancel_url, failure_url, status,
       created_at, last_proof_at, version, is_mode_proven, failed_reads, lapsed)
       VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,1,0,0)""",
    "INSERT INTO provider_payments VALUES (?,?,?,?)",
    """INSERT INTO payment_items (payment_id, kind, provider_item_id, amount_minor_units,
       amount_currency, amount_exponent, created_at) VALUES (?,?,?,?,?,?,?)""",
    """INSERT INTO journal (at, order_id, payment_id, channel, trust, event, change)
       VALUES (?,?,?,?,?,?,?)""",
    """INSERT INTO journal (at, order_id, payment_id, channel, trust, event, change)
       VALUES (?,?,?,?,?,?,?)""",
)


def till_store(folder, program, count):
    path = f"{folder}/till.sqlite"
    remove_store(path)
    server = subprocess.Popen(
        [program, "--config", configuration(folder, 0)], env=environment(),
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    if "listening" not in server.stdout.readline():
        sys.exit("bench: the server made no store")
    server.send_signal(signal.SIGTERM)
    server.wait()
    database = sqlite3.connect(path)
    for start in range(0, count, 10_000):
        rows = [row(i) for i in range(start, min(start + 10_000, count))]
        for statement, values in zip(INSERTS, zip(*rows)):
            database.executemany(statement, (value for value in values if value is not None))
    database.commit()
    close(database)


def remove_store(path):
    for suffix in ("", "-wal", "-shm"):
        if os.path.exists(path + suffix):
            os.remove(path + suffix)


def close(database):
    database.commit()
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()


# Requests of W1: complete, signed, each with an event id of its own, all of one length.


PEER_EVENT = {
    "id": "evt_%012d", "type": "payment.captured", "created": 1717171717,
    "data": {
        "id": peer_payment(123_456), "amount": 129900, "currency": "EUR", "status": "captured",
        "reference": "order-2026-000123", "description": 'Two tickets, row "B"',
        "customer": {"id": "cus_01HZX3V7Q8K9M2N4P6R8T0W2Y5",
                     "email": "anna.svensson@example.com"},
        "metadata": {"channel": "web", "cart": "c_98231", "pad": ""},
    },
}

# A sale of the same store at Tebex that the kit did not make: it is checked, deduplicated and
# kept, and nothing follows of it, as with the peers.
TILL_EVENT = {
    "id": "evt-%012d", "type": "payment.completed", "date": "2026-01-01T00:00:00+00:00",
    "subject": {
        "transaction_id": "tbx-0123456789", "status": {"id": 1, "description": "Complete"},
        "price": {"amount": 5.35, "currency": "USD"},
        "customer": {"email": "anna.svensson@example.com", "username": {"username": "anna"}},
        "products": [{"id": 6276316, "name": "100 Gold", "quantity": 1}],
        "custom": {"pad": ""},
    },
}


def padded(event, holder):
    """The event as one text of 600 bytes with a place for its number."""
    size = len(json.dumps(event, separators=(",", ":")) % 0)
    holder["pad"] = "x" * (BODY_BYTES - size)
    return json.dumps(event, separators=(",", ":")).encode()


def write_requests(path, count, head, body, sign):
    with open(path, "wb") as file:
        for number in range(count):
            content = body % number
            file.write(head % (sign(content), len(content)) + content)


HEAD = (
    b"POST %s HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    b"X-Signature: %%s\r\nContent-Length: %%d\r\n\r\n"
)


def peer_signature(body):
    return hmac.new(SECRET.encode(), body, hashlib.sha256).hexdigest().encode()


def till_signature(body):
    return peer_signature(hashlib.sha256(body).hexdigest().encode())


def main():
    folder, program, payments, requests = sys.argv[1], sys.argv[2], *map(int, sys.argv[3:5])
    os.makedirs(folder, exist_ok=True)
    peer_store(f"{folder}/peer.db", payments)
    till_store(folder, program, payments)
    peer_body = padded(PEER_EVENT, PEER_EVENT["data"]["metadata"])
    till_body = padded(TILL_EVENT, TILL_EVENT["subject"]["custom"])
    write_requests(f"{folder}/peer-requests.bin", requests, HEAD % b"/webhooks/demo", peer_body,
                   peer_signature)
    write_requests(f"{folder}/till-requests.bin", requests, HEAD % b"/webhooks/tebex", till_body,
                   till_signature)
    with open(f"{folder}/meta.json", "w") as file:
        json.dump({
            "payments": payments, "requests": requests,
            "peer": os.path.getsize(f"{folder}/peer-requests.bin") // requests,
            "till": os.path.getsize(f"{folder}/till-requests.bin") // requests,
        }, file)


if __name__ == "__main__":
    main()
