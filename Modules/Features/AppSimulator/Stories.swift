import KitEnvironment
import StrictJSON

extension Story {
  /// All stories, in the order in which the demo plays them.
  static let all: [Story] =
    [
      killedInBankApp, closedWhileConfirming, webhookLost, rejected, cancelledThenPaid,
      expiredThenPaid,
    ] + futa + rais + tebex + seb

  private static let payer = TabbyPayer()

  private static let paidOnce = Ending(
    order: "paid", fulfilments: 1, provider: ["CLOSED"], payments: ["captured"],
    captured: "340.00")

  static let killedInBankApp = Story(
    name: "killed-in-bank-app",
    title: "1   Killed in the bank app: the phone kills the app while the payer confirms",
    play: { cast in
      let (app, url, order) = try await cast.buy()
      let bank = try await payer.goToBank(from: try await cast.page(at: url), cast)
      app.tell("background")
      await cast.kill(app)
      try await payer.confirm(at: bank, cast)
      try await cast.expectOutcome("succeeded", of: try await cast.startApp(["resume"]))
      return order
    }, ending: paidOnce)

  static let closedWhileConfirming = Story(
    name: "closed-while-confirming",
    title: "2   Closed while confirming: the page closes, the provider needs 3 s, each webhook "
      + "comes twice",
    play: { cast in
      let (app, url, order) = try await cast.buy()
      try await cast.setFaults(
        order,
        .object(["authorize_delay_ms": .integer(3_000), "webhook_copies": .integer(2)]))
      _ = try await payer.pay(on: try await cast.page(at: url), cast)
      await cast.say(.payer, "closes the page", trust: "hint")
      app.tell("close")
      try await cast.expectOutcomeAfterWaiting(of: app)
      return order
    }, ending: paidOnce)

  static let webhookLost = Story(
    name: "webhook-lost",
    title: "2b  Webhook lost for good: paid by the read that closing the page causes",
    play: { cast in
      let (app, url, order) = try await cast.buy()
      try await cast.setFaults(order, .object(["drop_webhooks": .bool(true)]))
      _ = try await payer.pay(on: try await cast.page(at: url), cast)
      let clock = cast.stage.environment.clock
      let closed = clock.uptime()
      await cast.say(.payer, "closes the page", trust: "hint")
      app.tell("close")
      try await cast.expectOutcome("succeeded", of: app)
      let took = clock.uptime() - closed
      try await cast.check("it took \(took), more than 1 s", took <= .seconds(1))
      return order
    }, ending: paidOnce)

  static let rejected = Story(
    name: "rejected", title: "3   Rejected on the page: shown as rejected, the cart is kept",
    play: { cast in
      let (app, url, order) = try await cast.buy(as: .declined)
      let page = try await payer.identify(on: try await cast.page(at: url), cast)
      app.tell("link \(try await cast.returnLink(from: page))")
      let shown = try await app.event("outcome") { $0["display"]?.text == "outcome" }
      let outcome = shown["outcome"]?.text ?? "?"
      try await cast.check("the app shows \(outcome), not rejected", outcome == "rejected")
      try await cast.check("the cart was not kept", shown["cart_kept"]?.boolean == true)
      return order
    },
    ending: Ending(
      order: "pending", fulfilments: 0, provider: ["REJECTED"], payments: ["rejected"],
      captured: "0.00", shown: ["rejected"]))

  static let cancelledThenPaid = Story(
    name: "cancelled-then-paid",
    title: "4   Cancel link while the payment is still open, then Back and pays",
    play: { cast in
      let (app, url, order) = try await cast.buy()
      try await cast.setFaults(order, .object(["cancel_leaves_created": .bool(true)]))
      let plan = try await payer.identify(on: try await cast.page(at: url), cast)
      await cast.say(.payer, "taps Cancel")
      app.tell("link \(try await cast.returnLink(from: plan, by: "cancel"))")
      _ = try await app.event("confirming") { $0["display"]?.text == "confirming" }
      try await cast.expectNoEnd(of: app, for: .milliseconds(700))
      await cast.say(.payer, "goes Back to the page that is still open")
      let done = try await payer.payByCard(on: plan, cast)
      app.tell("link \(try await cast.returnLink(from: done))")
      try await cast.expectOutcome("succeeded", of: app)
      return order
    }, ending: paidOnce)

  static let expiredThenPaid = Story(
    name: "expired-then-paid",
    title: "4b  Cancel link, the provider ends the payment at once; a second attempt is paid",
    play: { cast in
      let (app, url, order) = try await cast.buy()
      await cast.say(.payer, "taps Cancel")
      app.tell(
        "link \(try await cast.returnLink(from: try await cast.page(at: url), by: "cancel"))")
      try await cast.expectOutcome("expired", of: app)
      let (second, newURL, _) = try await cast.buy(["--order", order])
      try await cast.check("the second attempt has the first one's page", newURL != url)
      let done = try await payer.pay(on: try await cast.page(at: newURL), cast)
      second.tell("link \(try await cast.returnLink(from: done))")
      try await cast.expectOutcome("succeeded", of: second)
      return order
    },
    ending: Ending(
      order: "paid", fulfilments: 1, provider: ["EXPIRED", "CLOSED"],
      payments: ["expired", "captured"], captured: "340.00", shown: ["expired"]))
}
