"""How answers grow with the book (W6): `Scripts/bench --growth 1000,100000,1000000`.

One server after the other over a store of so many payments. What is asked is spread over the whole
store; the client is one connection, so times are of single answers, the client's own share included.
"""

import json
import os
import random
import shutil
import socket
import statistics
import sys
import time

import data
import servers
from servers import PORT, WORK

STAFF = f"Host: 127.0.0.1\r\nAuthorization: Bearer {data.OPERATOR_KEY}\r\n"


class Connection:
    def __init__(self):
        self.socket = socket.create_connection(("127.0.0.1", PORT))
        self.rest = b""

    def ask(self, text):
        """Sends a request, and gives status and body of the answer."""
        self.socket.sendall(text)
        while b"\r\n\r\n" not in self.rest:
            self.rest += self.socket.recv(65536)
        head, body = self.rest.split(b"\r\n\r\n", 1)
        length = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
        while len(body) < length:
            body += self.socket.recv(65536)
        self.rest = body[length:]
        return int(head.split(b" ")[1]), body[:length]


def get(path):
    return f"GET {path} HTTP/1.1\r\n{STAFF}\r\n".encode()


def post(path, body):
    return (f"POST {path} HTTP/1.1\r\n{STAFF}Content-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n\r\n{body}").encode()


def works(size, chance):
    def anywhere():
        return data.payment(chance.randrange(size))

    hour = json.dumps({"since_seconds": 3600})
    return {
        "status": (2_000, lambda: get(f"/v1/payments/{anywhere()}")),
        "list": (200, lambda: get(f"/v1/payments?limit=100&before={anywhere()}")),
        "journal": (1_000, lambda: get(f"/v1/payments/{anywhere()}/journal")),
        "inbox": (200, lambda: get("/v1/webhooks?state=unmatched")),
        "reconcile": (20, lambda: post("/v1/reconcile", hour)),
        "metrics": (5, lambda: get("/metrics")),
    }


def measure(size):
    folder = f"{WORK}/growth/{size}"
    server = servers.Till()
    if not os.path.exists(f"{folder}/made"):
        os.makedirs(folder, exist_ok=True)
        data.till_store(folder, server.program, size)
        open(f"{folder}/made", "w").close()
    os.makedirs(f"{WORK}/run", exist_ok=True)
    server.source = folder
    chance = random.Random(size)
    found = {}
    with server.start():
        found["ready"] = server.ready_seconds * 1e6
        connection = Connection()
        for name, (count, request) in works(size, chance).items():
            times = []
            used = server.cpu_seconds()
            for _ in range(count):
                text = request()
                began = time.perf_counter()
                status, body = connection.ask(text)
                times.append((time.perf_counter() - began) * 1e6)
                if status != 200:
                    raise servers.Conformance(f"{name} at {size}: {status} {body!r}")
            found[name] = statistics.median(times)
            found[f"{name} CPU"] = (server.cpu_seconds() - used) / count * 1e6
    return found


def main():
    sizes = [int(word) for word in sys.argv[1].split(",")]
    table = {}
    for size in sizes:
        table[size] = measure(size)
        print(f"{size}: {table[size]}", file=sys.stderr, flush=True)
    print("\n| p50 µs (server CPU µs) | " + " | ".join(f"{size:,}" for size in sizes) + " | last / first |")
    print("|---|" + "---|" * (len(sizes) + 1))
    for name in [key for key in table[sizes[0]] if not key.endswith(" CPU")]:
        cells = [
            f"{table[size][name]:,.0f}" + (
                f" ({table[size][name + ' CPU']:,.0f})" if f"{name} CPU" in table[size] else "")
            for size in sizes]
        ratio = table[sizes[-1]][name] / table[sizes[0]][name]
        print(f"| {name} | {' | '.join(cells)} | {ratio:.2f} |")


main()
