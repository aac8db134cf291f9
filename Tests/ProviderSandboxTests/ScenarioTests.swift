import HTTPExchange
import PaymentModels
import StrictJSON
import TestSupport
import Testing

@testable import ProviderSandbox

@Suite("Documented test scenarios")
struct ScenarioTests {
  @Test(
    arguments: [
      ("AE", "AED", "+971500000001"), ("SA", "SAR", "+966500000001"), ("KW", "KWD", "+96590000001"),
    ])
  func `the success phone pays and comes back to the success URL`(
    code: String, currency: String, phone: String
  ) async {
    let harness = SandboxHarness()
    let session = await harness.create(Checkout(currency: currency, code: code, phone: phone))
    #expect(session.status == "created")
    #expect(session["payment"]?.status == "CREATED")
    var browser = Browser(harness.sandbox)
    await browser.pay(session.webURL)
    #expect(browser.left == "https://shop.test/ok?payment_id=\(session.paymentID)")
    let payment = await harness.payment(session.paymentID)
    #expect(payment.status == "AUTHORIZED")
    #expect(payment["amount"]?.text == "100")
    #expect(payment["captures"] == .array([]))
  }

  @Test(
    arguments: [
      ("AE", "AED", "+971500000002"), ("AE", "AED", "0500000002"), ("AE", "AED", "500000002"),
      ("SA", "SAR", "966500000002"), ("KW", "KWD", "+96590000002"),
    ])
  func `the second phone is rejected by pre-scoring with HTTP 200`(
    code: String, currency: String, phone: String
  ) async {
    let harness = SandboxHarness()
    let response = await harness.call(
      "POST", "/api/v2/checkout", Checkout(currency: currency, code: code, phone: phone).json)
    #expect(response.status == 200)
    #expect(response.json.status == "rejected")
    let products = response.json["configuration"]?["products"]?["installments"]
    #expect(products?["rejection_reason"]?.text == "not_available")
    #expect(products?["is_available"]?.boolean == false)
    #expect(response.json["configuration"]?["available_products"] == .object([]))
    #expect(await harness.payment(response.json.paymentID).status == "CREATED")
  }

  @Test func `the rejected e-mail ends at the failure URL, custom scheme and all`() async {
    let harness = SandboxHarness()
    let session = await harness.create(Checkout(email: "otp.rejected@tabby.ai"))
    var browser = Browser(harness.sandbox)
    await browser.logIn(session.webURL)
    #expect(await harness.payment(session.paymentID).status == "REJECTED")
    await browser.follow("continue")
    #expect(browser.left == "shop-app://pay/failed?payment_id=\(session.paymentID)")
  }

  @Test func `the cancel link expires the payment and keeps the merchant's own query`() async {
    let harness = SandboxHarness()
    let session = await harness.create()
    var browser = Browser(harness.sandbox)
    await browser.open(session.webURL)
    await browser.follow("cancel")
    #expect(browser.left == "https://shop.test/back?order=7&payment_id=\(session.paymentID)")
    #expect(await harness.payment(session.paymentID).status == "EXPIRED")
  }

  @Test func `closing the tab before the redirect changes nothing`() async {
    let harness = SandboxHarness()
    let session = await harness.create()
    var browser = Browser(harness.sandbox)
    await browser.logIn(session.webURL)
    await browser.submit()
    #expect(browser.left == nil)
    #expect(await harness.payment(session.paymentID).status == "AUTHORIZED")
  }

  @Test func `the ID e-mail is asked for a picture once`() async {
    let harness = SandboxHarness()
    let session = await harness.create(Checkout(email: "id.success@tabby.ai"))
    var browser = Browser(harness.sandbox)
    await browser.logIn(session.webURL)
    #expect(browser.page.contains("id_image"))
    await browser.submit(["id_image": ""])
    #expect(browser.status == 422)
    await browser.submit(["id_image": "id.jpg"])
    await browser.submit()
    #expect(await harness.payment(session.paymentID).status == "AUTHORIZED")
  }

