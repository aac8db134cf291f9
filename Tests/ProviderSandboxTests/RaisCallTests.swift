import HTTPExchange
import PaymentModels
import ProviderSandbox
import StrictJSON
import TestSupport
import Testing

@Suite("The fake Raïs' API")
struct RaisCallTests {
  @Test func `the documented create answers with id, page and end`() async {
    let harness = RaisHarness()
    let answer = await harness.create()
    #expect(answer.status == 201)
    let json = answer.json
    let id = json["id"]?.text ?? ""
    #expect(isCanonicalUUID(id))
    #expect(json["status"] == "pending")
    #expect(json["amount"] == .number("500000"))
    #expect(json["reference"] == "order-1042")
    #expect(json["checkout_url"]?.text == "http://sandbox.test/checkout/\(id)")
    #expect(json["expires_at"] == "2026-09-21T15:13:20Z")
    let number = json["order_number"]?.text ?? ""
    #expect(number.hasPrefix("RS") && number.count == 10)
    #expect(await harness.read(id) == json)
  }

  @Test func `the language may be left out`() async {
    let harness = RaisHarness()
    #expect(await harness.create(RaisOrder().with { $0.language = nil }).status == 201)
  }

  @Test(arguments: [
    "0", "-1", "5.0", #""500000""#, "null", "1e3", "1000000000000001",
  ])
  func `an amount is a whole number above zero`(amount: String) async {
    let answer = await RaisHarness().create(RaisOrder().with { $0.amount = amount })
    #expect(answer.status == 400)
    #expect(answer.json.find("error.code") == "invalid_request")
  }

  @Test(arguments: [
    "myapp://pay/result", "MyApp://Pay", "myapp://pay/", "myapp:x", "https://shop.example/r",
    "http://192.168.1.4:3000/r", "com.shop.app://x?a=1#part",
  ])
  func `return addresses are kept exactly as they are written`(url: String) async {
    let harness = RaisHarness()
    let id = await harness.created(RaisOrder().with { $0.success = "\"\(url)\"" })
    #expect(await harness.read(id)["success_url"]?.text == url)
  }

