import KitEnvironment
import StrictJSON

/// SEB: the page runs in the app's web view, one payment takes several tries, and the return says
/// nothing of how it went.
extension Story {
  static let seb: [Story] = [
    sebTwoFailedTries, sebClosedAfterPaying, sebKilledInSecure, sebCallbackNever, sebRefunded,
    sebClosedUnpaid,
  ]

  private static let payer = SEBPayer()

  private static let paidOnce = Ending(
    order: "paid", fulfilments: 1, provider: ["CAPTURED"], payments: ["captured"],
    captured: "129.90")

  static let sebTwoFailedTries = Story(
    name: "seb-two-failed-tries",
    title: "S1  SEB: two tries fail, the bank takes the third and settles after the return",
    play: { cast in
      let (app, url, order) = try await cast.buyAtSEB()
      try await payer.failOnce(on: try await cast.page(at: url), cast)
      let question = try await payer.goToBank(from: try await cast.page(at: url), cast)
      let declined = try await cast.browser.submit(question, "decision", "decline").page()
      await cast.say(.payer, "has a bank payment declined")
      // Long enough for a read that could take a failed try for the end.
      try await cast.pause(.milliseconds(2_500))
      let before = await app.displays
      try await cast.check(
        "after two failed tries the app shows \(before)", before == ["preparing"])
      let sent = try await payer.payUnsettled(on: declined, cast)
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
      _ = try await payer.payUnsettled(on: try await cast.page(at: url), cast)
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
      _ = try await payer.enterCard(
        "5186000000000005", from: try await cast.page(at: url), cast)
      await cast.say(.payer, "enters the card; the bank asks for a code")
      app.tell("background")
      await cast.kill(app)
      let again = try await cast.startApp(["resume"])
      let newURL = try await cast.reopened(again)
      try await cast.check("the page is \(newURL), not \(url)", newURL == url)
      let paid = try await payer.pay(on: try await cast.page(at: newURL), cast)
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
      _ = try await payer.payUnsettled(on: try await cast.page(at: url), cast)
      await cast.kill(app)
      try await cast.expectPaid(order, byWebhook: false)
      let later = try await cast.startApp(["resume"])
      try await cast.expectOutcome("succeeded", of: later)
      return order
    }, ending: paidOnce)

  static let sebRefunded = Story(
    name: "seb-refunded",
    title: "S5  SEB: paid by Click to Pay, given back by the operator, goods called back",
    play: { cast in
      let (app, url, order) = try await cast.buyAtSEB()
      let choice = try await cast.page(at: url)
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
      let choice = try await cast.page(at: url)
      await cast.say(.payer, "closes the sheet", trust: "hint")
      app.tell("close")
      _ = try await app.event("confirming") { $0["display"]?.text == "confirming" }
      try await cast.expectNoEnd(of: app, for: .milliseconds(2_500))
      let newURL = try await cast.reopened(app, after: 1)
      try await cast.check("the page is \(newURL), not \(url)", newURL == url)
      let paid = try await payer.pay(on: choice, cast)
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
}
