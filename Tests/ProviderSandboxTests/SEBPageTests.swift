import HTTPExchange
import PaymentModels
import ProviderSandbox
import StrictJSON
import TestSupport
import Testing

@Suite("The fake SEB's page")
struct SEBPageTests {
  private func opened(
    _ order: SEBOrder = SEBOrder(), query: String = "",
    _ change: (inout SEBSandboxSettings) -> Void = { _ in }
  ) async -> (harness: SEBHarness, id: String, browser: Browser) {
    let harness = SEBHarness(change)
    let id = await harness.created(order)
    return (harness, id, await harness.browser(at: id, query: query))
  }

  @Test func `a card and 3-D Secure pay`() async {
    let (harness, id, browser) = await opened()
    var payer = browser
    await payer.follow("card")
    await payer.submit(["card_number": "5186-0000-0000-0005", "expiry": "12 / 30", "cvv": "123"])
    #expect(payer.page.contains(#"name="otp""#))
    #expect(await harness.status(id) == "INITIALIZED")
    await payer.submit(["otp": "4321"])
    #expect(payer.status == 422)
    await payer.submit(["otp": "1234"])
    #expect(await harness.status(id) == "CAPTURED")
    #expect(await harness.tries(id) == ["card COMPLETED"])
    await payer.follow("continue")
    #expect(payer.left == "myapp://checkout/return")
  }

  @Test func `two tries fail in one payment, and the third by bank pays it later`() async {
    let (harness, id, browser) = await opened()
    var payer = browser
    await payer.follow("card")
    await payer.submit(["card_number": "5186 0000 0000 0013"])
    #expect(payer.page.contains(#"role="alert""#))
    await payer.follow("bank")
    await payer.submit()
    await payer.submit(form: 1)
    #expect(await harness.tries(id) == ["card FAILED", "bank FAILED"])
    #expect(await harness.status(id) == "INITIALIZED")
    await payer.follow("bank")
    await payer.submit()
    await payer.submit()
    #expect(await harness.status(id) == "SENT_FOR_PROCESSING")
    #expect(await harness.tries(id).last == "bank SENT_FOR_PROCESSING")
    await payer.follow("continue")
    #expect(payer.left == "myapp://checkout/return")
    await harness.advance(2_999)
    #expect(await harness.status(id) == "SENT_FOR_PROCESSING")
    await harness.advance(1)
    #expect(await harness.status(id) == "CAPTURED")
    #expect(await harness.tries(id).last == "bank COMPLETED")
  }

  @Test func `a bank that does not pay leaves the payment open`() async {
    let (harness, id, _) = await opened { $0.faults.bankFails = true }
    _ = await harness.paidByBank(id)
    await harness.advance(3_000)
    #expect(await harness.status(id) == "INITIALIZED")
    #expect(await harness.tries(id) == ["bank FAILED"])
    _ = await harness.paid(id)
    #expect(await harness.status(id) == "CAPTURED")
  }

