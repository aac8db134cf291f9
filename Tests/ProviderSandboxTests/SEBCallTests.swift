import HTTPExchange
import PaymentModels
import ProviderSandbox
import StrictJSON
import TestSupport
import Testing

@Suite("The fake SEB's API")
struct SEBCallTests {
  @Test func `the documented create answers with id, key and page`() async {
    let harness = SEBHarness()
    let answer = await harness.create()
    #expect(answer.status == 200)
    let json = answer.json
    let id = json["paymentId"]?.text ?? ""
    #expect(isCanonicalUUID(id))
    #expect(json["paymentStatus"] == "INITIALIZED")
    #expect(json["environment"] == "SANDBOX")
    #expect(json["orderNumber"] == "order-1042")
    #expect(json["participantId"] == "till-participant")
    #expect(json.find("instructedAmount.amount") == "100.00")
    #expect(json["checkoutRedirect"]?.text == "http://sandbox.test/checkout/\(id)")
    #expect(json["verificationKey"]?.text?.hasPrefix("vk_") == true)
    let read = await harness.read(id)
    #expect(read["paymentStatus"] == "INITIALIZED")
    // The key goes out once, with the payment.
    #expect(read["verificationKey"] == nil)
    #expect(read["checkoutRedirect"] == nil)
  }

