"""What is done to a server, and the figures that come of it."""

import json
import os
import re
import statistics
import subprocess
import time

from servers import Conformance, HERE, PORT, WORK

# Where each run starts in the file of requests: they never overlap.
REGION = {"c64": 0.0, "warm": 0.65, "c1": 0.9}
UNITS = {"us": 1, "ms": 1e3, "s": 1e6, "m": 6e7}


def meta():
    with open(f"{WORK}/data/meta.json") as file:
        return json.load(file)


def wrk(server, script, connections, seconds, region="c64"):
    """One run of the load generator, with the server's own use of the processor beside it."""
    facts = meta()
    form, tokens = server.status_form()
    variables = {
        **os.environ, "LENGTH": str(facts[server.requests]), "FORM": form, "TOKENS": str(tokens),
        "REQUESTS": f"{WORK}/data/{server.requests}-requests.bin",
        "OFFSET": str(int(REGION[region] * facts["requests"])),
        "PAYMENTS": str(facts["payments"]),
    }
    before = server.cpu_seconds()
    out = subprocess.run(
        ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--latency", "-s",
         f"{HERE}/load/{script}.lua", f"http://127.0.0.1:{PORT}"],
        env=variables, capture_output=True, text=True).stdout
    used = server.cpu_seconds() - before

    def microseconds(percent):
        found = re.search(rf"\n\s+{percent}%\s+([\d.]+)(us|ms|s|m)\s", out)
        if not found:
            raise Conformance(f"wrk on {server.name}: {out}")
        return float(found[1]) * UNITS[found[2]]

    def count(pattern):
        found = re.search(pattern, out)
        return sum(map(int, found.groups())) if found else 0

    requests = count(r"(\d+) requests in")
    bad = count(r"Non-2xx or 3xx responses: (\d+)")
    if script == "w1":
        server.answered += requests - bad
    errors = count(r"Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)")
    return {
        "rate": float(re.search(r"Requests/sec:\s+([\d.]+)", out)[1]),
        "p50": microseconds(50), "p99": microseconds(99),
        "cpu": used / max(requests, 1) * 1e6, "cores": used / seconds, "bad": bad + errors,
    }


def requests(server, seconds):
    """W1 and W2 over one start of a server."""
    with server.start():
        result = {"idle_kib": server.rss_kib(), "json_bytes": server.conform(),
                  "ready_ms": server.ready_seconds * 1e3}
        wrk(server, "w1", 64, 1, "warm")
        wrk(server, "w2", 64, 1)
        result["W1 c64"] = wrk(server, "w1", 64, seconds)
        result["W2 c64"] = wrk(server, "w2", 64, seconds)
        result["loaded_kib"] = server.rss_kib()
        result["W1 c1"] = wrk(server, "w1", 1, min(seconds, 3), "c1")
        result["W2 c1"] = wrk(server, "w2", 1, min(seconds, 3))
    # More than were answered: committed when the load generator had hung up already.
    result["rows_minus_answered"] = server.webhook_rows() - server.answered
    if result["rows_minus_answered"] < 0:
        raise Conformance(f"{server.name} answered before its commit: rows are missing")
    return result


def wake(server, number, count, meanwhile=lambda: None):
    """Memory a waiter, then the times of one commit that wakes all."""
    client = subprocess.Popen(
        [f"{WORK}/bin/waiters", str(PORT), str(count), *server.wait_requests(number)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    memory, seen = [], None
    for step in range(2):
        line = client.stdout.readline()
        if not line.startswith("ready"):
            raise Conformance(f"{server.name}: waiters failed: {line}")
        memory.append((int(line.split()[1]), server.rss_kib()))
        if step == 1:
            seen = meanwhile()
        used = server.cpu_seconds()
        client.stdin.write("go\n")
        client.stdin.flush()
    result = json.loads(client.stdout.readline())
    client.wait()
    used = server.cpu_seconds() - used
    return memory, {**result, "wake_cpu_ms": used * 1e3, "meanwhile": seen}


def waits(server, count):
    """W3: what waiters cost, cold, before anything else has grown the heap, and when warm."""
    with server.start({"WORKERS": "1"}):
        server.conform()
        ((n0, m0), (n1, m1)), cold = wake(server, 7, count)
        wrk(server, "w2", 64, 1)
        alone = wrk(server, "w2", 1, 2)
        _, warm = wake(server, 8, count, lambda: wrk(server, "w2", 1, 2))
    beside = warm.pop("meanwhile")
    return {
        **warm, "cold_last_ms": cold["last_ms"], "bad": cold["bad"] + warm["bad"],
        "missing": 2 * count - cold["answered"] - warm["answered"],
        "p50_alone": alone["p50"], "p50_beside": beside["p50"],
        "p99_alone": alone["p99"], "p99_beside": beside["p99"],
        "kib_per_waiter": (m1 - m0) / (n1 - n0), "waiting_kib": m1,
    }


def help_ms(program, runs=20):
    """How long the command line takes to print its help."""
    times = []
    for _ in range(runs):
        began = time.monotonic()
        subprocess.run([program, "--help"], stdout=subprocess.DEVNULL, check=True)
        times.append((time.monotonic() - began) * 1e3)
    return statistics.median(times)


def disk():
    """The floor under W1: what the disk, and SQLite alone, can do."""
    return json.loads(subprocess.check_output([f"{WORK}/bin/disk", f"{WORK}/run", "0.7"]))
