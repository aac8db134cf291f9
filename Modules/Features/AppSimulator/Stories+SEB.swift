import KitEnvironment
import StrictJSON

/// SEB: the page runs in the app's web view, one payment takes several tries, and the return says
/// nothing of how it went.
extension Story {
  static let seb: [Story] = [
    sebTwoFailedTries, sebClosedAfterPaying, sebKilledInSecure, sebCallbackNever, sebRefunded,
    sebClosedUnpaid,
  ]

  private static let paidOnce = Ending(
    order: "paid", fulfilments: 1, provider: ["CAPTURED"], payments: ["captured"],
    captured: "129.90")

  static let sebTwoFailedTries = Story(
    name: "seb-two-failed-tries",
    title: "S1  SEB: two tries fail, the bank takes the third and settles after the return",
    play: { cast in
      let (app, url, order) = try await cast.buyAtSEB()
      let choice = try await cast.browser.open(url).page()
      let card = try await cast.browser.open(choice.link("card")).page()
      let failed = try await cast.browser.submit(card, "card_number", "5186000000000013").page()
      let question = try await cast.askBank(from: failed)
      let declined = try await cast.browser.submit(question, "decision", "decline").page()
      await cast.say(.payer, "has a card fail and a bank payment declined")
      // Long enough for a read that could take a failed try for the end.
      try await cast.pause(.milliseconds(2_500))
      let before = await app.displays
      try await cast.check(
        "after two failed tries the app shows \(before)", before == ["preparing"])
      let sent = try await cast.payByBank(from: declined)
      try await cast.returnInside(app, by: try await cast.returnLink(from: sent))
      try await cast.expectOutcomeAfterWaiting(of: app)
      let tries = try await cast.providerPayments(of: order).first?.find("page.tries")?.elements
      try await cast.check("the provider saw \(tries?.count ?? 0) tries, not 3", tries?.count == 3)
      return order
    }, ending: paidOnce)

  static let sebClosedAfterPaying = Story(
    name: "seb-closed-after-paying",
    title: "S2  SEB: the sheet is closed after paying, before the return: unresolved, then paid",
    play: { cast in
      let (app, url, order) = try await cast.buyAtSEB()
      _ = try await cast.payByBank(from: try await cast.browser.open(url).page())
      await cast.say(.payer, "closes the sheet before the return", trust: "hint")
      app.tell("close")
      try await cast.expectOutcomeAfterWaiting(of: app)
      return order
    }, ending: paidOnce)

  static let sebKilledInSecure = Story(
    name: "seb-killed-in-3ds",
    title: "S3  SEB: killed at 3-D Secure with its web view; the same page takes a second try",
    play: { cast in
      let (app, url, order) = try await cast.buyAtSEB()
      let choice = try await cast.browser.open(url).page()
      let card = try await cast.browser.open(choice.link("card")).page()
      _ = try await cast.browser.submit(card, "card_number", "5186000000000005").page()
      await cast.say(.payer, "enters the card; the bank asks for a code")
      app.tell("background")
      await cast.kill(app)
      let again = try await cast.startApp(["resume"])
      let newURL = try await cast.reopened(again)
      try await cast.check("the page is \(newURL), not \(url)", newURL == url)
      let paid = try await cast.payByCard(from: try await cast.browser.open(newURL).page())
      again.tell("link \(try await cast.returnLink(from: paid))")
      try await cast.expectOutcome("succeeded", of: again)
      return order
    }, ending: paidOnce)

  static let sebCallbackNever = Story(
    name: "seb-callback-never",
    title: "S4  SEB: no callback ever comes and no app lives: the server's own reads find it paid",
    play: { cast in
      let (app, url, order) = try await cast.buyAtSEB()
      try await cast.setFaults(
        order, .object(["drop_webhooks": .bool(true), "settle_delay_ms": .integer(1_000)]))
      _ = try await cast.payByBank(from: try await cast.browser.open(url).page())
      await cast.kill(app)
      try await cast.expectPaidUnasked(order)
      let later = try await cast.startApp(["resume"])
      try await cast.expectOutcome("succeeded", of: later)
      return order
    }, ending: paidOnce)

  static let sebRefunded = Story(
    name: "seb-refunded",
    title: "S5  SEB: paid by Click to Pay, given back by the operator, goods called back",
    play: { cast in
      let (app, url, order) = try await cast.buyAtSEB()
      let choice = try await cast.browser.open(url).page()
      let form = try await cast.browser.open(choice.link("click-to-pay")).page()
      let paid = try await cast.browser.submit(form, "email", "payer@shop.example").page()
      await cast.say(.payer, "pays by Click to Pay")
      app.tell("link \(try await cast.returnLink(from: paid))")
      try await cast.expectOutcome("succeeded", of: app)
      try await cast.expectState("paid", of: order)
      try await cast.refundPayment(of: order)
      try await cast.expectState("refunded", of: order)
      return order
    },
    ending: Ending(
      order: "refunded", fulfilments: 1, revocations: 1, provider: ["REFUNDED"],
      payments: ["captured"], captured: "129.90"))

