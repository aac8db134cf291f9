import KitEnvironment
import StrictJSON

/// Futa: the page lives in the app's web view, which loads the checkout's origin and nothing else.
extension Story {
  static let futa: [Story] = [
    futaPaidAndReturned, futaLeftForBank, futaClosedEarly, futaSecondAttempt, futaReceipt,
  ]

  private static let payer = FutaPayer()

  private static let paidOnce = Ending(
    order: "paid", fulfilments: 1, provider: ["paid"], payments: ["captured"],
    captured: "25000.00")

  static let futaPaidAndReturned = Story(
    name: "futa-returned", title: "F1  Futa: paid by mobile money in the app, and returned",
    play: { cast in
      let (app, url, order) = try await cast.buyAtFuta()
      let page = try await cast.openFuta(url, in: app)
      let paid = try await cast.pay(by: payer, "0810000001", on: page, in: app)
      let back = try await cast.browser.open(paid.link("continue")).link()
      try await cast.go(to: back, in: app, ends: "returned", isFinal: true)
      try await cast.expectOutcome("succeeded", of: app)
      return order
    }, ending: paidOnce)

  static let futaLeftForBank = Story(
    name: "futa-left-for-bank",
    title: "F2  Futa: left for the bank, the phone kills the app, the bank pays",
    play: { cast in
      let (app, url, order) = try await cast.buyAtFuta()
      let page = try await cast.openFuta(url, in: app)
      let bank = try await payer.goToBank(from: page, cast)
      try await cast.go(to: bank.url, in: app, ends: "left", isFinal: false)
      await cast.kill(app)
      try await payer.confirm(at: bank, cast)
      let again = try await cast.startApp(["resume"] + cast.trust)
      try await cast.expectOutcome("succeeded", of: again)
      return order
    }, ending: paidOnce)

  static let futaClosedEarly = Story(
    name: "futa-closed-early",
    title: "F3  Futa: closed while the page says “not final”, paid 2 s later, no webhook",
    play: { cast in
      let (app, url, order) = try await cast.buyAtFuta()
      try await cast.setFaults(
        order, .object(["outcome_delay_ms": .integer(2_000), "drop_webhooks": .bool(true)]))
      let page = try await cast.openFuta(url, in: app)
      _ = try await cast.pay(by: payer, "0810000001", on: page, in: app)
      await cast.say(.payer, "closes the page", trust: "hint")
      app.tell("close")
      try await cast.expectClosed(app, "closed", isFinal: false)
      try await cast.expectOutcome("succeeded", of: app)
      return order
    }, ending: paidOnce)

  static let futaSecondAttempt = Story(
    name: "futa-second-attempt",
    title: "F4  Futa: failed for good, then a second attempt is paid; the first stays failed",
    play: { cast in
      let (app, url, order) = try await cast.buyAtFuta()
      let page = try await cast.openFuta(url, in: app)
      let failed = try await cast.pay(by: payer, "0810000003", on: page, in: app)
      let back = try await cast.browser.open(failed.link("continue")).link()
      try await cast.go(to: back, in: app, ends: "returned", isFinal: true)
      try await cast.expectOutcome("rejected", of: app)
      let (second, newURL, _) = try await cast.buyAtFuta(["--order", order])
      try await cast.check("the second attempt has the first one's page", newURL != url)
      let next = try await cast.openFuta(newURL, in: second)
      _ = try await cast.pay(by: payer, "0810000001", on: next, in: second)
      await cast.say(.payer, "closes the page", trust: "hint")
      second.tell("close")
      try await cast.expectClosed(second, "closed", isFinal: true)
      try await cast.expectOutcome("succeeded", of: second)
      return order
    },
    ending: Ending(
      order: "paid", fulfilments: 1, provider: ["failed", "paid"],
      payments: ["rejected", "captured"], captured: "25000.00", shown: ["rejected"]))

  static let futaReceipt = Story(
    name: "futa-receipt",
    title: "F5  Futa: the receipt opens outside and ends nothing, then the page is closed",
    play: { cast in
      let (app, url, order) = try await cast.buyAtFuta()
      let page = try await cast.openFuta(url, in: app)
      let paid = try await cast.pay(by: payer, "0810000001", on: page, in: app)
      let receipt = try paid.link("receipt")
      _ = try await cast.browser.open(receipt).page()
      await cast.say(.payer, "opens the receipt, outside the app; the page stays")
      app.tell("navigate \(receipt)")
      let seen = try await app.event("the receipt opened outside") {
        $0["decision"]?.text == "outside"
      }
      try await cast.check("the receipt ended the session", seen["ends"]?.isNull == true)
      await cast.say(.payer, "closes the page", trust: "hint")
      app.tell("close")
      try await cast.expectClosed(app, "closed", isFinal: true)
      try await cast.expectOutcome("succeeded", of: app)
      return order
    }, ending: paidOnce)
}

extension StoryCast {
  /// The app's trust setting: the sandbox's checkout.
  nonisolated var trust: [String] { ["--checkout-origin", stage.sandbox] }

  fileprivate func buyAtFuta(
    _ what: [String] = ["--item", "solar"]
  ) async throws -> (app: AppDriver, url: String, order: String) {
    try await buy(what + ["--provider", "futa"] + trust)
  }

  /// The payer looks at the page in the app's web view.
  fileprivate func openFuta(
    _ url: String, in app: AppDriver
  ) async throws -> PayerBrowser.Page {
    let page = try await page(at: url)
    try await speak(page, to: app)
    return page
  }

  fileprivate func pay(
    by payer: FutaPayer, _ number: String, on page: PayerBrowser.Page, in app: AppDriver
  ) async throws -> PayerBrowser.Page {
    let next = try await payer.payByPhone(number, on: page, self)
    try await speak(next, to: app)
    return next
  }

  /// The page tells the app's web view what it shows.
  func speak(_ page: PayerBrowser.Page, to app: AppDriver) async throws {
    guard let payment = page.fact("payment"), let state = page.fact("state"),
      let final = page.fact("final")
    else { throw StoryFailure("the page at \(page.url) says no state") }
    app.tell("page \(payment) \(state) \(final) \(page.url)")
    let heard = try await app.event("page_state") {
      $0["event"]?.text == "page_state" && $0["state"]?.text == state
    }
    try check("the page was not heard", heard["taken"]?.boolean == true)
  }

  /// The page goes to an address outside the checkout, which ends the session.
  fileprivate func go(
    to url: String, in app: AppDriver, ends reason: String, isFinal: Bool
  ) async throws {
    say(.payer, "goes to \(url.prefix { $0 != "?" })", trust: "hint")
    app.tell("navigate \(url)")
    try await expectClosed(app, reason, isFinal: isFinal)
  }

  fileprivate func expectClosed(
    _ app: AppDriver, _ reason: String, isFinal: Bool
  ) async throws {
    let closed = try await app.event("page_closed") { $0["event"]?.text == "page_closed" }
    let text = "\(closed["reason"]?.text ?? "?"), final \(closed["final"]?.boolean ?? false)"
    try check(
      "the page ended as \(text), must be \(reason), final \(isFinal)",
      text == "\(reason), final \(isFinal)")
  }
}
