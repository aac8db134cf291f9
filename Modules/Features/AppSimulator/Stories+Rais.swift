import KitEnvironment
import StrictJSON

/// Raïs: the page is shown by the system's secure browser; its result page stays until the payer
/// presses the button, and a cancel link says nothing final.
extension Story {
  static let rais: [Story] = [
    raisClosedOnResult, raisDeclinedThenPaid, raisCancelledThenPaid, raisKilledInSecure,
    raisExpiredThenPaid, raisAnswerLost,
  ]

  private static let paidOnce = Ending(
    order: "paid", fulfilments: 1, provider: ["paid"], payments: ["captured"], captured: "500000")

  static let raisClosedOnResult = Story(
    name: "rais-closed-on-result",
    title: "R1  Raïs: paid, then the sheet is closed on the result page: no link, no webhook",
    play: { cast in
      let (app, url, order) = try await cast.buyAtRais()
      try await cast.setFaults(order, .object(["drop_webhooks": .bool(true)]))
      let card = try await cast.browser.open(url).page()
      let result = try await cast.payByCard(on: card)
      // It stays: there is a button, and nothing else leads on.
      _ = try result.link("continue")
      try await cast.check("the result page goes on by itself", !result.html.contains("refresh"))
      await cast.say(.payer, "closes the sheet without pressing the button", trust: "hint")
      app.tell("close")
      try await cast.expectOutcome("succeeded", of: app)
      return order
    }, ending: paidOnce)

  static let raisDeclinedThenPaid = Story(
    name: "rais-declined-then-paid",
    title: "R2  Raïs: the card is declined, another one pays at the same URL",
    play: { cast in
      let (app, url, order) = try await cast.buyAtRais()
      let card = try await cast.browser.open(url).page()
      _ = try await cast.browser.submit(card, "card_number", "4000000000000002").page()
      await cast.say(.payer, "has a card declined")
      // Long enough for a read that could take the declined card for the end.
      try await cast.pause(.milliseconds(2_500))
      let displays = await app.displays
      try await cast.check(
        "after the declined card the app shows \(displays)", displays == ["preparing"])
      let result = try await cast.payByCard(on: try await cast.browser.open(url).page())
      app.tell("link \(try await cast.returnLink(from: result))")
      try await cast.expectOutcome("succeeded", of: app)
      return order
    }, ending: paidOnce)

  static let raisCancelledThenPaid = Story(
    name: "rais-cancelled-then-paid",
    title: "R3  Raïs: cancelled while still pending, reopened at the same URL, paid",
    play: { cast in
      let (app, url, order) = try await cast.buyAtRais()
      let card = try await cast.browser.open(url).page()
      let link = try await cast.browser.open(card.link("cancel")).link()
      try await cast.check("the cancel link is \(link)", link.contains("status=pending"))
      await cast.say(.payer, "presses Back to and is sent back", trust: "hint")
      app.tell("link \(link)")
      _ = try await app.event("confirming") { $0["display"]?.text == "confirming" }
      await cast.say(.payer, "taps pay again")
      app.tell("tap")
      let again = try await cast.secondPage(of: app)
      try await cast.check("the page is \(again), not \(url)", again == url)
      let result = try await cast.payByCard(on: try await cast.browser.open(again).page())
      app.tell("link \(try await cast.returnLink(from: result))")
      try await cast.expectOutcome("succeeded", of: app)
      return order
    }, ending: paidOnce)

  static let raisKilledInSecure = Story(
    name: "rais-killed-in-3ds",
    title: "R4  Raïs: the phone kills the app in 3-D Secure, the webhook tells the server",
    play: { cast in
      let (app, url, order) = try await cast.buyAtRais()
      let card = try await cast.browser.open(url).page()
      let secure = try await cast.browser.submit(card, "card_number", "4000000000000001").page()
      await cast.say(.payer, "enters the card; the bank asks for a code")
      app.tell("background")
      await cast.kill(app)
      _ = try await cast.browser.submit(secure, "otp", "1234").page()
      await cast.say(.payer, "confirms by the code 1234")
      try await cast.expectPaidByWebhook(order)
      let later = try await cast.startApp(["resume"])
      try await cast.expectOutcome("succeeded", of: later)
      return order
    }, ending: paidOnce)

