"""What needs a provider too: checkouts through a sandbox (W4), and how soon a device hears (W5)."""

import json
import os
import re
import signal
import statistics
import subprocess
import threading
import time
import urllib.parse
import urllib.request

import load
from servers import Conformance, PORT, PROGRAMS, WORK

TILL = f"{PROGRAMS}/till"


def lines_until(process, pattern, limit=200):
    """Output of a program up to the line that says that it is ready."""
    seen = []
    for _ in range(limit):
        line = process.stdout.readline()
        seen.append(line)
        if re.search(pattern, line):
            return "".join(seen)
        if not line:
            break
    raise Conformance(f"no {pattern!r} in {''.join(seen)!r}")


def stop(process):
    process.send_signal(signal.SIGTERM)
    process.wait(20)


def checkouts(server, seconds):
    """W4: creates through a sandbox on the same machine; the server's own CPU alone counts."""
    variables = {**os.environ, "TILL_LOG_LEVEL": "warning"}
    sandbox = subprocess.Popen([TILL, "sandbox", "--port", str(PORT + 1)], env=variables,
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        lines_until(sandbox, "http://")
        with server.start(settings={"tabby": [{
            "account": "bench", "merchant_code": "AE", "base_url": f"http://127.0.0.1:{PORT + 1}",
            "secret_key": {"env": "TILL_SANDBOX_KEY"},
        }]}):
            load.wrk(server, "w4", 64, 1)
            result = load.wrk(server, "w4", 64, seconds)
            if result["bad"]:
                raise Conformance(f"{result['bad']} checkouts were not made")
            return result
    finally:
        stop(sandbox)


def ask(url, body=None, headers={}, timeout=40):
    request = urllib.request.Request(url, data=body, headers=headers)
    with urllib.request.urlopen(request, timeout=timeout) as response:
        return response.headers, response.read()


def sync_lag(count=60):
    """W5: from the moment that a payer confirms at the provider until the device's request, which
    waits, is answered with the money held: webhook, read and commit lie between."""
    variables = {**os.environ, "TMPDIR": f"{WORK}/run", "TILL_LOG_LEVEL": "warning"}
    stack = subprocess.Popen([TILL, "run"], env=variables, stdout=subprocess.PIPE,
                             stderr=subprocess.DEVNULL, text=True)
    try:
        said = lines_until(stack, "^A line for each event")
        drain = threading.Thread(target=stack.stdout.read, daemon=True)
        drain.start()
        server, token = (re.search(rf"export {name}=(\S+)", said)[1]
                         for name in ("TILL_SERVER", "TILL_APP_TOKEN"))
        lags = [one_lag(server, token, number) for number in range(count)]
    finally:
        stop(stack)
    lags.sort()
    return {"p50_ms": statistics.median(lags), "p99_ms": lags[int(len(lags) * 0.99)],
            "count": count}


def one_lag(server, token, number):
    payer = {"Authorization": f"Bearer {token}"}
    body = {"provider": "futa", "items": [{"product_id": "solar", "quantity": 1}]}
    _, made = ask(f"{server}/v1/checkouts", json.dumps(body).encode(), {
        **payer, "Content-Type": "application/json", "Idempotency-Key": f"lag-{number}"})
    checkout = json.loads(made)
    path = f"{server}/v1/payments/{checkout['payment_id']}"
    headers, _ = ask(path, headers=payer)
    answered = []

    def wait():
        tag = headers["ETag"]
        while not answered:
            got, text = ask(f"{path}?wait=30", headers={**payer, "If-None-Match": tag})
            tag = got["ETag"]
            if json.loads(text)["state"] in ("authorized", "captured"):
                answered.append(time.monotonic())

    device = threading.Thread(target=wait)
    device.start()
    # The read that the wait begins with comes a gap (250 ms) after the one before, and the next one
    # another gap later: nothing that a payer does is nearer to opening the page.
    time.sleep(0.8)
    form = urllib.parse.urlencode({"msisdn": "77000001"}).encode()
    began = time.monotonic()
    ask(f"{checkout['checkout_url']}/phone", form)
    device.join(35)
    if not answered:
        raise Conformance("a device did not hear of its payment")
    return (answered[0] - began) * 1e3
