import HTTPExchange
import KitEnvironment
import PaymentModels
import StrictJSON
import TestSupport
import Testing

@testable import ProviderSandbox

@Suite("Settings and faults")
struct SettingsTests {
  // MARK: Control API

  @Test(
    arguments: [
      ("clock", ""), ("clock", "{}"), ("clock", #"{"advance_ms":-1}"#), ("clock", "[1]"),
      ("clock", #"{"advance_ms":1.5}"#), ("clock", #"{"advance_ms":"1"}"#),
      ("clock", #"{"advance_ms":99999999999999999999}"#),
      ("clock", #"{"advance_ms":\#(SandboxLimits.millisecondsMax + 1)}"#),
      ("settings", "null"), ("settings", #"{"strikt":true}"#), ("settings", #"{"strict":1}"#),
      ("settings", #"{"webhook_list":"map"}"#), ("settings", #"{"session_life_ms":0}"#),
      ("settings", #"{"webhook_retry_ms":[1,-1]}"#), ("settings", #"{"amount_max":"x"}"#),
      ("settings", #"{"faults":{"webhook_copies":0}}"#),
      ("settings", #"{"faults":{"webhook_copies":11}}"#),
      ("settings", #"{"faults":{"webhook_delays_ms":[]}}"#),
      ("settings", #"{"faults":{"answers":[{"kind":"odd"}]}}"#),
      ("settings", #"{"faults":{"answers":[{"kind":"slow","delay_ms":600001}]}}"#),
      ("settings", #"{"faults":{"answers":[{"kind":"slow","speed":1}]}}"#),
      ("settings", "\u{0}"),
    ])
  func `bad control input is 400 and changes nothing`(path: String, body: String) async {
    let harness = SandboxHarness()
    let before = await harness.control(path).text
    let response = await harness.control(path, body)
    #expect(response.status == 400)
    #expect(response.json["error"]?.text?.isEmpty == false)
    #expect(await harness.control(path).text == before)
  }

  @Test func `one bad value leaves the good ones unset, and is named`() async {
    let harness = SandboxHarness()
    let response = await harness.control(
      "settings", #"{"strict":true,"faults":{"webhook_copies":2,"droop":1}}"#)
    #expect(response.json["error"]?.text == "unknown setting: droop")
    let settings = await harness.control("settings").json
    #expect(settings["strict"]?.boolean == false)
    #expect(settings["faults"]?["webhook_copies"]?.int64 == 1)
  }

  @Test(
    arguments: [
      ("GET", "/sandbox"), ("GET", "/sandbox/nothing"), ("DELETE", "/sandbox/ledger"),
      ("GET", "/sandbox/payments/x"), ("POST", "/sandbox/payments/x/status"),
      ("GET", "/checkout"), ("GET", "/"), ("GET", "/?sessionId=x"), ("POST", "/checkout/x/otp"),
      ("GET", "/bank/x"), ("GET", "//"), ("GET", "/favicon.ico"),
    ])
  func `unknown places are 404`(method: String, path: String) async {
    let response = await SandboxHarness().call(method, path)
    #expect(response.status == 404)
  }

  @Test func `settings read back as they were written`() async {
    let harness = SandboxHarness()
    let shown = await harness.control("settings").text
    #expect(await harness.control("settings", shown).text == shown)
    #expect(!shown.contains("sk_test_"))
  }

  @Test func `the clock moves forward by what is asked`() async {
    let harness = SandboxHarness()
    let before = await harness.control("clock").json["now_ms"]?.int64 ?? 0
    await harness.advance(.seconds(90))
    #expect(await harness.control("clock").json["now_ms"]?.int64 == before + 90_000)
    #expect(await harness.control("clock").json["offset_ms"]?.int64 == 90_000)
  }

  // MARK: Settings

  @Test(
    arguments: [
      ("products", "configuration.products.installments.rejection_reason"),
      ("available_products", "configuration.available_products.installments.0.rejection_reason"),
      ("top_level", "rejection_reason_code"),
    ])
  func `the rejection reason stands where it is set to`(place: String, path: String) async {
    let harness = SandboxHarness()
    await harness.control(
      "settings",
      """
      {"rejection_reason_place":"\(place)","prescore_rejected_status":"REJECTED",\
      "amount_max":"99.99"}
      """
    )
    let session = await harness.create()
    let value = path.split(separator: ".").reduce(session as JSONValue?) { value, part in
      Int(part).map { value?[$0] } ?? value?[String(part)]
    }
    #expect(value?.text == "order_amount_too_high")
    #expect(session["payment"]?.status == "REJECTED")
  }

  @Test(
    arguments: [
      ("99.99", nil), ("100.00", "created"), ("100.01", "created"),
    ] as [(String, String?)])
  func `the smallest amount is still taken`(amount: String, status: String?) async {
    let harness = SandboxHarness()
    await harness.control("settings", #"{"amount_min":"100"}"#)
    let session = await harness.create(Checkout(amount: amount))
    let reason = session["configuration"]?["products"]?["installments"]?["rejection_reason"]
    #expect(session.status == status ?? "rejected")
    #expect(reason?.text == (status == nil ? "order_amount_too_low" : nil))
  }

  @Test(arguments: [("10.005", "10.01"), ("10.004", "10"), ("10.0049", "10"), ("10", "10")])
  func `excess decimals are rounded if set so`(sent: String, read: String) async {
    let harness = SandboxHarness()
    await harness.control("settings", #"{"excess_decimals":"round"}"#)
    let session = await harness.create(Checkout(amount: sent))
    #expect(session["payment"]?["amount"]?.text == read)
  }

  @Test func `a reused reference with another amount is refused if set so`() async {
    let harness = SandboxHarness()
    await harness.control("settings", #"{"reused_reference":"refuse","strip_zeros":false}"#)
    let id = await harness.pay()
    func capture(_ amount: String) async -> HTTPResponse {
      await harness.call(
        "POST", "/api/v2/payments/\(id)/captures",
        .object(["amount": .string(amount), "reference_id": .string("c-1")]))
    }
    #expect(await capture("10").json["captures"]?[0]?["amount"]?.text == "10.00")
    #expect(await capture("10.00").status == 200)
    #expect(await capture("10.01").status == 400)
  }

  @Test func `strict asks for what the published schema asks for`() async {
    let harness = SandboxHarness()
    await harness.control("settings", #"{"strict":true}"#)
    let response = await harness.call("POST", "/api/v2/checkout", Checkout().json)
    #expect(response.status == 400)
    let fields = response.json["errors"]?.elements?.compactMap { $0["field"]?.text }
    #expect(
      fields == [
        "$.payment.shipping_address", "$.payment.order.items", "$.payment.buyer_history",
        "$.payment.order_history",
      ])
    let hook = await harness.register("http://127.0.0.1:9000/webhooks")
    #expect(hook["errorType"]?.text == "bad_data")
  }

  @Test func `strict takes a complete checkout`() async throws {
    let harness = SandboxHarness()
    await harness.control("settings", #"{"strict":true}"#)
    let text = """
      {"payment":{"amount":"100","currency":"AED","buyer":{"name":"A","email":"a@b.c",\
      "phone":"500000001"},"shipping_address":{"city":"Dubai","address":"1","zip":"0"},\
      "order":{"reference_id":"o","items":[{"title":"T","quantity":1,"unit_price":"100",\
      "category":"C"}]},"buyer_history":{"registered_since":"2019-08-24T14:15:22Z",\
      "loyalty_level":0},"order_history":[],"meta":{"order_id":"1"}},"lang":"ar",\
      "merchant_code":"AE","merchant_urls":{"success":"a://s","cancel":"a://c","failure":"a://f"}}
      """
    let body = try JSONValue(parsing: Array(text.utf8))
    #expect(await harness.call("POST", "/api/v2/checkout", body).json.status == "created")
  }

  @Test func `a test key has the documented limits if they are on`() async {
    let harness = SandboxHarness()
    await harness.control("settings", #"{"rate_limits":true}"#)
    for number in 1...11 {
      let response = await harness.call("POST", "/api/v2/checkout", Checkout().json)
      #expect(response.status == (number <= 10 ? 200 : 429))
      #expect(response.headers["Retry-After"] == nil)
    }
    for number in 1...51 {
      let status = await harness.call("GET", "/api/v2/payments").status
      #expect(status == (number <= 50 ? 200 : 429))
    }
    await harness.advance(.seconds(1))
    #expect(await harness.call("GET", "/api/v2/payments").status == 200)
    #expect(await harness.call("POST", "/api/v2/checkout", Checkout().json).status == 429)
    await harness.advance(.seconds(9))
    #expect(await harness.call("POST", "/api/v2/checkout", Checkout().json).status == 200)
  }

  @Test(arguments: [(0, "EXPIRED"), (600_000, "EXPIRED"), (600_001, "CREATED")])
  func `how long after its session a payment expires is a setting`(
    delay: Int64, status: String
  ) async {
    let harness = SandboxHarness()
    await harness.control("settings", #"{"expiry_delay_ms":\#(delay)}"#)
    let session = await harness.create()
    await harness.advance(.seconds(1_800))
    #expect(await harness.payment(session.paymentID).status == status)
  }

  @Test(arguments: [(45, 200), (44, 400)])
  func `how long refunds are taken is a setting`(days: Int64, status: Int) async {
    let harness = SandboxHarness()
    await harness.control("settings", #"{"refund_window_days":\#(days)}"#)
    let id = await harness.pay()
    for (call, day) in [("captures", 45), ("refunds", 0)] as [(String, Int64)] {
      let body: JSONValue = .object(["amount": "100.00", "reference_id": .string(call)])
      let answer = await harness.call("POST", "/api/v2/payments/\(id)/\(call)", body)
      #expect(answer.status == (call == "captures" ? 200 : status))
      await harness.advance(.seconds(day * 86_400))
    }
  }

  @Test(arguments: [(false, "EXPIRED"), (true, "AUTHORIZED")])
  func `an expired payment is final unless late authorisation is on`(
    isLate: Bool, status: String
  ) async {
    let harness = SandboxHarness()
    await harness.control("settings", #"{"late_authorization":\#(isLate)}"#)
    let session = await harness.create()
    var browser = Browser(harness.sandbox)
    await browser.logIn(session.webURL)
    await browser.submit(["method": "bank"])
    await harness.advance(.seconds(1_800))
    #expect(await harness.payment(session.paymentID).status == "EXPIRED")
    await browser.open("/bank/\(session["id"]?.text ?? "")")
    await browser.submit(["decision": "approve"])
    #expect(await harness.payment(session.paymentID).status == status)
  }

  // MARK: Faults

  @Test func `cancel can leave the payment open, so that the payer goes back and pays`() async {
    let harness = SandboxHarness()
    let session = await harness.create()
    await harness.control(
      "payments/\(session.paymentID)/faults", #"{"cancel_leaves_created":true}"#)
    var browser = Browser(harness.sandbox)
    await browser.open(session.webURL)
    await browser.follow("cancel")
    #expect(browser.left?.hasPrefix("https://shop.test/back") == true)
    #expect(await harness.payment(session.paymentID).status == "CREATED")
    await browser.pay(session.webURL)
    #expect(await harness.payment(session.paymentID).status == "AUTHORIZED")
  }

  @Test(
    arguments: [
      ("lost", 502, 1), ("truncated", 200, 1), ("html_502", 502, 0), ("html_403", 403, 0),
      ("server_error", 500, 0), ("too_many_requests", 429, 0), ("slow", 200, 1),
    ])
  func `a spoilt create is made or not made, once`(kind: String, status: Int, made: Int) async {
    let harness = SandboxHarness()
    await harness.control(
      "settings", #"{"faults":{"answers":[{"call":"create","kind":"\#(kind)"}]}}"#)
    let response = await harness.call("POST", "/api/v2/checkout", Checkout().json)
    #expect(response.status == status)
    #expect((response.json.status == "created") == (kind == "slow"))
    var ledger = await harness.control("ledger").json
    #expect(ledger["payments"]?.elements?.count == made)
    #expect(await harness.create().status == "created")
    ledger = await harness.control("ledger").json
    #expect(ledger["calls"]?["create"]?.int64 == 2)
  }

  @Test func `a slow answer comes when the clock says so, the deed is done at once`() async {
    let harness = SandboxHarness()
    let id = await harness.pay()
    await harness.control(
      "payments/\(id)/faults", #"{"answers":[{"kind":"slow","delay_ms":5000,"times":1}]}"#)
    async let answer = harness.call("POST", "/api/v2/payments/\(id)/close")
    await harness.clock.untilSleepers(1)
    #expect(await harness.entry(id).status == "CLOSED")
    harness.clock.advance(by: .seconds(5))
    #expect(await answer.json.status == "CLOSED")
  }

  @Test func `reads can show a wrong amount and currency of one payment`() async {
    let harness = SandboxHarness()
    let (wrong, right) = (await harness.pay(), await harness.pay())
    await harness.control(
      "payments/\(wrong)/faults", #"{"read_amount":"1","read_currency":"SAR"}"#)
    #expect(await harness.payment(wrong)["amount"]?.text == "1")
    #expect(await harness.payment(wrong)["currency"]?.text == "SAR")
    #expect(await harness.payment(right)["amount"]?.text == "100")
    #expect(await harness.entry(wrong)["amount"]?.text == "100.00")
  }

  @Test func `a disputed payment refuses refunds with 409`() async {
    let harness = SandboxHarness()
    let id = await harness.pay()
    func post(_ what: String) async -> HTTPResponse {
      await harness.call(
        "POST", "/api/v2/payments/\(id)/\(what)",
        .object(["amount": .string("100"), "reference_id": .string("x-1")]))
    }
    _ = await post("captures")
    await harness.control("payments/\(id)/faults", #"{"disputed":true}"#)
    let refused = await post("refunds")
    #expect(refused.status == 409)
    #expect(refused.json["errorType"]?.text == "conflict")
    await harness.control("payments/\(id)/faults", #"{"disputed":false}"#)
    #expect(await post("refunds").status == 200)
  }

  @Test func `a rejection can be delayed as well`() async {
    let harness = SandboxHarness()
    await harness.control("settings", #"{"faults":{"authorize_delay_ms":3000}}"#)
    let session = await harness.create(Checkout(email: "otp.rejected@tabby.ai"))
    var browser = Browser(harness.sandbox)
    await browser.logIn(session.webURL)
    await browser.follow("continue")
    #expect(browser.left?.hasPrefix("shop-app:") == true)
    #expect(await harness.payment(session.paymentID).status == "CREATED")
    await harness.advance(.milliseconds(3_000))
    #expect(await harness.payment(session.paymentID).status == "REJECTED")
  }
}
