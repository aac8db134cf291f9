import HTTPExchange
import PaymentModels
import StrictJSON
import TestSupport
import Testing

@testable import ProviderSandbox

@Suite("API calls")
struct CallTests {
  private func post(
    _ harness: SandboxHarness, _ id: String, _ what: String, _ amount: String,
    _ reference: String? = nil
  ) async -> HTTPResponse {
    var members = [JSONMember(name: "amount", value: .string(amount))]
    if let reference {
      members.append(JSONMember(name: "reference_id", value: .string(reference)))
    }
    return await harness.call("POST", "/api/v2/payments/\(id)/\(what)", .object(members))
  }

  // MARK: Errors

  @Test(
    arguments: [
      ("GET", "/api/v2/nothing", 404, "404 page not found"),
      ("GET", "/api", 404, "404 page not found"),
      ("DELETE", "/api/v2/checkout", 404, "404 page not found"),
      ("GET", "/api/v2/payments/", 400, "invalid payment id"),
      ("GET", "/api/v2/payments/..%2Fcheckout", 400, "invalid payment id"),
      ("GET", "/api/v2/payments/42", 400, "invalid payment id"),
      ("GET", "/api/v2/payments/00000000-0000-4000-8000-000000000009", 404, "no such payment"),
      (
        "POST", "/api/v2/payments/00000000-0000-4000-8000-000000000009/close", 404,
        "no such payment"
      ),
      ("GET", "/api/v2/checkout/00000000-0000-4000-8000-000000000009", 404, "no such session"),
      ("GET", "/api/v2/payments?limit=21", 400, "failed to decode request"),
      ("GET", "/api/v2/payments?limit=-1", 400, "failed to decode request"),
      ("GET", "/api/v2/payments?offset=x", 400, "failed to decode request"),
      ("GET", "/api/v2/payments?status=paid", 400, "failed to decode request"),
      ("GET", "/api/v2/payments?created_at__gte=yesterday", 400, "failed to decode request"),
    ])
  func `errors have the documented status and text`(
    method: String, path: String, status: Int, text: String
  ) async {
    let response = await SandboxHarness().call(method, path)
    #expect(response.status == status)
    #expect((response.json["error"]?.text ?? response.text) == text)
  }

  @Test(
    arguments: [
      ("/api/v2/checkout", nil, "missing Bearer scheme"),
      ("/api/v2/checkout", "sk_test_wrong", "merchant is null"),
      ("/api/v2/checkout", "sk_00000000-0000-4000-8000-000000000001", "merchant is null"),
      ("/api/v2/payments/x/close", nil, "missing Bearer scheme"),
      ("/api/v2/payments/x/close", "sk_test_wrong", nil),
      ("/api/v2/payments/x/close", TabbySandboxSettings.demoPublicKey.reveal(), nil),
      ("/api/v1/webhooks", nil, "authorization"),
      ("/api/v1/webhooks", "sk_test_wrong", "invalid secret key"),
    ] as [(String, String?, String?)])
  func `a missing or wrong key is 401, with the text of its endpoint`(
    path: String, key: String?, text: String?
  ) async {
    let response = await SandboxHarness().call("POST", path, .object([]), key: key)
    #expect(response.status == 401)
    #expect(response.json["errorType"]?.text == "not_authorized")
    #expect(response.json["error"]?.text == text)
  }

  @Test func `a live key is never let in, even if it is configured`() async {
    let key = "sk_00000000-0000-4000-8000-000000000001"
    let harness = SandboxHarness(TabbySandboxSettings(keys: [Secret(key)]))
    #expect(await harness.call("POST", "/api/v2/checkout", Checkout().json, key: key).status == 401)
  }