  @Test func `where the page stands, numbers and sums are settings`() async {
    let harness = SEBHarness()
    await harness.control(
      "settings", #"{"redirect_place":"links","show_numbers":true,"show_sums":false}"#)
    let json = await harness.create().json
    #expect(json["checkoutRedirect"] == nil)
    #expect(json.find("_links.checkoutRedirect.href")?.text?.hasPrefix("http://") == true)
    #expect(json.find("instructedAmount.amount") == .number("100.00"))
    #expect(json["capturedAmount"] == nil)
  }

  private static let refused: [(String, @Sendable (inout SEBOrder) -> Void)] = [
    ("channel", { $0.channel = #""MOTO""# }), ("channel", { $0.channel = "null" }),
    ("orderNumber", { $0.orderNumber = #""a;b""# }), ("orderNumber", { $0.orderNumber = #""""# }),
    ("orderNumber", { $0.orderNumber = "\"\(String(repeating: "a", count: 256))\"" }),
    ("participantId", { $0.participant = "7" }), ("shopAgreementId", { $0.shop = #""""# }),
    ("shopRedirectUrl", { $0.redirect = #""""# }), ("shopRedirectUrl", { $0.redirect = "null" }),
    ("instructedAmount.amount", { $0.amount = #"{"amount":"0","currency":"EUR"}"# }),
    ("instructedAmount.amount", { $0.amount = #"{"amount":"1.001","currency":"EUR"}"# }),
    ("instructedAmount.amount", { $0.amount = #"{"amount":"1000000000000.00","currency":"EUR"}"# }),
    ("instructedAmount.amount", { $0.amount = #"{"currency":"EUR"}"# }),
    ("instructedAmount.currency", { $0.amount = #"{"amount":"1","currency":"eur"}"# }),
    ("instructedAmount.currency", { $0.amount = "null" }),
    ("preferredLocale", { $0.extra = #""preferredLocale":"ar""# }),
    ("customer.phone", { $0.extra = #""customer":{"phone":{"cc":"0","subscriber":"5"}}"# }),
    ("customer.phone", { $0.extra = #""customer":{"phone":{"cc":"372","subscriber":"a"}}"# }),
    ("customer.phone", { $0.extra = #""customer":{"phone":"+37255500001"}"# }),
  ]

  @Test(arguments: refused.indices)
  func `a create that is not as documented is refused by the member's name`(row: Int) async {
    let (member, change) = Self.refused[row]
    let answer = await SEBHarness().create(SEBOrder().with(change))
    #expect(answer.status == 400)
    #expect(answer.json["code"] == "INVALID_REQUEST")
    #expect(answer.json["message"]?.text?.hasPrefix("\(member) ") == true)
  }

  @Test(arguments: [
    #"{"amount":5877.78,"currency":"EUR"}"#, #"{"amount":"999999999999.99","currency":"EUR"}"#,
    #"{"amount":"500","currency":"JPY"}"#,
  ])
  func `an amount is text or a number with the currency's digits`(amount: String) async {
    #expect(await SEBHarness().create(SEBOrder().with { $0.amount = amount }).status == 200)
  }

  @Test func `each create makes a payment: nothing finds an earlier one`() async {
    let harness = SEBHarness()
    #expect(await harness.created() != harness.created())
    #expect(await harness.control("ledger").json["payments"]?.elements?.count == 2)
  }

  @Test(arguments: ["", "{", "[]", "null"])
  func `a body that is no object is refused`(body: String) async {
    #expect(await SEBHarness().call("POST", "/egw/v1/payments/cit", body).status == 400)
  }

  @Test func `another participant's payment is not there, and another shop is refused`() async {
    let other = SEBSandboxClient(
      id: "other", secret: Secret("other-secret"), participantID: "other-participant",
      shopAgreementID: "other-shop")
    let harness = SEBHarness { $0.clients.append(other) }
    let id = await harness.created()
    let token = await harness.send(
      "POST", SEBHarness.tokenPath, ["Authorization": "Basic b3RoZXI6b3RoZXItc2VjcmV0"],
      "grant_type=client_credentials"
    ).json["access_token"]?.text
    #expect(await harness.call("GET", "/egw/v1/payments/\(id)", token: token).status == 404)
    let answer = await harness.call(
      "POST", "/egw/v1/payments/cit", SEBOrder().text, token: token)
    #expect(answer.status == 403)
  }

  @Test func `every call needs an id of its own`() async {
    let harness = SEBHarness()
    let id = await harness.created()
    let path = "/egw/v1/payments/\(id)"
    for odd in ["", "1", "not-a-uuid"] {
      #expect(await harness.call("GET", path, requestID: odd).status == 400)
    }
    let one = "11111111-2222-4333-8444-555555555555"
    #expect(await harness.call("GET", path, requestID: one).status == 200)
    #expect(await harness.call("GET", path, requestID: one).status == 400)
  }

  @Test(arguments: [
    ("GET", "/egw/v1/payments/x"), ("GET", "/egw/v1/payments"), ("DELETE", "/egw/v1/payments/x"),
    ("POST", "/egw/v1/payments"), ("GET", "/egw/v2/payments/x"), ("POST", "/auth/x"),
  ])
  func `what is not served is not found`(method: String, path: String) async {
    #expect(await SEBHarness().call(method, path).status == 404)
  }

  @Test func `a payment that nobody pays is over at its end and not before`() async {
    let harness = SEBHarness { $0.lifeMs = 1_000 }
    let id = await harness.created()
    await harness.advance(999)
    #expect(await harness.status(id) == "INITIALIZED")
    await harness.advance(1)
    #expect(await harness.status(id) == "EXPIRED")
  }

  @Test func `words but the two documented are settings`() async {
    let harness = SEBHarness()
    let id = await harness.created()
    await harness.control(
      "settings",
      #"{"authorized_word":"HELD","captured_word":"PAID","refunded_word":"BACK","#
        + #""failed_word":"NO","cancelled_word":"GONE","expired_word":"LATE"}"#)
    for (status, word) in [
      ("AUTHORIZED", "HELD"), ("CAPTURED", "PAID"), ("REFUNDED", "BACK"), ("FAILED", "NO"),
      ("CANCELLED", "GONE"), ("EXPIRED", "LATE"), ("INITIALIZED", "INITIALIZED"),
      ("SENT_FOR_PROCESSING", "SENT_FOR_PROCESSING"),
    ] {
      await harness.control("payments/\(id)/status", #"{"status":"\#(status)"}"#)
      #expect(await harness.status(id) == word)
    }
  }

  @Test(arguments: [
    #"{"nothing":1}"#, #"{"life_ms":0}"#, #"{"redirect_place":"x"}"#, #"{"token_life_ms":-1}"#,
    #"{"faults":{"answers":[{"kind":"x"}]}}"#, "{",
  ])
  func `a setting that does not fit changes nothing`(body: String) async {
    let harness = SEBHarness()
    let before = await harness.control("settings").json
    #expect(await harness.control("settings", body).status == 400)
    #expect(await harness.control("settings").json == before)
  }

  @Test func `a lost create was made, and nobody finds it`() async {
    let harness = SEBHarness()
    await harness.control(
      "settings", #"{"faults":{"answers":[{"call":"create","kind":"lost"}]}}"#)
    #expect(await harness.create().status == 502)
    #expect(await harness.create().status == 200)
    #expect(await harness.control("ledger").json["payments"]?.elements?.count == 2)
  }

  @Test(arguments: [
    ("html_502", 502), ("html_403", 403), ("server_error", 500), ("too_many_requests", 429),
    ("truncated", 200),
  ])
  func `reads can be spoilt, one payment's alone`(kind: String, status: Int) async {
    let harness = SEBHarness()
    let (id, other) = (await harness.created(), await harness.created())
    await harness.control(
      "payments/\(id)/faults", #"{"answers":[{"call":"read","kind":"\#(kind)"}]}"#)
    #expect(await harness.read(other)["paymentId"]?.text == other)
    let spoilt = await harness.call("GET", "/egw/v1/payments/\(id)")
    #expect(spoilt.status == status)
    #expect(spoilt.json["paymentId"] == nil)
    #expect(await harness.read(id)["paymentId"]?.text == id)
  }

  @Test func `a read can name another amount`() async {
    let harness = SEBHarness()
    let id = await harness.created()
    await harness.control("payments/\(id)/faults", #"{"read_amount":"5.00"}"#)
    #expect(await harness.read(id).find("instructedAmount.amount") == "5.00")
  }

  @Test func `a body over the bound is refused`() async {
    let body = String(repeating: " ", count: (64 << 10) + 1)
    #expect(await SEBHarness().call("POST", "/egw/v1/payments/cit", body).status == 413)
  }
}

@Suite("The fake SEB's tokens")
struct SEBTokenTests {
  @Test(
    arguments: [
      ("Basic dGlsbC1kZW1vOnRpbGwtZGVtby1zZWNyZXQtMDAwMQ==", "grant_type=client_credentials", 200),
      (
        nil,
        "client_id=till-demo&grant_type=client_credentials&client_secret=till-demo-secret-0001", 200
      ),
      (nil, "grant_type=client_credentials", 401),
      ("Basic !", "grant_type=client_credentials", 401),
      ("Basic dGlsbC1kZW1vOng=", "grant_type=client_credentials", 401),
      ("Basic dGlsbC1kZW1vOnRpbGwtZGVtby1zZWNyZXQtMDAwMQ==", "grant_type=password", 400),
      (
        nil,
        "grant_type=client_credentials&client_id=till-demo&client_secret=till-demo-secret-0002", 401
      ),
    ] as [(String?, String, Int)])
  func `a client shows its secret by header or form`(
    header: String?, form: String, status: Int
  ) async {
    let headers: HTTPHeaders = header.map { ["Authorization": $0] } ?? [:]
    let answer = await SEBHarness().send("POST", SEBHarness.tokenPath, headers, form)
    #expect(answer.status == status)
    #expect((answer.json["access_token"] != nil) == (status == 200))
    if status == 200 {
      #expect(answer.json["token_type"] == "Bearer")
      #expect(answer.json["expires_in"] == .number("300"))
    }
  }

  @Test(arguments: ["", "wrong", "till-demo-secret-0001"])
  func `a token that is not known opens nothing`(token: String) async {
    let harness = SEBHarness()
    let id = await harness.created()
    for (method, path) in [
      ("GET", "/egw/v1/payments/\(id)"), ("POST", "/egw/v1/payments/cit"),
      ("POST", "/egw/v1/refunds"), ("POST", "/egw/v1/payments/\(id)/capture"),
    ] {
      let answer = await harness.call(method, path, SEBOrder().text, token: token)
      #expect(answer.status == 401)
      #expect(answer.json["code"] == "UNAUTHORIZED")
    }
  }

  @Test func `a token lives by the machine's clock, not by the sandbox's`() async {
    let harness = SEBHarness()
    let id = await harness.created()
    let token = await harness.token()
    let path = "/egw/v1/payments/\(id)"
    await harness.advance(1_000_000)
    #expect(await harness.call("GET", path, token: token).status == 200)
    harness.clock.advance(by: .milliseconds(299_999))
    #expect(await harness.call("GET", path, token: token).status == 200)
    harness.clock.advance(by: .milliseconds(1))
    #expect(await harness.call("GET", path, token: token).status == 401)
  }

  @Test func `beyond a thousand tokens the oldest are forgotten`() async {
    let harness = SEBHarness()
    let id = await harness.created()
    let path = "/egw/v1/payments/\(id)"
    let first = await harness.token()
    for _ in 0..<999 { _ = await harness.token() }
    #expect(await harness.call("GET", path, token: first).status == 200)
    _ = await harness.token()
    #expect(await harness.call("GET", path, token: first).status == 401)
  }
}

@Suite("Captures, cancels and refunds at the fake SEB")
struct SEBOperationTests {
  private func authorized(
    _ change: (inout SEBSandboxSettings) -> Void = { _ in }
  ) async -> (harness: SEBHarness, id: String) {
    let harness = SEBHarness {
      $0.capturesAtOnce = false
      change(&$0)
    }
    let id = await harness.created()
    _ = await harness.paid(id)
    return (harness, id)
  }

  @Test func `money is held, taken in parts, and the rest let go`() async {
    let (harness, id) = await authorized()
    #expect(await harness.status(id) == "AUTHORIZED")
    let capture = "/egw/v1/payments/\(id)/capture"
    #expect(await harness.operate(capture, id, "60.00").json["paymentStatus"] == "AUTHORIZED")
    #expect(await harness.operate(capture, id, "40.01").status == 400)
    #expect(
      await harness.operate("/egw/v1/payments/\(id)/cancel", id).json["paymentStatus"]
        == "CAPTURED")
    #expect(await harness.entry(id)["captured"] == "60.00")
    #expect(await harness.operate(capture, id, "1.00").status == 409)
  }

  @Test func `the whole is taken, or let go`() async {
    let (harness, id) = await authorized()
    let answer = await harness.operate("/egw/v1/payments/\(id)/capture", id)
    #expect(answer.json["paymentStatus"] == "CAPTURED")
    #expect(answer.json.find("capturedAmount.amount") == "100.00")
    let (other, held) = await authorized()
    #expect(
      await other.operate("/egw/v1/payments/\(held)/cancel", held).json["paymentStatus"]
        == "CANCELLED")
    #expect(await other.operate("/egw/v1/payments/\(held)/cancel", held).status == 409)
  }

  // EGW, *Refunds*.
  @Test func `refunding what was not captured cancels it`() async {
    let (harness, id) = await authorized()
    let answer = await harness.operate("/egw/v1/refunds", id)
    #expect(answer.json["paymentStatus"] == "CANCELLED")
    #expect(await harness.entry(id)["refunded"] == "0.00")
  }

  @Test func `money goes back in parts, and never more than was taken`() async {
    let harness = SEBHarness()
    let id = await harness.created()
    #expect(await harness.operate("/egw/v1/refunds", id).status == 409)
    _ = await harness.paid(id)
    #expect(
      await harness.operate("/egw/v1/refunds", id, "30.00").json["paymentStatus"] == "CAPTURED")
    #expect(await harness.operate("/egw/v1/refunds", id, "70.01").status == 400)
    #expect(
      await harness.operate("/egw/v1/refunds", id, "70.00").json["paymentStatus"] == "REFUNDED")
    #expect(await harness.operate("/egw/v1/refunds", id, "0.01").status == 400)
    #expect(await harness.entry(id)["refunded"] == "100.00")
    #expect(await harness.operate("/egw/v1/refunds", "unknown").status == 404)
  }

  @Test func `whether a part goes back, when, and what answers are settings`() async {
    let harness = SEBHarness {
      $0.allowsPartialRefunds = false
      $0.answersWithPayment = false
      $0.faults.refundDelayMs = 1_000
    }
    let id = await harness.created()
    _ = await harness.paid(id)
    #expect(await harness.operate("/egw/v1/refunds", id, "30.00").status == 400)
    let answer = await harness.operate("/egw/v1/refunds", id)
    #expect(answer.status == 200)
    #expect(answer.json["paymentStatus"] == nil)
    #expect(await harness.status(id) == "CAPTURED")
    #expect(await harness.operate("/egw/v1/refunds", id).status == 400)
    await harness.advance(1_000)
    #expect(await harness.status(id) == "REFUNDED")
  }
}