  static let sebClosedUnpaid = Story(
    name: "seb-closed-unpaid",
    title: "S6  SEB: the sheet is closed unpaid: not cancelled, and the same page pays later",
    play: { cast in
      let (app, url, order) = try await cast.buyAtSEB()
      let choice = try await cast.browser.open(url).page()
      await cast.say(.payer, "closes the sheet", trust: "hint")
      app.tell("close")
      _ = try await app.event("confirming") { $0["display"]?.text == "confirming" }
      try await cast.pause(.milliseconds(2_500))
      let displays = await app.displays
      try await cast.check(
        "after the sheet was closed the app shows \(displays)",
        displays.allSatisfy { ["preparing", "confirming", "still_confirming"].contains($0) })
      let newURL = try await cast.reopened(app, after: 1)
      try await cast.check("the page is \(newURL), not \(url)", newURL == url)
      let paid = try await cast.payByCard(from: choice)
      app.tell("link \(try await cast.returnLink(from: paid))")
      try await cast.expectOutcome("succeeded", of: app)
      return order
    }, ending: paidOnce)
}

extension StoryCast {
  fileprivate func buyAtSEB(
    _ what: [String] = ["--item", "sauna"]
  ) async throws -> (app: AppDriver, url: String, order: String) {
    try await buy(what + ["--provider", "seb"])
  }

  /// The payer taps pay again while the app waits; gives the page that it opens then.
  ///
  /// - Parameter count: pages that the app has opened before.
  fileprivate func reopened(_ app: AppDriver, after count: Int = 0) async throws -> String {
    _ = try await app.event("confirming") { $0["display"]?.text == "confirming" }
    say(.payer, "taps pay again")
    app.tell("tap")
    let clock = stage.environment.clock
    let end = clock.uptime() + .seconds(20)
    while clock.uptime() < end {
      let pages = await app.events.map(\.json).filter { $0["event"]?.text == "open" }
      if pages.count > count, let url = pages[count]["url"]?.text { return url }
      try await clock.sleep(for: .milliseconds(20))
    }
    throw StoryFailure("the app did not open a page again")
  }

  /// Card and 3-D Secure; gives the result page.
  fileprivate func payByCard(from choice: PayerBrowser.Page) async throws -> PayerBrowser.Page {
    let card = try await browser.open(choice.link("card")).page()
    let secure = try await browser.submit(card, "card_number", "5186000000000005").page()
    let result = try await browser.submit(secure, "otp", "1234").page()
    say(.payer, "pays by card and confirms by the code 1234")
    return result
  }

  /// The mock bank's question.
  fileprivate func askBank(from choice: PayerBrowser.Page) async throws -> PayerBrowser.Page {
    let banks = try await browser.open(choice.link("bank")).page()
    return try await browser.submit(banks, "bank", "mock-bank").page()
  }

  /// Tells the mock bank to pay; gives the page that says that it works on it.
  fileprivate func payByBank(from choice: PayerBrowser.Page) async throws -> PayerBrowser.Page {
    let page = try await browser.submit(try await askBank(from: choice), "decision", "approve")
      .page()
    say(.payer, "pays by bank, which sends it for processing")
    return page
  }

  /// The page in the app's web view goes to the return URL, which must not reach the system
  /// although its scheme is none of the web.
  fileprivate func returnInside(_ app: AppDriver, by link: String) async throws {
    app.tell("navigate \(link)")
    let seen = try await app.event("the return was seen") {
      $0["event"]?.text == "navigated" && $0["ends"]?.text == "returned"
    }
    let decision = seen["decision"]?.text ?? "?"
    try check("the return was decided as \(decision)", decision == "return")
  }

  /// Gives all of the order's money back, as an operator does.
  fileprivate func refundPayment(of order: String) async throws {
    let payments = try await stage.showOrder(order)["payments"]?.elements ?? []
    guard let payment = payments.last?["payment_id"]?.text else {
      throw StoryFailure("the order has no payment")
    }
    let answer = try await stage.refund(payment)
    try check("the refund is \(answer["state"]?.text ?? "?")", answer["state"]?.text == "done")
  }

  /// Waits until the server knows, with no app alive and no callback to make it ask.
  fileprivate func expectPaidUnasked(_ order: String) async throws {
    try await expectState("paid", of: order)
    let journal = try await stage.explainOrder(order)["journal"]?.elements ?? []
    try check(
      "a callback reached the server", !journal.contains { $0["channel"]?.text == "webhook" })
  }

  fileprivate func expectState(_ wanted: String, of order: String) async throws {
    let clock = stage.environment.clock
    let end = clock.uptime() + .seconds(20)
    while try await stage.showOrder(order)["state"]?.text != wanted {
      try check("the order is not \(wanted) within 20 s", clock.uptime() < end)
      try await clock.sleep(for: .milliseconds(500))
    }
  }

  /// The app says that it waits, and then that it succeeded.
  fileprivate func expectOutcomeAfterWaiting(of app: AppDriver) async throws {
    try await expectOutcome("succeeded", of: app)
    let displays = await app.displays
    try check(
      "the app showed \(displays) and not confirming first",
      displays.firstIndex(of: "confirming").map { $0 < displays.count - 1 } ?? false)
  }
}
