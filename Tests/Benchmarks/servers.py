"""The servers that are measured side by side, one at a time, each over a fresh copy of its store."""

import hashlib
import hmac
import json
import os
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.error
import urllib.request

import data

HERE = os.path.dirname(os.path.abspath(__file__))
WORK = os.environ["BENCH_WORK"]  # Scripts/bench sets both
PROGRAMS = os.environ["BENCH_PROGRAMS"]
PORT = int(os.environ.get("BENCH_PORT", "19100"))
TICK = os.sysconf("SC_CLK_TCK")
START_SECONDS = 15


class Conformance(Exception):
    """A server that does not answer as it must: nothing of it is measured."""


class Server:
    """One kind of server. `name` stands in the table; `waits` says whether it can do W3."""

    def __init__(self, name, waits):
        self.name, self.waits = name, waits
        self.source = f"{WORK}/data"
        self.answered = 0

    # What a kind says of itself: command, environment, store, requests.

    def start(self, extra={}, settings={}):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", PORT)) == 0:
                sys.exit(f"bench: port {PORT} is taken; set BENCH_PORT to another")
        self.database = f"{WORK}/run/{self.store}"
        data.remove_store(self.database)
        shutil.copyfile(f"{self.source}/{self.store}", self.database)
        os.sync()
        command, variables = self.command(settings)
        self.answered = 0
        self.log = open(f"{WORK}/run/{self.name}.log", "wb")
        began = time.monotonic()
        self.process = subprocess.Popen(
            command, stdout=self.log, stderr=self.log, env={**variables, **extra})
        self.await_health(began)
        return self

    def await_health(self, began):
        while True:
            try:
                if call("GET", self.health)[0] == 200:
                    break
            except OSError:
                late = time.monotonic() - began > START_SECONDS
                if late or self.process.poll() is not None:
                    self.stop()
                    raise Conformance(f"{self.name} did not start, see {self.log.name}")
                time.sleep(0.002)
        self.ready_seconds = time.monotonic() - began
        time.sleep(0.5)

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(15)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    # What the system says of it.

    def cpu_seconds(self):
        ticks = 0
        for pid in tree(self.process.pid):
            with open(f"/proc/{pid}/stat") as file:
                fields = file.read().rsplit(")", 1)[1].split()
            ticks += int(fields[11]) + int(fields[12])
        return ticks / TICK

    def rss_kib(self):
        total = 0
        for pid in tree(self.process.pid):
            with open(f"/proc/{pid}/status") as file:
                total += int(re.search(r"VmRSS:\s+(\d+)", file.read())[1])
        return total

    def webhook_rows(self):
        database = sqlite3.connect(self.database)
        try:
            return database.execute("SELECT count(*) FROM webhooks").fetchone()[0]
        finally:
            database.close()

    def conform(self):
        """Checks the answers that the figures are about; gives the bytes of a payment's JSON."""
        body = self.probe
        good = self.sign(body)
        deliveries = [(body, good), (body, good), (body, good[:-1] + b"g"), (body + b" ", good)]
        statuses = [
            call("POST", self.hook, content, {
                "X-Signature": signature.decode(), "Content-Type": "application/json",
            })[0]
            for content, signature in deliveries
        ]
        found = call("GET", f"/v1/payments/{self.id(107)}", headers=self.authorization(107))
        missing = call("GET", f"/v1/payments/{self.id(10**7)}", headers=self.authorization(0))
        statuses += [found[0], missing[0]]
        if statuses != [200, 200, 401, 401, 200, 404] or not self.knows(json.loads(found[1])):
            raise Conformance(f"{self.name} does not conform: {statuses} {found[1]!r}")
        self.answered += 1
        return len(found[1])

    def authorization(self, number):
        return {}