  @Test func `a public key may create a session, unless strict`() async {
    let key = TabbySandboxSettings.demoPublicKey.reveal()
    let harness = SandboxHarness()
    #expect(await harness.call("POST", "/api/v2/checkout", Checkout().json, key: key).status == 200)
    await harness.control("settings", #"{"strict":true}"#)
    #expect(await harness.call("POST", "/api/v2/checkout", Checkout().json, key: key).status == 401)
  }

  @Test(
    arguments: [
      "", "[]", "{", "null", #"{"payment":1}"#, #"{"payment":{"amount":1,"currency":"AED"}}"#,
      #"{"payment":{"amount":"1"},"merchant_code":"AE"}"#,
      #"{"payment":{"amount":"1","currency":"AED"}}"#,
      #"{"payment":{"amount":"1","currency":"AED","buyer":7},"merchant_code":"AE"}"#,
      #"{"payment":{"amount":"1","currency":"AED","amount":"2"},"merchant_code":"AE"}"#,
      #"{"payment":{"amount":"1","currency":"SAR"},"merchant_code":"AE"}"#,
      String(repeating: "[", count: 2_000),
    ])
  func `a bad checkout body is 400 and makes nothing`(body: String) async {
    let harness = SandboxHarness()
    let response = await harness.sandbox.respond(
      to: HTTPRequest(
        method: "POST", target: "/api/v2/checkout",
        headers: ["Authorization": "Bearer \(SandboxHarness.key)"], body: Array(body.utf8)))
    #expect(response.status == 400)
    #expect(response.json["errorType"]?.text == "bad_data")
    #expect(await harness.control("ledger").json["payments"] == .array([]))
  }

  @Test(
    arguments: [
      "javascript", "shop", "//shop.test", "https://shop.test/\n", "1http://x", ":x",
      "https://shop.test/" + String(repeating: "a", count: SandboxLimits.returnURLBytesMax),
    ])
  func `a return URL that cannot be a Location is refused`(url: String) async {
    let urls = JSONValue.object(["success": .string(url)])
    let response = await SandboxHarness().call(
      "POST", "/api/v2/checkout", Checkout(urls: urls).json)
    #expect(response.json["errors"]?[0]?["field"]?.text == "$.merchant_urls.success")
  }

  @Test func `a body over the limit is refused, one at the limit is read`() async {
    for (extra, status) in [(0, 200), (1, 413)] {
      var body = Checkout().json.serialized()
      body += Array(repeating: 0x20, count: SandboxLimits.bodyBytesMax - body.count + extra)
      let response = await SandboxHarness().sandbox.respond(
        to: HTTPRequest(
          method: "POST", target: "/api/v2/checkout",
          headers: ["Authorization": "Bearer \(SandboxHarness.key)"], body: body))
      #expect(response.status == status)
    }
  }

  @Test func `no more payments are made than the sandbox keeps`() async {
    let harness = SandboxHarness()
    _ = await harness.create()
    await harness.sandbox.ledger.fill(to: SandboxLimits.paymentsMax - 1)
    #expect(await harness.call("POST", "/api/v2/checkout", Checkout().json).status == 200)
    let refused = await harness.call("POST", "/api/v2/checkout", Checkout().json)
    #expect(refused.status == 503)
    #expect(await harness.sandbox.ledger.payments.count == SandboxLimits.paymentsMax)
  }

  @Test(arguments: ["captures", "refunds"])
  func `a payment has at most a hundred captures and refunds`(what: String) async {
    let harness = SandboxHarness()
    let id = await harness.pay(Checkout(amount: "500.00"))
    if what == "refunds" { _ = await post(harness, id, "captures", "500", "all") }
    for number in 1...SandboxLimits.itemsMax + 1 {
      let response = await post(harness, id, what, "1", "n-\(number)")
      #expect(response.status == (number <= SandboxLimits.itemsMax ? 200 : 503))
    }
  }

  // MARK: Money

  @Test(
    arguments: [
      ("AED", "AE", "100", "100"), ("AED", "AE", "100.00", "100"), ("AED", "AE", "100.5", "100.5"),
      ("AED", "AE", "100.50", "100.5"), ("AED", "AE", "730.33", "730.33"),
      ("KWD", "KW", "5.500", "5.5"), ("KWD", "KW", "5.005", "5.005"), ("AED", "AE", "0.10", "0.1"),
    ])
  func `amounts read back without trailing zeros`(
    currency: String, code: String, sent: String, read: String
  ) async {
    let harness = SandboxHarness()
    let session = await harness.create(Checkout(amount: sent, currency: currency, code: code))
    #expect(await harness.payment(session.paymentID)["amount"]?.text == read)
  }

  @Test(arguments: ["", "0", "0.00", "-1", "1,00", "1e2", "01", ".5", "5.", "10.005", " 1", "١"])
  func `amounts that are no amounts are refused`(amount: String) async {
    let response = await SandboxHarness().call(
      "POST", "/api/v2/checkout", Checkout(amount: amount).json)
    #expect(response.status == 400)
    #expect(response.json["errors"]?[0]?["field"]?.text == "$.payment.amount")
  }

  @Test(
    arguments: [
      ("100.00", ["25.00", "25.00", "25.00", "25.00"]),
      ("100.03", ["25.00", "25.00", "25.00", "25.03"]),
      ("0.03", ["0.00", "0.00", "0.00", "0.03"]),
    ])
  func `the last instalment takes the remainder`(amount: String, parts: [String]) throws {
    let currency = try #require(Currency(iso4217: "AED"))
    let start = try #require(Instant(iso8601: "2026-11-30T08:00:00Z"))
    let plan = InstalmentPlan(amount: try Money(decimal: amount, currency: currency), start: start)
    #expect(plan.parts.map(\.amount.decimal) == parts)
    #expect(
      plan.parts.map(\.dueDate) == ["2026-11-30", "2026-12-30", "2027-01-30", "2027-02-28"])
  }

