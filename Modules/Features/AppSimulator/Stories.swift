import KitEnvironment
import StrictJSON

extension Story {
  /// All stories, in the order in which the demo plays them.
  static let all: [Story] =
    [
      killedInBankApp, closedWhileConfirming, webhookLost, rejected, cancelledThenPaid,
      expiredThenPaid,
    ] + futa + rais + tebex + seb

  private static let paidOnce = Ending(
    order: "paid", fulfilments: 1, provider: ["CLOSED"], payments: ["captured"],
    captured: "340.00")

  static let killedInBankApp = Story(
    name: "killed-in-bank-app",
    title: "1   Killed in the bank app: the phone kills the app while the payer confirms",
    play: { cast in
      let (app, url, order) = try await cast.buy()
      let plan = try await cast.identify(at: url)
      let wait = try await cast.browser.submit(plan, "method", "bank").page()
      await cast.say(.payer, "goes to the bank app")
      app.tell("background")
      await cast.kill(app)
      let bank = try await cast.browser.open(wait.link("bank")).page()
      _ = try await cast.browser.submit(bank, "decision", "approve")
      await cast.say(.payer, "confirms in the bank app")
      let again = try await cast.startApp(["resume"])
      let outcome = try await again.outcome()
      try await cast.check("the app shows \(outcome), not succeeded", outcome == "succeeded")
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
      let plan = try await cast.identify(at: url)
      _ = try await cast.pay(on: plan)
      await cast.say(.payer, "closes the page", trust: "hint")
      app.tell("close")
      let outcome = try await app.outcome()
      try await cast.check("the app shows \(outcome), not succeeded", outcome == "succeeded")
      let displays = await app.displays
      try await cast.check(
        "the app showed \(displays) and not confirming first",
        displays.firstIndex(of: "confirming").map { $0 < displays.count - 1 } ?? false)
      return order
    }, ending: paidOnce)

  static let webhookLost = Story(
    name: "webhook-lost",
    title: "2b  Webhook lost for good: paid by the read that closing the page causes",
    play: { cast in
      let (app, url, order) = try await cast.buy()
      try await cast.setFaults(order, .object(["drop_webhooks": .bool(true)]))
      let plan = try await cast.identify(at: url)
      _ = try await cast.pay(on: plan)
      let clock = cast.stage.environment.clock
      let closed = clock.uptime()
      await cast.say(.payer, "closes the page", trust: "hint")
      app.tell("close")
      let outcome = try await app.outcome(within: .seconds(5))
      let took = clock.uptime() - closed
      try await cast.check("the app shows \(outcome), not succeeded", outcome == "succeeded")
      try await cast.check("it took \(took), more than 1 s", took <= .seconds(1))
      return order
    }, ending: paidOnce)

  static let rejected = Story(
    name: "rejected", title: "3   Rejected on the page: shown as rejected, the cart is kept",
    play: { cast in
      let (app, url, order) = try await cast.buy(as: .declined)
      let page = try await cast.identify(at: url)
      app.tell("link \(try await cast.returnLink(from: page))")
      let shown = try await app.event("outcome") { $0["display"]?.text == "outcome" }
      let outcome = shown["outcome"]?.text ?? "?"
      try await cast.check("the app shows \(outcome), not rejected", outcome == "rejected")
      try await cast.check("the cart was not kept", shown["cart_kept"]?.boolean == true)
      return order
    },
    ending: Ending(
      order: "pending", fulfilments: 0, provider: ["REJECTED"], payments: ["rejected"],
      captured: "0.00"))

  static let cancelledThenPaid = Story(
    name: "cancelled-then-paid",
    title: "4   Cancel link while the payment is still open, then Back and pays",
    play: { cast in
      let (app, url, order) = try await cast.buy()
      try await cast.setFaults(order, .object(["cancel_leaves_created": .bool(true)]))
      let plan = try await cast.identify(at: url)
      let link = try await cast.browser.open(plan.link("cancel")).link()
      await cast.say(.payer, "taps Cancel and is sent back", trust: "hint")
      app.tell("link \(link)")
      _ = try await app.event("confirming") { $0["display"]?.text == "confirming" }
      try await cast.pause(.milliseconds(700))
      let displays = await app.displays
      try await cast.check(
        "after Cancel the app shows \(displays)", !displays.contains { !waiting.contains($0) })
      await cast.say(.payer, "goes Back to the page that is still open")
      let done = try await cast.pay(on: plan)
      app.tell("link \(try await cast.returnLink(from: done))")
      let outcome = try await app.outcome()
      try await cast.check("the app shows \(outcome), not succeeded", outcome == "succeeded")
      return order
    }, ending: paidOnce)

  static let expiredThenPaid = Story(
    name: "expired-then-paid",
    title: "4b  Cancel link, the provider ends the payment at once; a second attempt is paid",
    play: { cast in
      let (app, url, order) = try await cast.buy()
      let page = try await cast.browser.open(url).page()
      let link = try await cast.browser.open(page.link("cancel")).link()
      await cast.say(.payer, "taps Cancel and is sent back", trust: "hint")
      app.tell("link \(link)")
      let first = try await app.outcome()
      try await cast.check("the app shows \(first), not expired", first == "expired")
      let (second, newURL, _) = try await cast.buy(["--order", order])
      try await cast.check("the second attempt has the first one's page", newURL != url)
      let plan = try await cast.identify(at: newURL)
      let done = try await cast.pay(on: plan)
      second.tell("link \(try await cast.returnLink(from: done))")
      let outcome = try await second.outcome()
      try await cast.check("the app shows \(outcome), not succeeded", outcome == "succeeded")
      return order
    },
    ending: Ending(
      order: "paid", fulfilments: 1, provider: ["EXPIRED", "CLOSED"],
      payments: ["expired", "captured"], captured: "340.00"))

  private static let waiting = ["preparing", "confirming", "still_confirming"]
}
