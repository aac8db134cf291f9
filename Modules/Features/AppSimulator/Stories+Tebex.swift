import KitEnvironment
import StrictJSON

/// Tebex: the basket's page returns by itself, the basket alone says that it was paid, and webhooks
/// alone say what became of the money afterwards.
extension Story {
  static let tebex: [Story] = [
    tebexKilledOnPage, tebexClosedThenPaid, tebexWebhookNeverComes, tebexDeclinedThenPaid,
    tebexAddLost, tebexRefunded, tebexDisputeLost, tebexDisputeWon,
  ]

  private static let payer = TebexPayer()

  private static let paidOnce = Ending(
    order: "paid", fulfilments: 1, provider: ["complete"], payments: ["captured"],
    captured: "5.35")

  static let tebexKilledOnPage = Story(
    name: "tebex-killed-on-page",
    title: "X1  Tebex: the phone kills the app on the page, the webhook tells the server",
    play: { cast in
      let (app, url, order) = try await cast.buyAtTebex()
      let page = try await cast.page(at: url)
      app.tell("background")
      await cast.kill(app)
      _ = try await payer.pay(on: page, cast)
      try await cast.expectPaid(order, byWebhook: true)
      let later = try await cast.startApp(["resume"])
      try await cast.expectOutcome("succeeded", of: later)
      return order
    }, ending: paidOnce)

  static let tebexClosedThenPaid = Story(
    name: "tebex-closed-then-paid",
    title: "X2  Tebex: the browser is closed before it returns, the basket is complete 3 s later",
    play: { cast in
      let (app, url, order) = try await cast.buyAtTebex()
      try await cast.setFaults(order, .object(["complete_delay_ms": .integer(3_000)]))
      _ = try await payer.pay(on: try await cast.page(at: url), cast)
      await cast.say(.payer, "closes the browser before it returns", trust: "hint")
      app.tell("close")
      _ = try await app.event("confirming") { $0["display"]?.text == "confirming" }
      try await cast.expectOutcome("succeeded", of: app)
      return order
    }, ending: paidOnce)

  static let tebexWebhookNeverComes = Story(
    name: "tebex-webhook-never-comes",
    title: "X3  Tebex: no webhook ever comes; the redirect causes the read that proves it",
    play: { cast in
      let (app, url, order) = try await cast.buyAtTebex()
      try await cast.setFaults(order, .object(["drop_webhooks": .bool(true)]))
      let end = try await payer.pay(on: try await cast.page(at: url), cast)
      app.tell("link \(try await cast.returnLink(from: end))")
      try await cast.expectOutcome("succeeded", of: app)
      return order
    }, ending: paidOnce)

  static let tebexDeclinedThenPaid = Story(
    name: "tebex-declined-then-paid",
    title: "X4  Tebex: declined, cancelled, then paid in the same basket, with tax on top",
    play: { cast in
      _ = try await cast.control(
        "/sandbox/settings/tebex", .object(["tax_basis_points": .integer(825)]))
      let (app, url, order) = try await cast.buyAtTebex()
      try await payer.failOnce(on: try await cast.page(at: url), cast)
      await cast.say(.payer, "cancels")
      let link = try await cast.returnLink(from: try await cast.page(at: url), by: "cancel")
      app.tell("link \(link)")
      _ = try await app.event("confirming") { $0["display"]?.text == "confirming" }
      let end = try await payer.pay(on: try await cast.page(at: url), cast)
      _ = try await cast.control(
        "/sandbox/settings/tebex", .object(["tax_basis_points": .integer(0)]))
      app.tell("link \(try await cast.returnLink(from: end))")
      try await cast.expectOutcome("succeeded", of: app)
      return order
    }, ending: paidOnce)

  static let tebexAddLost = Story(
    name: "tebex-add-lost",
    title: "X5  Tebex: the answer to the added package is lost; the basket shows that it is there",
    play: { cast in
      let lost: JSONValue = .object(["call": "add", "kind": "lost"])
      _ = try await cast.control(
        "/sandbox/settings/tebex", .object(["faults": .object(["answers": .array([lost])])]))
      await cast.say(.provider, "will lose the answer to the added package")
      let (app, url, order) = try await cast.buyAtTebex()
      let made = try await cast.providerPayments(of: order)
      try await cast.check("the provider has \(made.count) baskets, not 1", made.count == 1)
      let adds = made.first?.find("calls.add")?.int64 ?? 0
      try await cast.check("the package was added \(adds) times, not once", adds == 1)
      let end = try await payer.pay(on: try await cast.page(at: url), cast)
      app.tell("link \(try await cast.returnLink(from: end))")
      try await cast.expectOutcome("succeeded", of: app)
      return order
    }, ending: paidOnce)

  static let tebexRefunded = Story(
    name: "tebex-refunded",
    title:
      "X6  Tebex: an operator gives the money back through the Checkout API; the goods go back",
    play: { cast in
      let order = try await cast.paidAtTebex(by: payer)
      let shown = try await cast.stage.showOrder(order)
      guard let payment = shown.find("payments.0.payment_id")?.text else {
        throw StoryFailure("the order shows no payment")
      }
      await cast.say(.payer, "asks for the money; an operator gives it back")
      _ = try await cast.stage.refund(payment)
      return order
    }, ending: goneAgain("refunded"))

  static let tebexDisputeLost = Story(
    name: "tebex-dispute-lost",
    title: "X7  Tebex: the payer's bank disputes and wins; only webhooks tell, the goods go back",
    play: { cast in
      let order = try await cast.paidAtTebex(by: payer)
      try await cast.dispute(order, ends: "dispute_lost")
      return order
    }, ending: goneAgain("dispute_lost"))

  static let tebexDisputeWon = Story(
    name: "tebex-dispute-won",
    title:
      "X8  Tebex: the payer's bank disputes and loses; the money is back, the goods go out again",
    play: { cast in
      let order = try await cast.paidAtTebex(by: payer)
      try await cast.dispute(order, ends: "dispute_won")
      return order
    },
    ending: Ending(
      order: "paid", fulfilments: 2, revocations: 1, provider: ["dispute_won"],
      payments: ["captured"], captured: "5.35"))

  private static func goneAgain(_ status: String) -> Ending {
    Ending(
      order: "refunded", fulfilments: 1, revocations: 1, provider: [status],
      payments: ["captured"], captured: "5.35")
  }
}

extension StoryCast {
  fileprivate func buyAtTebex() async throws -> (app: AppDriver, url: String, order: String) {
    try await buy(["--item", "6276316", "--provider", "tebex"])
  }

  /// Buys, pays and is taken back; gives the order once its goods have gone out.
  fileprivate func paidAtTebex(by payer: TebexPayer) async throws -> String {
    let (app, url, order) = try await buyAtTebex()
    let end = try await payer.pay(on: try await page(at: url), self)
    app.tell("link \(try await returnLink(from: end))")
    try await expectOutcome("succeeded", of: app)
    try await until("the goods go out") { await stage.fulfilments(order) > 0 }
    return order
  }

  /// The payer's bank opens a dispute and, once the goods are to come back, decides it.
  fileprivate func dispute(_ order: String, ends end: String) async throws {
    for step in ["dispute_opened", end] {
      let word = step.replacing("dispute_", with: "")
      say(.payer, "the payer's bank: dispute \(word == "opened" ? word : "\(word) by the shop")")
      try await setStatus(of: order, step)
      try await until("the goods are called back") { await stage.revocations(order) > 0 }
      // Events bear their time in seconds: an older one than the last takes nothing back.
      try await pause(.milliseconds(1_100))
    }
  }
}
