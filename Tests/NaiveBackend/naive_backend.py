#!/usr/bin/env python3
"""A shop's backend as it is often written in an afternoon. Every mistake in it is on purpose: `till
conformance` has to find them. Never copy from it.

    naive_backend.py PORT SANDBOX_URL FULFILMENT_URL
"""
import itertools
import json
import sys
import threading
import urllib.error
import urllib.parse
import urllib.request
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PORT, SANDBOX, SHOP = int(sys.argv[1]), sys.argv[2], sys.argv[3]
HERE = f"http://127.0.0.1:{PORT}"
KEYS = {
    "tabby": "sk_test_00000000-0000-4000-8000-000000000001",
    "futa": "futa_test_000000000000000000000001",
    "rais": "rais_sk_test_00000000-0000-4000-8000-000000000001",
    "tebex": "tebex_sandbox_00000001",
    "seb": "till-demo-secret-0001",
}
TEBEX_STORE = "t66x-0000000000000000000000000000000000000001"
PAID = {"AUTHORIZED", "authorized", "CLOSED", "closed", "paid", "CAPTURED", True}
FAILED = {"REJECTED", "rejected", "EXPIRED", "failed", "FAILED", "cancelled", "CANCELLED"}
ORDERS = {}
NUMBERS = itertools.count(1)


def call(method, path, body=None, **headers):
    """Asks a provider."""
    data = json.dumps(body).encode() if body is not None else None
    headers = {k.replace("_", "-"): v for k, v in headers.items()}
    request = urllib.request.Request(
        SANDBOX + path, data, {"Content-Type": "application/json", **headers}, method=method)
    with urllib.request.urlopen(request, timeout=10) as answer:
        return json.load(answer)


def bearer(provider):
    return {"Authorization": f"Bearer {KEYS[provider]}"}


def seb_headers():
    form = urllib.parse.urlencode({
        "grant_type": "client_credentials", "client_id": "till-demo",
        "client_secret": KEYS["seb"]}).encode()
    with urllib.request.urlopen(f"{SANDBOX}/seb/auth/token", form, timeout=10) as answer:
        token = json.load(answer)["access_token"]
    return {"Authorization": f"Bearer {token}", "X_Request_Id": str(uuid.uuid4())}


def create(provider, amount, currency, product):
    """Gives the provider's id and the page. The price is what the app said."""
    order = f"order-{next(NUMBERS):06}"
    back = f"{HERE}/return?order={order}"
    if provider == "tabby":
        answer = call("POST", "/api/v2/checkout", {
            "lang": "en", "merchant_code": "AE",
            "merchant_urls": {k: f"{back}&outcome={k}" for k in ("success", "cancel", "failure")},
            "payment": {
                "amount": amount, "currency": currency,
                "buyer": {"name": "A", "email": "a@shop.example", "phone": "+971500000001"},
                "order": {"reference_id": order, "items": []},
            }}, **bearer(provider))
        page = answer["configuration"]["available_products"]["installments"][0]["web_url"]
        return order, answer["payment"]["id"], page
    if provider == "futa":
        answer = call("POST", "/futa/v1/payments", {
            "amount": round(float(amount) * 100), "currency": currency,
            "merchant_reference": order, "description": order,
            "return_url": "https://shop.example/return",
            "expires_at": call("GET", "/sandbox/clock")["now"][:11] + "23:59:59Z",
            "embedding": {"mode": "app"}}, Idempotency_Key=order, **bearer(provider))
        return order, answer["id"], answer["checkout_url"]
    if provider == "rais":
        answer = call("POST", "/rais/v1/payments", {
            "amount": round(float(amount)), "reference": order, "success_url": back,
            "cancel_url": back}, **bearer(provider))
        return order, answer["id"], answer["checkout_url"]
    if provider == "tebex":
        api = "/tebex/headless/api"
        ident = call("POST", f"{api}/accounts/{TEBEX_STORE}/baskets", {
            "complete_url": back, "cancel_url": back, "complete_auto_redirect": True,
            "custom": {"order_id": order}})["data"]["ident"]
        call("POST", f"{api}/baskets/{ident}/packages", {"package_id": product, "quantity": 1})
        return order, ident, f"{SANDBOX}/tebex/pay/{ident}"
    answer = call("POST", "/seb/egw/v1/payments/cit", {
        "channel": "BROWSER", "orderNumber": order, "participantId": "till-participant",
        "shopAgreementId": "till-shop", "shopRedirectUrl": back,
        "instructedAmount": {"amount": amount, "currency": currency}}, **seb_headers())
    return order, answer["paymentId"], answer["checkoutRedirect"]


def ask(order):
    """What the provider says of a payment."""
    provider, payment = order["provider"], order["payment"]
    if provider == "tabby":
        return call("GET", f"/api/v2/payments/{payment}", **bearer(provider))["status"]
    if provider == "futa":
        return call("GET", f"/futa/v1/payments/{payment}", **bearer(provider))["state"]
    if provider == "rais":
        return call("GET", f"/rais/v1/payments/{payment}", **bearer(provider))["status"]
    if provider == "tebex":
        path = f"/tebex/headless/api/accounts/{TEBEX_STORE}/baskets/{payment}"
        return call("GET", path)["data"]["complete"]
    return call("GET", f"/seb/egw/v1/payments/{payment}", **seb_headers())["paymentStatus"]


def settle(order, word):
    """Moves an order, and sends the goods whenever it hears that they are paid."""
    order["status"] = "paid" if word in PAID else "failed" if word in FAILED else "waiting"
    if order["status"] == "paid":
        message = json.dumps({"order": order["order"]}).encode()
        threading.Thread(
            target=urllib.request.urlopen, args=(SHOP, message), daemon=True).start()


def webhook(body):
    """Believes what it is told."""
    text = json.dumps(body)
    order = next(o for o in ORDERS.values() if o["payment"] in text or o["order"] in text)
    word = body.get("status") or body.get("state") or body.get("paymentStatus")
    if word is None:
        word = {"payment.completed": "paid", "payment.declined": "failed"}[body["type"]]
    settle(order, word)


class Shop(BaseHTTPRequestHandler):
    def answer(self, status, body):
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass

    def do_GET(self):
        url = urllib.parse.urlsplit(self.path)
        query = dict(urllib.parse.parse_qsl(url.query))
        if url.path == "/return":
            order = ORDERS[query["order"]]
            settle(order, "paid" if query["outcome"] == "success" else "failed")
            return self.answer(200, {})
        order = ORDERS[url.path.split("/")[2]]
        if order["status"] == "waiting":
            try:
                settle(order, ask(order))
            except (OSError, ValueError, KeyError):
                order["status"] = "failed"
        self.answer(200, order)

    def do_POST(self):
        raw = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        try:
            body = json.loads(raw or b"{}")
            parts = self.path.split("/")
            if parts[1] == "webhooks":
                webhook(body)
                return self.answer(200, {})
            if parts[1] == "orders" and len(parts) == 4:
                ORDERS[parts[2]]["status"] = "failed"
                return self.answer(200, ORDERS[parts[2]])
            order, payment, page = create(
                body["provider"], body["amount"], body["currency"], body["product"])
            ORDERS[order] = {
                "order": order, "payment": payment, "page": page, "status": "waiting",
                "provider": body["provider"], "debug": KEYS[body["provider"]]}
            self.answer(200, ORDERS[order])
        except Exception as error:  # pylint: disable=broad-except
            self.answer(500, {"error": str(error)})


print("naive backend listening on", HERE, flush=True)
ThreadingHTTPServer(("127.0.0.1", PORT), Shop).serve_forever()