  @Test func `an operator may settle what the bank works on`() async {
    let (harness, id, _) = await opened { $0.faults.settleDelayMs = 86_400_000 }
    _ = await harness.paidByBank(id)
    await harness.control("payments/\(id)/status", #"{"status":"CAPTURED"}"#)
    #expect(await harness.status(id) == "CAPTURED")
    #expect(await harness.tries(id) == ["bank COMPLETED"])
  }

  @Test func `Click to Pay pays`() async {
    let (harness, id, browser) = await opened()
    var payer = browser
    await payer.follow("click-to-pay")
    await payer.submit(["email": "no address"])
    #expect(payer.status == 422)
    await payer.submit(["email": "buyer@shop.example"])
    #expect(await harness.status(id) == "CAPTURED")
    #expect(await harness.tries(id) == ["click-to-pay COMPLETED"])
  }

  @Test(arguments: ["", "5186 0000 0000 0006", "4000000000000001", "x"])
  func `any other card is none`(number: String) async {
    let (harness, id, browser) = await opened()
    var payer = browser
    await payer.follow("card")
    await payer.submit(["card_number": number])
    #expect(payer.status == 422)
    #expect(await harness.tries(id).isEmpty)
  }

  @Test(arguments: ["12", "abcd", "12a"])
  func `a security code has three digits`(code: String) async {
    let (_, _, browser) = await opened()
    var payer = browser
    await payer.follow("card")
    await payer.submit(["card_number": "5186000000000005", "cvv": code])
    #expect(payer.status == 422)
  }

  // SEB, *Hosted checkout*: the three values of a hint; another one shows the chooser.
  @Test(arguments: [
    ("?method=card", "card_number"), ("?method=bank", "mock-bank"),
    ("?method=click-to-pay", #"name="email""#), ("?method=Card", #"id="card""#),
    ("?method=", #"id="card""#), ("", #"id="card""#), ("?m=card", #"id="card""#),
  ])
  func `the page opens at a method that is known`(query: String, shown: String) async {
    let (_, _, browser) = await opened(query: query)
    #expect(browser.page.contains(shown))
  }

  @Test func `the parameter of a hint is a setting`() async {
    let (_, _, browser) = await opened(query: "?m=card") { $0.methodParameter = "m" }
    #expect(browser.page.contains("card_number"))
  }

  @Test(arguments: [
    "myapp://checkout/return", "MyApp://Checkout/Return/?o=%2f1#top", "https://shop.example/done",
  ])
  func `the return address is passed through unchanged, whatever happened`(url: String) async {
    let order = SEBOrder().with { $0.redirect = "\"\(url)\"" }
    let (harness, id, browser) = await opened(order)
    var payer = browser
    await payer.follow("cancel")
    #expect(payer.left == url)
    #expect(await harness.status(id) == "INITIALIZED")
    var paid = await harness.paid(id)
    await paid.follow("continue")
    #expect(paid.left == url)
  }

  @Test func `a payment that is over takes no more`() async {
    let (harness, id, _) = await opened()
    _ = await harness.paid(id)
    for (step, form) in [
      ("card", "card_number=5186000000000005"), ("bank", "bank=mock-bank"),
      ("sca", "decision=approve"),
      ("secure", "otp=1234"), ("click-to-pay", "email=a@b"),
    ] {
      let answer = await harness.send("POST", "/checkout/\(id)/\(step)", [:], form)
      #expect(answer.text.contains(#"id="continue""#))
    }
    #expect(await harness.tries(id) == ["card COMPLETED"])
    #expect(await harness.events(id).filter { $0 == "CAPTURED" }.count == 1)
  }

  @Test func `a challenge of an earlier try is over`() async {
    let (harness, id, browser) = await opened()
    var payer = browser
    await payer.follow("card")
    await payer.submit(["card_number": "5186000000000005"])
    let code = payer
    var other = await harness.browser(at: id)
    await other.follow("bank")
    await other.submit()
    var late = code
    await late.submit(["otp": "1234"])
    #expect(await harness.status(id) == "INITIALIZED")
    #expect(await harness.tries(id) == ["card FAILED", "bank WAITING_SCA"])
  }

  @Test func `a try beyond a hundred is not begun`() async {
    let (harness, id, _) = await opened()
    for _ in 0..<101 {
      _ = await harness.send(
        "POST", "/checkout/\(id)/card", [:], "card_number=5186000000000013")
    }
    #expect(await harness.tries(id).count == 100)
  }

  @Test(arguments: [
    ("", "en"), (#""preferredLocale":"en""#, "en"), (#""preferredLocale":"et""#, "et"),
    (#""preferredLocale":"sv""#, "en"),
  ])
  func `the page speaks the language that was asked for`(extra: String, code: String) async {
    let (_, _, browser) = await opened(SEBOrder().with { $0.extra = extra })
    #expect(browser.page.contains(#"<html lang="\#(code)""#))
  }

  @Test func `under a prefix every link leads back to it`() async {
    let harness = SEBHarness(prefix: "/seb")
    let json = await harness.create().json
    let id = json["paymentId"]?.text ?? ""
    #expect(json["checkoutRedirect"]?.text == "http://sandbox.test/seb/checkout/\(id)")
    let page = await harness.send("GET", "/checkout/\(id)").text
    #expect(page.contains(#"href="/seb/checkout/\#(id)/card""#))
    #expect(page.contains(#"href="/seb/checkout/\#(id)/cancel""#))
    let answer = await harness.send(
      "POST", "/checkout/\(id)/card", [:], "card_number=5186000000000005")
    #expect(answer.location == "/seb/checkout/\(id)/secure")
  }

  @Test(arguments: ["/", "/checkout", "/checkout/x", "/pay/x"])
  func `an address that leads nowhere says so`(path: String) async {
    #expect(await SEBHarness().send("GET", path).status == 404)
  }

  @Test func `no page has a script, and none holds the payment's key`() async {
    let (harness, id, browser) = await opened()
    var payer = browser
    for link in ["card", "choose", "bank", "choose", "click-to-pay"] {
      await payer.follow(link)
      #expect(!payer.page.contains("<script"))
      #expect(!payer.page.contains("vk_"))
    }
    #expect(!(await harness.entry(id).serialized().contains(Array("vk_".utf8))))
    #expect(!(await harness.paid(id)).page.contains("vk_"))
  }
}