  // MARK: Captures, refunds, close

  @Test func `captures add up to CLOSED, refunds to what was captured`() async {
    let harness = SandboxHarness()
    let id = await harness.pay()
    #expect(await post(harness, id, "captures", "60.01", "c-1").json.status == "AUTHORIZED")
    #expect(await post(harness, id, "captures", "40.00", "c-2").status == 400)
    #expect(await post(harness, id, "refunds", "1.00", "r-0").status == 400)
    let closed = await post(harness, id, "captures", "39.99", "c-3")
    #expect(closed.status == 200)
    #expect(closed.json.status == "CLOSED")
    #expect(closed.json["captures"]?.elements?.map { $0["amount"]?.text } == ["60.01", "39.99"])
    #expect(await post(harness, id, "refunds", "100.01", "r-1").status == 400)
    #expect(await post(harness, id, "refunds", "30", "r-2").json.status == "CLOSED")
    #expect(await post(harness, id, "refunds", "70.01", "r-3").status == 400)
    #expect(await post(harness, id, "refunds", "70", "r-4").json["refunds"]?.elements?.count == 2)
    #expect(await post(harness, id, "refunds", "0.01", "r-5").status == 400)
    let entry = await harness.entry(id)
    #expect(entry["captured"]?.text == "100.00")
    #expect(entry["refunded"]?.text == "100.00")
  }

  @Test func `a repeated reference makes nothing new, one left out is not a reference`() async {
    let harness = SandboxHarness()
    let id = await harness.pay()
    for _ in 0..<2 { _ = await post(harness, id, "captures", "10.00", "c-1") }
    // The same reference with another amount is a replay too, by default.
    #expect(await post(harness, id, "captures", "20.00", "c-1").status == 200)
    #expect(await harness.entry(id)["captured"]?.text == "10.00")
    for _ in 0..<2 { _ = await post(harness, id, "captures", "45.00") }
    #expect(await harness.payment(id).status == "CLOSED")
    // Also after the payment has moved on: a lost answer is repeated safely.
    #expect(await post(harness, id, "captures", "10.00", "c-1").status == 200)
    #expect(await harness.payment(id)["captures"]?[1]?["reference_id"]?.text == "")
  }

  @Test func `close cancels the rest, and only once`() async {
    let harness = SandboxHarness()
    let id = await harness.pay()
    _ = await post(harness, id, "captures", "10.00", "c-1")
    let path = "/api/v2/payments/\(id)/close"
    #expect(await harness.call("POST", path).json.status == "CLOSED")
    let again = await harness.call("POST", path)
    #expect(again.status == 400)
    #expect(again.json["error"]?.text == "already closed")
    #expect(await post(harness, id, "captures", "10.00", "c-2").status == 400)
    #expect(await post(harness, id, "refunds", "10.00", "r-1").status == 200)
  }