  static let raisExpiredThenPaid = Story(
    name: "rais-expired-then-paid",
    title: "R5  Raïs: expired after 5 s, then a second attempt under a new key is paid",
    play: { cast in
      _ = try await cast.control(
        "/sandbox/settings/rais", .object(["life_ms": .integer(5_000)]))
      let (app, url, order) = try await cast.buyAtRais()
      _ = try await cast.control(
        "/sandbox/settings/rais", .object(["life_ms": .integer(3_600_000)]))
      try await cast.pause(.seconds(5))
      let ended = try await cast.browser.open(url).page()
      let link = try await cast.browser.open(ended.link("cancel")).link()
      await cast.say(.payer, "finds the payment ended and goes back", trust: "hint")
      app.tell("link \(link)")
      try await cast.expectOutcome("expired", of: app)
      let (second, newURL, _) = try await cast.buyAtRais(["--order", order])
      // The old key would have brought the old payment, and with it the old page.
      try await cast.check("the second attempt has the first one's page", newURL != url)
      let result = try await cast.payByCard(on: try await cast.browser.open(newURL).page())
      second.tell("link \(try await cast.returnLink(from: result))")
      try await cast.expectOutcome("succeeded", of: second)
      return order
    },
    ending: Ending(
      order: "paid", fulfilments: 1, provider: ["expired", "paid"],
      payments: ["expired", "captured"], captured: "500000"))

  static let raisAnswerLost = Story(
    name: "rais-answer-lost",
    title: "R6  Raïs: the answer to the create is lost, the same key finds the one payment",
    play: { cast in
      let lost: JSONValue = .object(["call": "create", "kind": "lost"])
      _ = try await cast.control(
        "/sandbox/settings/rais", .object(["faults": .object(["answers": .array([lost])])]))
      let (app, url, order) = try await cast.buyAtRais()
      let made = try await cast.providerPayments(of: order)
      try await cast.check("the provider has \(made.count) payments, not 1", made.count == 1)
      let creates = made.first?.find("calls.create")?.int64 ?? 0
      try await cast.check("it was asked \(creates) times, not twice", creates == 2)
      let result = try await cast.payByCard(on: try await cast.browser.open(url).page())
      app.tell("link \(try await cast.returnLink(from: result))")
      try await cast.expectOutcome("succeeded", of: app)
      return order
    }, ending: paidOnce)
}

extension StoryCast {
  fileprivate func buyAtRais(
    _ what: [String] = ["--item", "radio"]
  ) async throws -> (app: AppDriver, url: String, order: String) {
    try await buy(what + ["--provider", "rais"])
  }

  /// Card and 3-D Secure; gives the result page.
  fileprivate func payByCard(on page: PayerBrowser.Page) async throws -> PayerBrowser.Page {
    let secure = try await browser.submit(page, "card_number", "4000000000000001").page()
    let result = try await browser.submit(secure, "otp", "1234").page()
    say(.payer, "pays by card and confirms by the code 1234")
    return result
  }

  /// URL of the page that an app opened after its first one.
  fileprivate func secondPage(of app: AppDriver) async throws -> String {
    let clock = stage.environment.clock
    let end = clock.uptime() + .seconds(20)
    while clock.uptime() < end {
      let pages = await app.events.map(\.json).filter { $0["event"]?.text == "open" }
      if pages.count > 1, let url = pages[1]["url"]?.text { return url }
      try await clock.sleep(for: .milliseconds(20))
    }
    throw StoryFailure("the app did not open a page again")
  }

  /// Waits until the server knows, with no app alive to make it ask.
  func expectPaidByWebhook(_ order: String) async throws {
    let clock = stage.environment.clock
    let end = clock.uptime() + .seconds(10)
    while try await stage.showOrder(order)["state"]?.text != "paid" {
      try check("the order is not paid within 10 s", clock.uptime() < end)
      try await clock.sleep(for: .milliseconds(50))
    }
    let journal = try await stage.explainOrder(order)["journal"]?.elements ?? []
    try check(
      "no webhook reached the server", journal.contains { $0["channel"]?.text == "webhook" })
  }

  func expectOutcome(_ wanted: String, of app: AppDriver) async throws {
    let outcome = try await app.outcome()
    try check("the app shows \(outcome), not \(wanted)", outcome == wanted)
  }
}
