import KitEnvironment
import StrictJSON

/// Raïs: the page is shown by the system's secure browser; its result page stays until the payer
/// presses the button, and a cancel link says nothing final.
extension Story {
  static let rais: [Story] = [
    raisClosedOnResult, raisDeclinedThenPaid, raisCancelledThenPaid, raisKilledInSecure,
    raisExpiredThenPaid, raisAnswerLost,
  ]

  private static let payer = RaisPayer()

  private static let paidOnce = Ending(
    order: "paid", fulfilments: 1, provider: ["paid"], payments: ["captured"], captured: "500000")

  static let raisClosedOnResult = Story(
    name: "rais-closed-on-result",
    title: "R1  Raïs: paid, then the sheet is closed on the result page: no link, no webhook",
    play: { cast in
      let (app, url, order) = try await cast.buyAtRais()
      try await cast.setFaults(order, .object(["drop_webhooks": .bool(true)]))
      let result = try await payer.pay(on: try await cast.page(at: url), cast)
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
      try await payer.failOnce(on: try await cast.page(at: url), cast)
      // Long enough for a read that could take the declined card for the end.
      try await cast.pause(.milliseconds(2_500))
      let displays = await app.displays
      try await cast.check(
        "after the declined card the app shows \(displays)", displays == ["preparing"])
      let result = try await payer.pay(on: try await cast.page(at: url), cast)
      app.tell("link \(try await cast.returnLink(from: result))")
      try await cast.expectOutcome("succeeded", of: app)
      return order
    }, ending: paidOnce)

  static let raisCancelledThenPaid = Story(
    name: "rais-cancelled-then-paid",
    title: "R3  Raïs: cancelled while still pending, reopened at the same URL, paid",
    play: { cast in
      let (app, url, order) = try await cast.buyAtRais()
      await cast.say(.payer, "cancels")
      let link = try await cast.returnLink(from: try await cast.page(at: url), by: "cancel")
      try await cast.check("the cancel link is \(link)", link.contains("status=pending"))
      app.tell("link \(link)")
      let again = try await cast.reopened(app, after: 1)
      try await cast.check("the page is \(again), not \(url)", again == url)
      let result = try await payer.pay(on: try await cast.page(at: again), cast)
      app.tell("link \(try await cast.returnLink(from: result))")
      try await cast.expectOutcome("succeeded", of: app)
      return order
    }, ending: paidOnce)

  static let raisKilledInSecure = Story(
    name: "rais-killed-in-3ds",
    title: "R4  Raïs: the phone kills the app in 3-D Secure, the webhook tells the server",
    play: { cast in
      let (app, url, order) = try await cast.buyAtRais()
      let secure = try await payer.goToBank(from: try await cast.page(at: url), cast)
      app.tell("background")
      await cast.kill(app)
      try await payer.confirm(at: secure, cast)
      try await cast.expectPaid(order, byWebhook: true)
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
      await cast.say(.payer, "finds the payment ended")
      let link = try await cast.returnLink(from: try await cast.page(at: url), by: "cancel")
      app.tell("link \(link)")
      try await cast.expectOutcome("expired", of: app)
      let (second, newURL, _) = try await cast.buyAtRais(["--order", order])
      // The old key would have brought the old payment, and with it the old page.
      try await cast.check("the second attempt has the first one's page", newURL != url)
      let result = try await payer.pay(on: try await cast.page(at: newURL), cast)
      second.tell("link \(try await cast.returnLink(from: result))")
      try await cast.expectOutcome("succeeded", of: second)
      return order
    },
    ending: Ending(
      order: "paid", fulfilments: 1, provider: ["expired", "paid"],
      payments: ["expired", "captured"], captured: "500000", shown: ["expired"]))

  static let raisAnswerLost = Story(
    name: "rais-answer-lost",
    title: "R6  Raïs: the answer to the create is lost, the same key finds the one payment",
    play: { cast in
      let lost: JSONValue = .object(["call": "create", "kind": "lost"])
      _ = try await cast.control(
        "/sandbox/settings/rais", .object(["faults": .object(["answers": .array([lost])])]))
      await cast.say(.provider, "will lose the answer to the create")
      let (app, url, order) = try await cast.buyAtRais()
      let made = try await cast.providerPayments(of: order)
      try await cast.check("the provider has \(made.count) payments, not 1", made.count == 1)
      let creates = made.first?.find("calls.create")?.int64 ?? 0
      try await cast.check("it was asked \(creates) times, not twice", creates == 2)
      let result = try await payer.pay(on: try await cast.page(at: url), cast)
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
}