  @Test func `a payment that is closed without a capture has nothing to refund`() async {
    let harness = SandboxHarness()
    let id = await harness.pay()
    _ = await harness.call("POST", "/api/v2/payments/\(id)/close")
    let response = await post(harness, id, "refunds", "1.00", "r-1")
    #expect(
      response.json["error"]?.text == "can not refund payment that has no captures and not closed")
  }

  @Test(arguments: ["CREATED", "REJECTED", "EXPIRED"])
  func `nothing can be done to a payment that is not authorised`(status: String) async {
    let harness = SandboxHarness()
    let id = await harness.create().paymentID
    await harness.control("payments/\(id)/status", #"{"status":"\#(status)"}"#)
    let capture = await post(harness, id, "captures", "100.00", "c-1")
    #expect(capture.json["error"]?.text == "could not capture not authorized payments")
    #expect(await post(harness, id, "refunds", "1.00", "r-1").status == 400)
    #expect(await harness.call("POST", "/api/v2/payments/\(id)/close").status == 400)
    let order = JSONValue.object(["order": .object(["reference_id": .string("x")])])
    #expect(await harness.call("PUT", "/api/v2/payments/\(id)", order).status == 400)
    #expect(await harness.payment(id).status == status)
  }

  @Test func `refunds are taken for 180 days from creation`() async {
    let harness = SandboxHarness()
    let id = await harness.pay()
    _ = await post(harness, id, "captures", "100.00", "c-1")
    await harness.advance(.seconds(180 * 86_400))
    #expect(await post(harness, id, "refunds", "1.00", "r-1").status == 200)
    await harness.advance(.milliseconds(1))
    #expect(await post(harness, id, "refunds", "1.00", "r-2").status == 400)
  }

  @Test func `an update changes the reference and nothing else`() async {
    let harness = SandboxHarness()
    let id = await harness.pay()
    let body = JSONValue.object([
      "amount": .string("1"), "order": .object(["reference_id": .string("order-9")]),
    ])
    let updated = await harness.call("PUT", "/api/v2/payments/\(id)", body)
    #expect(updated.json["order"]?["reference_id"]?.text == "order-9")
    #expect(updated.json["amount"]?.text == "100")
    #expect(updated.json["meta"]?["order_id"]?.text == "o-7")
  }

  @Test func `a session can be cancelled until it is paid`() async {
    let harness = SandboxHarness()
    let session = await harness.create()
    let path = "/api/v2/checkout/\(session["id"]?.text ?? "")/cancel"
    #expect(await harness.call("POST", path).json.status == "expired")
    #expect(await harness.payment(session.paymentID).status == "EXPIRED")
    let paid = await harness.create()
    await harness.control("payments/\(paid.paymentID)/status", #"{"status":"AUTHORIZED"}"#)
    let late = await harness.call(
      "POST", "/api/v2/checkout/\(paid["id"]?.text ?? "")/cancel")
    #expect(late.status == 400)
  }

  @Test func `the list has the newest first, authorised and closed unless told`() async {
    let harness = SandboxHarness()
    let first = await harness.pay()
    _ = await harness.create()
    let third = await harness.pay()
    _ = await harness.call("POST", "/api/v2/payments/\(third)/close")
    func ids(_ query: String) async -> [String?] {
      await harness.call("GET", "/api/v2/payments\(query)").json["payments"]?.elements?
        .map { $0["id"]?.text } ?? []
    }
    #expect(await ids("") == [third, first])
    #expect(await ids("?limit=1&offset=1") == [first])
    #expect(await ids("?status=cancelled") == [third])
    #expect(await ids("?status=new") == [first])
    // The time of day counts as midnight, so "until today" leaves today out.
    #expect(await ids("?created_at__lte=2026-09-21T23:00:00Z") == [])
    #expect(await ids("?created_at__gte=2026-09-21T23:00:00Z") == [third, first])
  }

  @Test func `expires_at is the session's end, then a year after the authorisation`() async {
    let harness = SandboxHarness()
    let session = await harness.create()
    let start = harness.clock.now
    #expect(
      session["payment"]?["expires_at"]?.text == (start + .seconds(1_200)).description)
    await harness.control("payments/\(session.paymentID)/status", #"{"status":"AUTHORIZED"}"#)
    let later = (start + .seconds(365 * 86_400)).description
    #expect(await harness.payment(session.paymentID)["expires_at"]?.text == later)
  }
}

extension TabbyLedger {
  /// Fills the ledger with copies of its first payment.
  fileprivate func fill(to count: Int) {
    for _ in payments.count..<count { append(payments[0]) }
  }
}
