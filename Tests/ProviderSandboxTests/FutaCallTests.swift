import HTTPExchange
import PaymentModels
import ProviderSandbox
import StrictJSON
import TestSupport
import Testing

@Suite("The fake Futa's API")
struct FutaCallTests {
  @Test func `a create answers with its terms, an id, a state and a page`() async {
    let harness = FutaHarness()
    let answer = await harness.create()
    #expect(answer.status == 201)
    let json = answer.json
    let id = json["id"]?.text ?? ""
    #expect(id.hasPrefix("pay_"))
    #expect(json["state"] == "created")
    #expect(json["final"] == .bool(false))
    #expect(json["amount"] == .number("2500000"))
    #expect(json["merchant_reference"] == "order-10482")
    #expect(json["return_url"] == "https://shop.example/thanks")
    #expect(json["expires_at"] == "2026-09-22T12:00:00Z")
    #expect(json["embedding"] == .object(["mode": "app"]))
    #expect(json["checkout_url"] == .string("http://sandbox.test/pay/\(id)"))
    #expect(await harness.read(id) == json)
  }

  @Test(arguments: [nil, "", "futa_live_1", "sk_test_1"])
  func `a key that it does not know is refused`(key: String?) async {
    let harness = FutaHarness()
    let create = await harness.call(
      "POST", "/v1/payments", FutaOrder().text, idempotencyKey: "k", key: key)
    #expect(create.status == 401)
    #expect(await harness.call("GET", "/v1/payments/x", key: key).status == 401)
  }