  @Test func `the payer confirms in the bank app after the page is gone`() async {
    let harness = SandboxHarness()
    let session = await harness.create()
    var browser = Browser(harness.sandbox)
    await browser.logIn(session.webURL)
    await browser.submit(["method": "bank"])
    let bank = browser.page.components(between: #"id="bank" href=""#, "\"").first ?? ""
    #expect(await harness.payment(session.paymentID).status == "CREATED")
    // The session is dead by now, the payment is not.
    await harness.advance(.seconds(25 * 60))
    var phone = Browser(harness.sandbox)
    await phone.open(bank)
    await phone.submit(["decision": "approve"])
    #expect(await harness.payment(session.paymentID).status == "AUTHORIZED")
    await browser.open("/checkout/\(session["id"]?.text ?? "")/bank")
    await browser.follow("continue")
    #expect(browser.left?.hasPrefix("https://shop.test/ok") == true)
  }

  @Test func `a bank that declines sends the payer back to the plan, not to a failure`() async {
    let harness = SandboxHarness()
    let session = await harness.create()
    var browser = Browser(harness.sandbox)
    await browser.logIn(session.webURL)
    await browser.submit(["method": "bank"])
    await browser.follow("bank")
    await browser.submit(form: 1)
    #expect(browser.page.contains(TabbyTexts.english.bankDeclined.prefix(8)))
    #expect(await harness.payment(session.paymentID).status == "CREATED")
    await browser.submit()
    #expect(await harness.payment(session.paymentID).status == "AUTHORIZED")
  }

  @Test func `a wrong code is refused and the plan cannot be reached around it`() async {
    let harness = SandboxHarness()
    let session = await harness.create()
    let id = session["id"]?.text ?? ""
    var browser = Browser(harness.sandbox)
    await browser.open("/checkout/\(id)/plan")
    #expect(browser.page.contains(#"name="phone""#))
    await browser.submit(["phone": "12"])
    #expect(browser.status == 422)
    await browser.submit(["phone": "+971 50 000 0001"])
    await browser.submit(["otp": "0000"])
    #expect(browser.status == 422)
    #expect(await harness.payment(session.paymentID).status == "CREATED")
    // An Arabic keyboard types other digits.
    await browser.submit(["otp": "٨٨٨٨"])
    #expect(browser.page.contains(#"name="method""#))
  }

  @Test func `a reloaded first link begins again at the phone, and ends once it is paid`() async {
    let harness = SandboxHarness()
    let session = await harness.create()
    var browser = Browser(harness.sandbox)
    await browser.logIn(session.webURL)
    await browser.open(session.webURL)
    #expect(browser.page.contains(#"name="phone""#))
    await browser.pay(session.webURL)
    await browser.open(session.webURL)
    #expect(browser.page.contains(TabbyTexts.english.successTitle))
  }

  @Test func `the session ends after 20 minutes, the payment ten minutes later`() async {
    let harness = SandboxHarness()
    let session = await harness.create()
    let path = "/api/v2/checkout/\(session["id"]?.text ?? "")"
    await harness.advance(.seconds(1_200) - .milliseconds(1))
    #expect(await harness.call("GET", path).json.status == "created")
    await harness.advance(.milliseconds(1))
    #expect(await harness.call("GET", path).json.status == "expired")
    var browser = Browser(harness.sandbox)
    await browser.open(session.webURL)
    #expect(browser.page.contains(TabbyTexts.english.expiredTitle))
    await harness.advance(.seconds(600) - .milliseconds(1))
    #expect(await harness.payment(session.paymentID).status == "CREATED")
    await harness.advance(.milliseconds(1))
    #expect(await harness.payment(session.paymentID).status == "EXPIRED")
  }

  @Test func `time runs with the environment's clock as well`() async {
    let harness = SandboxHarness()
    let session = await harness.create()
    harness.clock.advance(by: .seconds(1_800))
    #expect(await harness.payment(session.paymentID).status == "EXPIRED")
  }

  @Test func `nobody captures for 21 days, so the provider does`() async {
    let harness = SandboxHarness()
    let id = await harness.pay()
    await harness.advance(.seconds(21 * 86_400 - 1))
    #expect(await harness.payment(id).status == "AUTHORIZED")
    await harness.advance(.seconds(1))
    let payment = await harness.payment(id)
    #expect(payment.status == "CLOSED")
    #expect(payment["captures"]?[0]?["amount"]?.text == "100")
    #expect(payment["captures"]?[0]?["reference_id"]?.text == "")
  }

  @Test func `the ledger tells the story of a payment`() async {
    let harness = SandboxHarness()
    let session = await harness.create()
    var browser = Browser(harness.sandbox)
    await browser.logIn(session.webURL)
    await browser.submit(["method": "bank"])
    await harness.advance(.seconds(40))
    await browser.follow("bank")
    await browser.submit()
    _ = await harness.call(
      "POST", "/api/v2/payments/\(session.paymentID)/captures", .object(["amount": .string("100")]))
    await browser.follow("continue")
    await browser.follow("continue")
    let events = await harness.entry(session.paymentID)["events"]?.elements ?? []
    #expect(
      events.compactMap { $0["event"]?.text } == [
        "CREATED", "page_opened", "phone_entered", "code_entered", "bank_chosen",
        "bank_approved", "AUTHORIZED", "captured", "CLOSED", "returned",
      ])
    #expect(events[5]["at"]?.text == (harness.clock.now + .seconds(40)).description)
  }

  @Test func `the story of a payment has an end`() async {
    let harness = SandboxHarness()
    let session = await harness.create()
    var browser = Browser(harness.sandbox)
    for _ in 0..<SandboxLimits.eventsMax { await browser.open(session.webURL) }
    let events = await harness.entry(session.paymentID)["events"]?.elements
    #expect(events?.count == SandboxLimits.eventsMax)
  }
}
