import HTTPExchange
import PaymentModels
import ProviderSandbox
import StrictJSON
import TestSupport
import Testing

@Suite("The fake Tebex' page")
struct TebexPageTests {
  @Test func `a payer who pays is taken back by itself, and has a button all the same`() async {
    let harness = TebexHarness(prefix: "/tebex")
    let ident = await harness.created()
    var browser = Browser(
      ProviderSandboxes(root: harness.sandbox, others: [("tebex", harness.sandbox)]))
    await browser.open("/tebex/pay/\(ident)")
    #expect(browser.page.contains("100 Gold"))
    #expect(browser.page.contains("Test Payments"))
    await browser.submit()
    #expect(browser.page.contains(#"content="2; url=/tebex/pay/\#(ident)/return""#))
    #expect(await harness.read(ident)["complete"] == .bool(true))
    await browser.follow("continue")
    #expect(browser.left == "tebexpay://complete")
  }

  @Test func `without the redirect the page stays until the button is pressed`() async {
    let harness = TebexHarness()
    let ident = await harness.created(
      TebexHarness.request.replacing("redirect\":true", with: "redirect\":false"))
    var browser = await harness.paid(ident)
    #expect(!browser.page.contains("http-equiv=\"refresh\""))
    await browser.follow("continue")
    #expect(browser.left == "tebexpay://complete")
  }

  @Test func `a declined payer may try again at the same basket`() async {
    let harness = TebexHarness()
    let ident = await harness.created()
    var browser = await harness.paid(ident, by: "declined")
    #expect(browser.page.contains("declined this payment"))
    #expect(await harness.read(ident)["complete"] == .bool(false))
    await browser.submit(["method": "card"])
    #expect(browser.page.contains("Payment complete"))
    let id = await harness.transactionID(ident)
    #expect(
      await harness.transaction(id).json.find("payment_method.name") == "Credit/Debit Card")
    #expect(await harness.entry(ident).find("page.tries")?.int64 == 2)
  }

  @Test func `cancel leads back and leaves the basket open`() async {
    let harness = TebexHarness()
    let ident = await harness.created()
    var browser = await harness.browser(at: ident)
    await browser.follow("cancel")
    #expect(browser.left == "tebexpay://cancel")
    let page = await harness.paid(ident)
    #expect(page.page.contains("Payment complete"))
  }

  @Test func `what is put behind return URLs is a setting`() async {
    let harness = TebexHarness { $0.returnQuery = "txn=1" }
    let ident = await harness.created()
    var browser = await harness.paid(ident)
    await browser.follow("continue")
    #expect(browser.left == "tebexpay://complete?txn=1")
    let second = await harness.created(
      TebexHarness.request.replacing("://cancel", with: "://cancel?a=b"))
    browser = await harness.browser(at: second)
    await browser.follow("cancel")
    #expect(browser.left == "tebexpay://cancel?a=b&txn=1")
  }

  @Test func `the page may say paid before the basket does`() async {
    let harness = TebexHarness()
    await harness.control("settings", #"{"faults":{"complete_delay_ms":3000}}"#)
    let ident = await harness.created()
    let browser = await harness.paid(ident)
    #expect(browser.page.contains("Payment complete"))
    #expect(await harness.read(ident)["complete"] == .bool(false))
    await harness.control("clock", #"{"advance_ms":3000}"#)
    #expect(await harness.read(ident)["complete"] == .bool(true))
  }

  @Test func `a paid basket shows its end, an empty or unknown one nothing`() async {
    let harness = TebexHarness()
    let ident = await harness.created()
    await harness.paid(ident)
    #expect(await harness.browser(at: ident).page.contains("Payment complete"))
    #expect(await harness.browser(at: "1a-none").status == 404)
    let empty = await harness.headless("POST", "/accounts/\(TebexHarness.token)/baskets", "{}")
    #expect(await harness.browser(at: empty.json.find("data.ident")?.text ?? "").status == 404)
  }

  @Test func `tax is shown, and a form without a choice says so`() async {
    let harness = TebexHarness { $0.taxBasisPoints = 825 }
    let ident = await harness.created()
    var browser = await harness.browser(at: ident)
    #expect(browser.page.contains("Sales tax"))
    #expect(browser.page.contains("USD 5.79"))
    await browser.submit(["method": "gold"])
    #expect(browser.status == 422)
    #expect(browser.page.contains(#"role="alert""#))
  }
}