  @Test(arguments: ["null", "7", #""""#, #""/result""#, #""my app://x""#, #""myapp""#, #""é://x""#])
  func `what is no address is refused`(url: String) async {
    #expect(await RaisHarness().create(RaisOrder().with { $0.success = url }).status == 400)
    #expect(await RaisHarness().create(RaisOrder().with { $0.cancel = url }).status == 400)
  }

  @Test(arguments: ["", "{", "[]", "null"])
  func `a body that is no object is refused`(body: String) async {
    #expect(await RaisHarness().call("POST", "/v1/payments", body).status == 400)
  }

  @Test func `the same key gives the same payment, whatever became of it`() async {
    let harness = RaisHarness()
    let id = await harness.created()
    let again = await harness.create()
    #expect(again.status == 200)
    #expect(again.json["id"]?.text == id)
    await harness.advance(3_600_000)
    #expect(await harness.create().json["status"] == "expired")
    #expect(await harness.create().json["id"]?.text == id)
    #expect(await harness.created(key: "k2") != id)
    #expect(await harness.entry(id).find("calls.create") == .number("4"))
  }

  @Test func `the same key with other terms is a conflict`() async {
    let harness = RaisHarness()
    _ = await harness.create()
    let other = RaisOrder().with { $0.amount = "1" }
    #expect(await harness.create(other).status == 409)
    await harness.control("settings", #"{"conflict_status":422}"#)
    let answer = await harness.create(other)
    #expect(answer.status == 422)
    #expect(answer.json.find("error.code") == "idempotency_conflict")
  }

  @Test func `without a key each request makes a payment`() async {
    let harness = RaisHarness()
    #expect(await harness.created(key: nil) != harness.created(key: nil))
  }

  @Test(arguments: [nil, "", "wrong", "rais_sk_test_wrong", "rais_sk_live_1"])
  func `a key that is not known opens nothing`(key: String?) async {
    let harness = RaisHarness { $0.keys.append(Secret("rais_sk_live_1")) }
    let id = await harness.created()
    #expect(await harness.call("POST", "/v1/payments", RaisOrder().text, key: key).status == 401)
    #expect(await harness.call("GET", "/v1/payments/\(id)", key: key).status == 401)
  }

  @Test(arguments: [
    ("GET", "/v1/payments/x"), ("GET", "/v1/payments"), ("DELETE", "/v1/payments/x"),
    ("POST", "/v1/refunds"), ("GET", "/v2/payments/x"),
  ])
  func `what is not served is not found`(method: String, path: String) async {
    #expect(await RaisHarness().call(method, path).status == 404)
  }

  @Test func `a payment that nobody pays is over at its end and not before`() async {
    let harness = RaisHarness { $0.lifeMs = 1_000 }
    let id = await harness.created()
    await harness.advance(999)
    #expect(await harness.status(id) == "pending")
    await harness.advance(1)
    #expect(await harness.status(id) == "expired")
  }

  @Test func `words, currency and exponent are settings`() async {
    let harness = RaisHarness()
    let id = await harness.created()
    #expect(await harness.read(id)["currency"] == nil)
    #expect(await harness.entry(id)["amount"] == "500000")
    await harness.control(
      "settings",
      #"{"show_currency":true,"exponent":2,"failed_word":"no","expired_word":"late","#
        + #""cancelled_word":"gone"}"#)
    #expect(await harness.read(id)["currency"] == "GNF")
    #expect(await harness.entry(id)["amount"] == "5000.00")
    for (status, word) in [("failed", "no"), ("expired", "late"), ("cancelled", "gone")] {
      await harness.control("payments/\(id)/status", #"{"status":"\#(status)"}"#)
      #expect(await harness.status(id) == word)
    }
  }

  @Test(arguments: [
    #"{"nothing":1}"#, #"{"life_ms":0}"#, #"{"exponent":5}"#, #"{"webhook_scheme":"x"}"#,
    #"{"faults":{"answers":[{"kind":"x"}]}}"#, "{",
  ])
  func `a setting that does not fit changes nothing`(body: String) async {
    let harness = RaisHarness()
    let before = await harness.control("settings").json
    #expect(await harness.control("settings", body).status == 400)
    #expect(await harness.control("settings").json == before)
  }

  @Test func `a lost create was made, and its key finds it`() async {
    let harness = RaisHarness()
    await harness.control(
      "settings", #"{"faults":{"answers":[{"call":"create","kind":"lost"}]}}"#)
    let lost = await harness.create()
    #expect(lost.status == 502)
    #expect(lost.headers["Content-Type"]?.contains("html") == true)
    #expect(await harness.create().status == 200)
    #expect(await harness.control("ledger").json["payments"]?.elements?.count == 1)
  }

  @Test(arguments: [
    ("html_502", 502), ("html_403", 403), ("server_error", 500), ("too_many_requests", 429),
    ("truncated", 200),
  ])
  func `reads can be spoilt, one payment's alone`(kind: String, status: Int) async {
    let harness = RaisHarness()
    let id = await harness.created()
    let other = await harness.created(key: "k2")
    await harness.control(
      "payments/\(id)/faults", #"{"answers":[{"call":"read","kind":"\#(kind)"}]}"#)
    #expect(await harness.call("GET", "/v1/payments/\(other)").json["id"]?.text == other)
    let spoilt = await harness.call("GET", "/v1/payments/\(id)")
    #expect(spoilt.status == status)
    #expect(spoilt.json["id"] == nil)
    #expect(await harness.read(id)["id"]?.text == id)
  }

  @Test func `a read can name another amount`() async {
    let harness = RaisHarness()
    let id = await harness.created()
    await harness.control("payments/\(id)/faults", #"{"read_amount":"5"}"#)
    #expect(await harness.read(id)["amount"] == .number("5"))
  }

  @Test func `a body over the bound is refused`() async {
    let answer = await RaisHarness().call(
      "POST", "/v1/payments", String(repeating: " ", count: (64 << 10) + 1))
    #expect(answer.status == 413)
  }
}
