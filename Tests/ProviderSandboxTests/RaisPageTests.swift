import HTTPExchange
import PaymentModels
import ProviderSandbox
import StrictJSON
import TestSupport
import Testing

@Suite("The fake Raïs' page")
struct RaisPageTests {
  private func opened(
    _ order: RaisOrder = RaisOrder(), _ change: (inout RaisSandboxSettings) -> Void = { _ in }
  ) async -> (harness: RaisHarness, id: String, browser: Browser) {
    let harness = RaisHarness(change)
    let id = await harness.created(order)
    return (harness, id, await harness.browser(at: id))
  }

  @Test func `a card and 3-D Secure pay`() async {
    let (harness, id, browser) = await opened()
    var payer = browser
    await payer.submit(["card_number": "4000-0000-0000-0001"])
    #expect(payer.page.contains(#"name="otp""#))
    #expect(await harness.status(id) == "pending")
    await payer.submit(["otp": "1234"])
    #expect(await harness.status(id) == "paid")
    #expect(
      await harness.events(id) == [
        "pending", "page_opened", "card_entered", "code_entered", "paid",
      ])
  }

  @Test func `the result page stays and leads on by its button alone`() async {
    let (harness, id, _) = await opened()
    var payer = await harness.paid(id)
    #expect(payer.status == 200)
    #expect(payer.left == nil)
    #expect(!payer.page.contains("http-equiv"))
    #expect(!payer.page.contains("<script"))
    #expect(payer.page.contains(await harness.read(id)["order_number"]?.text ?? "?"))
    await payer.follow("continue")
    #expect(payer.left?.hasPrefix("myapp://pay/result?") == true)
  }

  @Test func `the success link has the documented parameters in their order`() async {
    let (harness, id, _) = await opened()
    var payer = await harness.paid(id)
    await payer.follow("continue")
    let number = await harness.read(id)["order_number"]?.text ?? "?"
    #expect(
      payer.left == "myapp://pay/result?payment_id=\(id)&status=paid&reference=order-1042"
        + "&order_number=\(number)")
    #expect(await harness.events(id).last == "returned")
  }

  // A query is joined with &, a fragment stays last, and nothing else is touched.
  @Test(arguments: [
    ("myapp://pay/result", "myapp://pay/result?", ""),
    ("MyApp://Pay/Result/", "MyApp://Pay/Result/?", ""),
    ("myapp://pay/result?attempt=%2f1", "myapp://pay/result?attempt=%2f1&", ""),
    ("myapp://pay/result#top", "myapp://pay/result?", "#top"),
    ("https://shop.example/r?a=1#b?c", "https://shop.example/r?a=1&", "#b?c"),
  ])
  func `parameters go behind the query and before the fragment`(
    url: String, head: String, tail: String
  ) async {
    let order = RaisOrder().with {
      $0.success = "\"\(url)\""
      $0.cancel = "\"\(url)\""
    }
    let (harness, id, browser) = await opened(order)
    let rest = "payment_id=\(id)&status="
    var payer = browser
    await payer.follow("cancel")
    #expect(payer.left?.hasPrefix("\(head)\(rest)pending&") == true)
    #expect(payer.left?.hasSuffix(tail) == true)
    payer = await harness.paid(id)
    await payer.follow("continue")
    #expect(payer.left?.hasPrefix("\(head)\(rest)paid&") == true)
    #expect(payer.left?.hasSuffix(tail) == true)
  }

  @Test func `reference and order number on the cancel link are a setting`() async {
    let (harness, id, browser) = await opened()
    var payer = browser
    await payer.follow("cancel")
    #expect(payer.left?.contains("&order_number=RS") == true)
    await harness.control("settings", #"{"all_on_cancel":false}"#)
    payer = await harness.browser(at: id)
    await payer.follow("cancel")
    #expect(payer.left == "myapp://pay/cancelled?payment_id=\(id)&status=pending")
  }

  @Test(arguments: ["4000000000000002", "4000 0000 0000 0003"])
  func `a declined card leaves the payment pending, and the same page pays`(
    card: String
  ) async {
    let (harness, id, browser) = await opened()
    var payer = browser
    await payer.submit(["card_number": card])
    if payer.page.contains(#"name="otp""#) { await payer.submit(["otp": "1234"]) }
    #expect(payer.page.contains(#"role="alert""#))
    #expect(await harness.status(id) == "pending")
    await payer.submit(["card_number": "4000000000000001"])
    await payer.submit(["otp": "1234"])
    #expect(await harness.status(id) == "paid")
    #expect(await harness.events(id).contains("card_declined"))
  }

  @Test func `a cancel link leaves the payment open, and the same address pays`() async {
    let (harness, id, browser) = await opened()
    var payer = browser
    await payer.follow("cancel")
    #expect(payer.left?.contains("status=pending") == true)
    _ = await harness.paid(id)
    #expect(await harness.status(id) == "paid")
  }

  @Test func `that leaving gives it up is a setting`() async {
    let (harness, id, browser) = await opened { $0.cancelEnds = true }
    var payer = browser
    await payer.follow("cancel")
    #expect(payer.left?.contains("status=cancelled") == true)
    #expect(await harness.status(id) == "cancelled")
    payer = await harness.browser(at: id)
    #expect(!payer.page.contains("<form"))
    await payer.follow("cancel")
    #expect(payer.left?.contains("status=cancelled") == true)
  }

  @Test(arguments: ["", "1234", "4000 0000 000", "abcdabcdabcd", "٤٠٠٠٠٠٠٠٠٠٠٠"])
  func `what is no card number is asked for again`(text: String) async {
    let (harness, id, browser) = await opened()
    var payer = browser
    await payer.submit(["card_number": text])
    #expect(payer.status == 422)
    #expect(await harness.status(id) == "pending")
  }

  @Test func `a wrong code is asked for again`() async {
    let (harness, id, browser) = await opened()
    var payer = browser
    await payer.submit(["card_number": "4000000000000001"])
    await payer.submit(["otp": "0000"])
    #expect(payer.status == 422)
    await payer.submit(["otp": "1234"])
    #expect(await harness.status(id) == "paid")
  }

  @Test func `without a card there is no code to enter`() async {
    let (harness, id, _) = await opened()
    _ = await harness.call("POST", "/checkout/\(id)/secure", "otp=1234")
    #expect(await harness.status(id) == "pending")
  }

  @Test func `a payer who left in 3-D Secure begins again at the same address`() async {
    let (harness, id, browser) = await opened()
    var payer = browser
    await payer.submit(["card_number": "4000000000000001"])
    #expect(await harness.entry(id).find("page.waits_for_code") == .bool(true))
    payer = await harness.browser(at: id)
    #expect(payer.page.contains(#"name="card_number""#))
    #expect(await harness.entry(id).find("page.waits_for_code") == .bool(false))
  }

  @Test func `a payment that is over cannot be paid`() async {
    let (harness, id, browser) = await opened { $0.lifeMs = 1_000 }
    var payer = browser
    await payer.submit(["card_number": "4000000000000001"])
    await harness.advance(1_000)
    await payer.submit(["otp": "1234"])
    #expect(await harness.status(id) == "expired")
    #expect(!payer.page.contains("<form"))
    await payer.follow("cancel")
    #expect(payer.left?.contains("status=expired") == true)
  }

  @Test func `a paid payment is paid once`() async {
    let (harness, id, _) = await opened()
    _ = await harness.paid(id)
    var payer = await harness.browser(at: id)
    #expect(!payer.page.contains("<form"))
    _ = await harness.call("POST", "/checkout/\(id)/card", "card_number=4000000000000001")
    _ = await harness.call("GET", "/checkout/\(id)/cancel")
    #expect(await harness.events(id).filter { $0 == "paid" }.count == 1)
    await payer.follow("continue")
    #expect(payer.left?.contains("status=paid") == true)
  }

  @Test func `reads may say pending while the page says paid, also past the end`() async {
    let (harness, id, _) = await opened()
    await harness.control("payments/\(id)/faults", #"{"paid_delay_ms":4000000}"#)
    var payer = await harness.paid(id)
    #expect(payer.page.contains(#"id="continue""#))
    await harness.advance(3_999_999)
    #expect(await harness.status(id) == "pending")
    await payer.follow("continue")
    #expect(payer.left?.contains("status=paid") == true)
    await harness.advance(1)
    #expect(await harness.status(id) == "paid")
  }

  @Test(arguments: [(nil, "fr"), (#""fr""#, "fr"), (#""en""#, "en"), (#""de""#, "fr")])
  func `the page speaks the language that was asked for`(language: String?, code: String) async {
    let (_, _, browser) = await opened(RaisOrder().with { $0.language = language })
    #expect(browser.page.contains(#"<html lang="\#(code)""#))
  }

  @Test func `under a prefix every link leads back to it`() async {
    let harness = RaisHarness(prefix: "/rais")
    let created = await harness.create().json
    let id = created["id"]?.text ?? ""
    #expect(created["checkout_url"]?.text == "http://sandbox.test/rais/checkout/\(id)")
    let page = await harness.call("GET", "/checkout/\(id)").text
    #expect(page.contains(#"action="/rais/checkout/\#(id)/card""#))
    #expect(page.contains(#"href="/rais/checkout/\#(id)/cancel""#))
    let answer = await harness.call("POST", "/checkout/\(id)/card", "card_number=400000000001")
    #expect(answer.location == "/rais/checkout/\(id)/secure")
  }

  @Test(arguments: ["/", "/checkout", "/checkout/x", "/pay/x"])
  func `an address that leads nowhere says so`(path: String) async {
    #expect(await RaisHarness().call("GET", path).status == 404)
  }

  @Test func `what the merchant wrote is shown as text`() async {
    let (_, _, browser) = await opened(
      RaisOrder().with { $0.reference = #""<script>alert(1)</script>""# })
    #expect(!browser.page.contains("<script>"))
    #expect(browser.page.contains("&lt;script&gt;"))
  }
}