  @Test func `the key binds every term`() async {
    let harness = FutaHarness()
    let first = await harness.create()
    let repeated = await harness.create()
    #expect(repeated.status == 200)
    #expect(repeated.json == first.json)
    let others = [
      FutaOrder().with { $0.amount = "2500001" },
      FutaOrder().with { $0.reference = #""order-10483""# },
      FutaOrder().with { $0.description = #""Order""# },
      FutaOrder().with { $0.returnURL = #""https://shop.example/other""# },
      FutaOrder().with { $0.expiresAt = #""2026-09-22T12:00:01Z""# },
      FutaOrder().with { $0.embedding = nil },
      FutaOrder().with { $0.extra = #""method": "mobile_money", "msisdn": "+243810000001""# },
      FutaOrder().with { $0.extra = #""note": 1"# },
    ]
    for order in others {
      let answer = await harness.create(order)
      #expect(answer.status == 409)
      #expect(answer.json.find("error.code") == "idempotency_conflict")
    }
    #expect(await harness.control("ledger").json["payments"]?.elements?.count == 1)
    #expect(await harness.create(key: "k2").status == 201)
  }

  @Test func `the same terms in another order are the same`() async {
    let harness = FutaHarness()
    _ = await harness.create()
    let turned =
      #"{"embedding":{"mode":"app"},"expires_at":"2026-09-22T12:00:00Z","currency":"CDF","#
      + #""amount":2500000,"return_url":"https://shop.example/thanks","#
      + #""description":"Order 10482","merchant_reference":"order-10482"}"#
    let answer = await harness.call("POST", "/v1/payments", turned, idempotencyKey: "k1")
    #expect(answer.status == 200)
  }

  @Test func `a repeat finds its payment after expires_at too`() async {
    let harness = FutaHarness()
    let id = await harness.created()
    await harness.control("clock", #"{"advance_ms":172800000}"#)
    let again = await harness.create()
    #expect(again.status == 200)
    #expect(again.json["id"]?.text == id)
    #expect(again.json["state"] == "expired")
    #expect(again.json["final"] == .bool(true))
  }

  // The clock stands at 2026-09-21T14:13:20Z.
  @Test(arguments: [
    ("2026-09-21T14:13:21Z", true), ("2026-09-22T14:13:20Z", true),
    ("2026-09-21T14:13:20Z", false), ("2026-09-22T14:13:21Z", false),
    ("2026-09-20T12:00:00Z", false), ("2026-09-22T12:00:00+02:00", false), ("2026-09-22", false),
    ("soon", false), ("", false),
  ])
  func `expires_at lies within the next 24 hours, in UTC`(text: String, isTaken: Bool) async {
    let harness = FutaHarness()
    let answer = await harness.create(FutaOrder().with { $0.expiresAt = "\"\(text)\"" })
    #expect(answer.status == (isTaken ? 201 : 400))
  }

  @Test(arguments: [
    "0", "-1", "1.5", "2500000.0", "1e3", #""2500000""#, "null", "1000000000000001",
  ])
  func `an amount is a positive integer`(amount: String) async {
    let answer = await FutaHarness().create(FutaOrder().with { $0.amount = amount })
    #expect(answer.status == 400)
    #expect(answer.json.find("error.code") == "invalid_request")
  }

  @Test func `what is missing or odd is refused by its name`() async {
    let rows: [(FutaOrder, String)] = [
      (FutaOrder().with { $0.currency = #""USD""# }, "currency"),
      (FutaOrder().with { $0.reference = #""""# }, "merchant_reference"),
      (FutaOrder().with { $0.reference = "7" }, "merchant_reference"),
      (FutaOrder().with { $0.description = "null" }, "description"),
      (FutaOrder().with { $0.returnURL = #""http://shop.example/""# }, "return_url"),
      (FutaOrder().with { $0.returnURL = #""tillshop://checkout""# }, "return_url"),
      (FutaOrder().with { $0.returnURL = #""https://""# }, "return_url"),
      (FutaOrder().with { $0.embedding = #"{"mode":"frame"}"# }, "embedding.mode"),
      (FutaOrder().with { $0.embedding = #""app""# }, "embedding.mode"),
    ]
    for (order, member) in rows {
      let answer = await FutaHarness().create(order)
      #expect(answer.status == 400)
      #expect(answer.json.find("error.message")?.text?.hasPrefix(member) == true)
    }
    for body in ["", "[]", "{", #"{"amount":1,"amount":1}"#] {
      let answer = await FutaHarness().call("POST", "/v1/payments", body, idempotencyKey: "k")
      #expect(answer.status == 400)
    }
  }

  @Test func `direct mode refuses embedding`() async {
    let direct = #""method": "mobile_money", "msisdn": "+243810000001""#
    let harness = FutaHarness()
    let both = await harness.create(FutaOrder().with { $0.extra = direct })
    #expect(both.status == 422)
    #expect(both.json.find("error.code") == "embedding_refused")
    let alone = await harness.create(
      FutaOrder().with {
        $0.extra = direct
        $0.embedding = nil
      })
    #expect(alone.status == 201)
    #expect(alone.json["state"] == "paid")
    #expect(alone.json["checkout_url"] == .null)
  }

  @Test func `what is not documented is a setting`() async {
    let noKey = await FutaHarness().call("POST", "/v1/payments", FutaOrder().text)
    #expect(noKey.json.find("error.code") == "idempotency_key_missing")
    let lenient = FutaHarness { $0.requiresKey = false }
    #expect(await lenient.call("POST", "/v1/payments", FutaOrder().text).status == 201)
    let conflict = FutaHarness { $0.conflictStatus = 422 }
    _ = await conflict.create()
    #expect(await conflict.create(FutaOrder().with { $0.amount = "1" }).status == 422)
    let apps = FutaHarness { $0.allowsAppReturnURL = true }
    let own = FutaOrder().with { $0.returnURL = #""tillshop://checkout/success?attempt=1""# }
    #expect(await apps.create(own).status == 201)
    let words = FutaHarness { $0.paidWord = "SETTLED" }
    let id = await words.created()
    await words.control("payments/\(id)/status", #"{"status":"paid"}"#)
    #expect(await words.read(id)["state"] == "SETTLED")
  }

  @Test(arguments: [
    ("GET", "/v1/payments"), ("POST", "/v1/payments/x"), ("DELETE", "/v1/payments/x"),
    ("GET", "/v1/payments/x/y"), ("GET", "/v2/payments/x"), ("GET", "/v1"),
  ])
  func `other calls are not served`(method: String, path: String) async {
    #expect(await FutaHarness().call(method, path).status == 404)
  }

  @Test(arguments: [(64 << 10, 400), (64 << 10 + 1, 413)])
  func `a body is read up to its limit`(length: Int, status: Int) async {
    let body = String(repeating: " ", count: length)
    let answer = await FutaHarness().call("POST", "/v1/payments", body, idempotencyKey: "k")
    #expect(answer.status == status)
  }

  @Test func `answers go wrong as told, and what they were about is done all the same`() async {
    let harness = FutaHarness()
    await harness.control(
      "settings", #"{"faults":{"answers":[{"call":"create","kind":"lost"},{"kind":"truncated"}]}}"#)
    #expect(await harness.create().status == 502)
    #expect(await harness.create().json == .null)
    let third = await harness.create()
    #expect(third.status == 200)
    #expect(await harness.control("ledger").json["payments"]?.elements?.count == 1)
    let id = third.json["id"]?.text ?? ""
    await harness.control("payments/\(id)/faults", #"{"read_amount":"1","read_currency":"USD"}"#)
    #expect(await harness.read(id)["amount"] == .number("1"))
    #expect(await harness.read(id)["currency"] == "USD")
  }
}
