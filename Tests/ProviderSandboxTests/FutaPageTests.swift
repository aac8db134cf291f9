import HTTPExchange
import PaymentModels
import ProviderSandbox
import StrictJSON
import TestSupport
import Testing

@Suite("The fake Futa's checkout")
struct FutaPageTests {
  private func opened(_ harness: FutaHarness) async -> (id: String, browser: Browser) {
    let id = await harness.created()
    var browser = harness.browser()
    await browser.open("http://sandbox.test/pay/\(id)")
    return (id, browser)
  }

  @Test func `no website may frame the pages of a payment for an app`() async {
    let harness = FutaHarness()
    for embedding in [FutaOrder().embedding, nil] {
      let id = await harness.created(
        FutaOrder().with { $0.embedding = embedding }, key: "\(embedding ?? "web")")
      for path in ["/pay/\(id)", "/pay/\(id)/result", "/receipts/\(id)"] {
        let page = await harness.call("GET", path)
        let policy = page.headers["Content-Security-Policy"] ?? ""
        #expect(page.status == 200)
        #expect(page.headers["X-Frame-Options"] == (embedding == nil ? nil : "DENY"))
        #expect(policy.contains("frame-ancestors 'none'") == (embedding != nil))
      }
    }
  }

  @Test func `the page says payment, state and final, and its script may run alone`() async {
    let harness = FutaHarness()
    let id = await harness.created()
    let page = await harness.call("GET", "/pay/\(id)")
    #expect(
      page.text.contains(
        #"<main data-payment="\#(id)" data-state="created" data-final="false">"#))
    let nonce = page.text.components(between: "<script nonce=\"", "\"").first ?? "?"
    let policy = page.headers["Content-Security-Policy"] ?? ""
    #expect(policy.contains("script-src 'nonce-\(nonce)'"))
    await harness.control("payments/\(id)/status", #"{"status":"paid"}"#)
    let after = await harness.call("GET", "/pay/\(id)").text
    #expect(after.contains(#"data-state="paid" data-final="true""#))
  }

  @Test(arguments: [
    ("+243 81 000 00 01", "paid", true), ("0810000003", "failed", true),
    ("0810000004", "processing", false), ("0810000002", "created", false),
  ])
  func `mobile money goes as the number says`(
    number: String, state: String, isFinal: Bool
  ) async {
    let harness = FutaHarness()
    var (id, browser) = await opened(harness)
    await browser.submit(["msisdn": number])
    #expect(browser.status == 200)
    #expect(await harness.read(id)["state"]?.text == state)
    #expect(await harness.read(id)["final"] == .bool(isFinal))
  }

  @Test func `a try that failed is no end`() async {
    let harness = FutaHarness()
    var (id, browser) = await opened(harness)
    await browser.submit(["msisdn": "0810000002"])
    #expect(browser.page.contains(#"role="alert""#))
    await browser.submit(["msisdn": "0810000001"])
    #expect(await harness.read(id)["state"] == "paid")
    #expect(await harness.events(id).contains("try_failed"))
  }

  @Test(arguments: ["", "123", "abcdefgh", String(repeating: "1", count: 25)])
  func `what is no phone number is asked for again`(text: String) async {
    let harness = FutaHarness()
    var (id, browser) = await opened(harness)
    await browser.submit(["msisdn": text])
    #expect(browser.status == 422)
    #expect(await harness.read(id)["state"] == "created")
  }

  @Test func `the bank lies on another origin and pays after the page is gone`() async {
    let harness = FutaHarness(publicURL: nil)
    let id = await harness.created()
    // A browser follows the redirect of a form only to where the page says that it may.
    let policy = await harness.call("GET", "/pay/\(id)").headers["Content-Security-Policy"] ?? ""
    #expect(policy.contains("form-action 'self' http://localhost:9080"))
    let answer = await harness.call("POST", "/pay/\(id)/bank", "method=bank")
    #expect(answer.status == 303)
    #expect(answer.location == "http://localhost:9080/bank/\(id)")
    #expect(await harness.entry(id).find("page.waits_for_bank") == .bool(true))
    var browser = harness.browser()
    await browser.open("/bank/\(id)")
    await browser.submit(["decision": "approve"])
    #expect(await harness.read(id)["state"] == "paid")
    await browser.follow("continue")
    #expect(browser.page.isEmpty == false)
    #expect(await harness.call("GET", "/pay/\(id)").text.contains("id=\"receipt\""))
  }

  @Test func `where the bank is can be set`() async {
    let harness = FutaHarness { $0.bankOrigin = "https://bank.test" }
    let id = await harness.created()
    let answer = await harness.call("POST", "/pay/\(id)/bank", "method=bank")
    #expect(answer.location == "https://bank.test/bank/\(id)")
  }

  @Test func `a bank that declines leaves the payment open`() async {
    let harness = FutaHarness()
    let id = await harness.created()
    _ = await harness.call("POST", "/pay/\(id)/bank", "method=bank")
    _ = await harness.call("POST", "/bank/\(id)", "decision=decline")
    #expect(await harness.read(id)["state"] == "created")
    #expect(await harness.call("GET", "/pay/\(id)").text.contains(#"role="alert""#))
    // Only who was sent there decides there.
    _ = await harness.call("POST", "/bank/\(id)", "decision=approve")
    #expect(await harness.read(id)["state"] == "created")
  }

  @Test(arguments: [(false, "expired"), (true, "paid")])
  func `a bank that answers late counts where the setting says so`(
    isTaken: Bool, state: String
  ) async {
    let harness = FutaHarness { $0.allowsLatePayment = isTaken }
    let id = await harness.created()
    _ = await harness.call("POST", "/pay/\(id)/bank", "method=bank")
    await harness.control("clock", #"{"advance_ms":86400000}"#)
    #expect(await harness.read(id)["state"] == "expired")
    _ = await harness.call("POST", "/bank/\(id)", "decision=approve")
    #expect(await harness.read(id)["state"]?.text == state)
  }

  @Test func `money on its way is processing until it is there`() async {
    let harness = FutaHarness()
    var (id, browser) = await opened(harness)
    await harness.control("payments/\(id)/faults", #"{"outcome_delay_ms":90000000}"#)
    await browser.submit(["msisdn": "0810000001"])
    #expect(await harness.read(id)["state"] == "processing")
    // Beyond expires_at: what was begun is not cut off.
    await harness.control("clock", #"{"advance_ms":89999999}"#)
    #expect(await harness.read(id)["state"] == "processing")
    await harness.control("clock", #"{"advance_ms":1}"#)
    #expect(await harness.read(id)["state"] == "paid")
  }

  @Test func `the way back is the return address, with nothing added`() async {
    let harness = FutaHarness()
    var (id, browser) = await opened(harness)
    await browser.submit(["msisdn": "0810000001"])
    await browser.follow("continue")
    #expect(browser.left == "https://shop.example/thanks")
    #expect(await harness.events(id).last == "returned")
    let other = FutaHarness { $0.addsReturnParameters = true }
    var (otherID, second) = await opened(other)
    await second.follow("cancel")
    #expect(second.left == "https://shop.example/thanks?payment_id=\(otherID)")
  }

  @Test(arguments: [(false, "created"), (true, "cancelled")])
  func `leaving by the link ends it only where the setting says so`(
    ends: Bool, state: String
  ) async {
    let harness = FutaHarness { $0.cancelEnds = ends }
    var (id, browser) = await opened(harness)
    await browser.follow("cancel")
    #expect(browser.left == "https://shop.example/thanks")
    #expect(await harness.read(id)["state"]?.text == state)
  }

  @Test func `a receipt is a page of the checkout, under receipts`() async {
    let harness = FutaHarness(prefix: "/futa")
    let id = await harness.created()
    await harness.control("payments/\(id)/status", #"{"status":"paid"}"#)
    let page = await harness.call("GET", "/pay/\(id)").text
    #expect(page.contains(#"id="receipt" href="/futa/receipts/\#(id)""#))
    #expect(await harness.call("GET", "/receipts/\(id)").status == 200)
    #expect(await harness.events(id).last == "receipt_opened")
  }

  @Test(arguments: [("fr-CD,fr;q=0.9", "fr"), ("en", "en"), ("", "en"), ("de,fr", "en")])
  func `the payer's browser chooses the language`(accepted: String, code: String) async {
    let harness = FutaHarness()
    let id = await harness.created()
    let page = await harness.sandbox.respond(
      to: HTTPRequest(
        method: "GET", target: "/pay/\(id)", headers: ["Accept-Language": accepted]))
    #expect(page.text.contains(#"<html lang="\#(code)""#))
  }

  @Test(arguments: ["/", "/pay", "/pay/x", "/pay/pay_1/phone", "/bank/x", "/receipts/x", "/x/y"])
  func `an address that leads nowhere says so`(path: String) async {
    #expect(await FutaHarness().call("GET", path).status == 404)
  }

  @Test func `what the merchant wrote is shown as text`() async {
    let harness = FutaHarness()
    let id = await harness.created(
      FutaOrder().with { $0.description = #""<script>alert(1)</script>""# })
    let page = await harness.call("GET", "/pay/\(id)").text
    #expect(!page.contains("<script>alert"))
    #expect(page.contains("&lt;script&gt;alert"))
  }
}
