import HTTPExchange
import PaymentModels
import StrictJSON
import TestSupport
import Testing

@testable import ProviderSandbox

@Suite("Hosted page")
struct HostedPageTests {
  private let evil = #""><script>alert(1)</script>'&"#

  @Test func `nothing that a merchant or payer typed becomes markup`() async {
    var settings = TabbySandboxSettings()
    settings.merchants = [TabbyMerchant(code: "AE", currency: "AED", name: evil)]
    let harness = SandboxHarness(settings)
    let session = await harness.create(
      Checkout(phone: evil, name: evil, reference: evil, language: evil))
    var browser = Browser(harness.sandbox)
    await browser.open(session.webURL)
    var pages = [browser.page]
    await browser.submit(["phone": #""><i>971500000001"#])
    pages.append(browser.page)
    await browser.submit(["otp": "8888"])
    pages.append(browser.page)
    await browser.submit(["method": "bank"])
    pages.append(browser.page)
    await browser.follow("bank")
    pages.append(browser.page)
    for page in pages {
      #expect(!page.contains("<script") && !page.contains("<i>"))
      #expect(page.hasSuffix("</html>\n"))
    }
    #expect(pages[1].contains("&quot;&gt;&lt;i&gt;971500000001"))
  }

  @Test func `the page may load nothing and run nothing`() async {
    let harness = SandboxHarness()
    let session = await harness.create()
    let target = String(session.webURL.dropFirst(19))
    let response = await harness.sandbox.respond(to: HTTPRequest(method: "GET", target: target))
    #expect(response.headers["Content-Security-Policy"]?.hasPrefix("default-src 'none'") == true)
    #expect(response.headers["Cache-Control"] == "no-store")
    #expect(!response.text.contains("src="))
  }

  @Test(arguments: [("en", "ltr", "eng"), ("ar", "rtl", "ara")])
  func `the page speaks the language of the session`(
    language: String, direction: String, code: String
  ) async {
    let harness = SandboxHarness()
    let session = await harness.create(Checkout(language: language))
    #expect(session["lang"]?.text == code)
    var browser = Browser(harness.sandbox)
    await browser.open(session.webURL)
    #expect(browser.page.contains(#"<html lang="\#(language)" dir="\#(direction)">"#))
    #expect(browser.page.contains(TabbyTexts.language(language).phoneTitle))
  }

  @Test func `the link has the parameters of the real one and reaches the page by its Host`() async
  {
    let sandbox = TabbySandbox(
      environment: .test(ManualClock()),
      transport: ClosureTransport { _ in HTTPResponse(status: 200) }
    )
    let response = await sandbox.respond(
      to: HTTPRequest(
        method: "POST", target: "/api/v2/checkout",
        headers: ["Authorization": "Bearer \(SandboxHarness.key)", "Host": "127.0.0.1:4711"],
        body: Checkout().json.serialized()))
    let id = response.json["id"]?.text ?? ""
    let key = TabbySandboxSettings.demoPublicKey.reveal()
    let query = "apiKey=\(key)&lang=eng&merchantCode=AE&product=installments&sessionId=\(id)"
    #expect(response.json.webURL == "http://127.0.0.1:4711/?\(query)")
  }

  @Test(
    arguments: [
      ("https://shop.test/ok", "https://shop.test/ok?payment_id=ID"),
      ("https://shop.test/ok?o=1", "https://shop.test/ok?o=1&payment_id=ID"),
      ("https://shop.test/#/done", "https://shop.test/?payment_id=ID#/done"),
      ("shop-app://pay", "shop-app://pay?payment_id=ID"),
      ("com.shop.app:/back?x=", "com.shop.app:/back?x=&payment_id=ID"),
      ("https://shop.test/طلب", "https://shop.test/%D8%B7%D9%84%D8%A8?payment_id=ID"),
    ])
  func `the payment's id is added to the return URL, whose bytes stay`(
    url: String, location: String
  ) async {
    let harness = SandboxHarness()
    let session = await harness.create(Checkout(urls: .object(["success": .string(url)])))
    var browser = Browser(harness.sandbox)
    await browser.pay(session.webURL)
    #expect(browser.left == location.replacing("ID", with: session.paymentID))
  }

  @Test func `without a return URL the page says that it can be closed`() async {
    let harness = SandboxHarness()
    let session = await harness.create(Checkout(urls: .null))
    var browser = Browser(harness.sandbox)
    await browser.pay(session.webURL)
    #expect(browser.left == nil)
    #expect(browser.page.contains(TabbyTexts.english.closeTitle))
  }

  @Test func `amounts have groups and the currency's digits`() async {
    let harness = SandboxHarness()
    let session = await harness.create(
      Checkout(amount: "1234567.5", currency: "KWD", code: "KW"))
    var browser = Browser(harness.sandbox)
    await browser.open(session.webURL)
    #expect(browser.page.contains("KWD 1,234,567.500"))
  }

  @Test func `a form sent twice pays once`() async {
    let harness = SandboxHarness()
    _ = await harness.register()
    let session = await harness.create()
    var browser = Browser(harness.sandbox)
    await browser.logIn(session.webURL)
    var twin = browser
    await browser.submit()
    await twin.submit()
    #expect(twin.page.contains(TabbyTexts.english.successTitle))
    let entry = await harness.entry(session.paymentID)
    #expect(entry["webhooks"]?.elements?.count == 1)
  }
}