class Peer(Server):
    """What a user would write instead, or the ceiling: see README.md for what it answers."""

    store, health, hook = "peer.db", "/health", "/webhooks/demo"
    requests = "peer"
    probe = b'{"id":"evt_conform"}'
    sign = staticmethod(data.peer_signature)
    id = staticmethod(data.peer_payment)

    def __init__(self, name, command, variables={}, waits=False):
        super().__init__(name, waits)
        self.parts = command, variables

    def command(self, settings):
        command, variables = self.parts
        return command, {
            **os.environ, "PORT": str(PORT), "DB": self.database, "SECRET": data.SECRET,
            **variables,
        }

    def knows(self, payment):
        return payment == {
            "id": data.peer_payment(107), "object": "payment", "amount": 849, "currency": "EUR",
            "status": "authorized", "reference": "order-2026-000107",
            "description": 'Two tickets, row "D", seats 27 and 28',
            "customer": {"email": "anna.svensson+107@example.com"}, "created_at": 1717171824,
            "updated_at": 1717172106, "version": 1,
        }

    def status_form(self):
        return ("GET /v1/payments/pay_01HZX3V7Q8K9M2N4P6R8%06d HTTP/1.1\r\n"
                "Host: 127.0.0.1\r\n\r\n"), 0

    def wait_requests(self, number):
        path = f"/v1/payments/{self.id(number)}"
        return (
            f"GET {path}?wait=25&version=1 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
            f"POST {path}/touch HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 0\r\n\r\n",
            '"version":2',
        )


class Till(Server):
    """The kit's server as it is shipped: its routes, tokens, journal, and durability."""

    store, health, hook = "till.sqlite", "/healthz", "/webhooks/tebex"
    requests = "till"
    probe = json.dumps({"id": "conform", "type": "payment.completed", "subject": {}}).encode()
    sign = staticmethod(data.till_signature)
    id = staticmethod(data.payment)

    def __init__(self, name="till", program=f"{PROGRAMS}/till-server"):
        super().__init__(name, waits=True)
        self.program = program

    def command(self, settings):
        file = data.configuration(f"{WORK}/run", PORT, settings)
        return [self.program, "--config", file], data.environment()

    def authorization(self, number):
        return {"Authorization": f"Bearer {data.token(number)}"}

    def knows(self, payment):
        return payment["payment_id"] == data.payment(107) and payment["state"] == "rejected" \
            and payment["order_state"] == "pending" and payment["version"] == 4

    def status_form(self):
        prefix = data.payment(0)[:-12]
        return (f"GET /v1/payments/{prefix}%012x HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                "Authorization: Bearer app-token-%05d\r\n\r\n"), data.SUBJECTS

    def wait_requests(self, number):
        staff = f"Host: 127.0.0.1\r\nAuthorization: Bearer {data.OPERATOR_KEY}\r\n"
        reason = '{"reason":"the bench wakes its waiters"}'
        return (
            f"GET /v1/payments/{self.id(number)}?wait=30 HTTP/1.1\r\n{staff}"
            'If-None-Match: "4"\r\n\r\n',
            f"POST /v1/orders/{data.order(number)}/cancel HTTP/1.1\r\n{staff}"
            f"Content-Type: application/json\r\nContent-Length: {len(reason)}\r\n\r\n{reason}",
            '"payment_id":',
        )


NODE = {
    "NODE_ENV": "production", "NODE_PATH": f"{WORK}/node/sqlite3:/usr/share/nodejs",
    "LD_LIBRARY_PATH": f"{WORK}/node/lib",
}


def uvicorn(workers):
    return [
        f"{WORK}/venv/bin/python", "-m", "uvicorn", "app:app", "--app-dir", f"{HERE}/fastapi",
        "--host", "127.0.0.1", "--port", str(PORT), "--workers", str(workers), "--loop", "uvloop",
        "--http", "httptools", "--backlog", "4096", "--no-access-log", "--log-level", "warning",
    ]


def known():
    """All servers, in the order of the table."""
    express = ["node", f"{HERE}/node/server.js"]
    return {server.name: server for server in (
        Till(),
        Peer("c", [f"{WORK}/bin/server"], waits=True),
        Peer("express", express, NODE, waits=True),
        Peer("express-2", express, {**NODE, "WORKERS": "2"}),
        Peer("express-batch", express, {**NODE, "BATCH": "1"}),
        Peer("fastapi", uvicorn(1), waits=True),
        Peer("fastapi-2", uvicorn(2)),
        Peer("fastapi-2-batch", uvicorn(2), {"BATCH": "1"}),
    )}


def tree(pid):
    pids = [pid]
    for task in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{task}/children") as file:
            for child in file.read().split():
                pids += tree(int(child))
    return pids


def call(method, path, body=None, headers={}):
    request = urllib.request.Request(
        f"http://127.0.0.1:{PORT}{path}", data=body, headers=headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=5) as response:
            return response.status, response.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()
