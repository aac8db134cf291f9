import KitEnvironment
import StrictJSON

/// The server is away or dies, and webhooks are lost, doubled or late.
extension MatrixStory {
  static let atServers = [
    offlineAtCreate, downWhileConfirming, killedBeforeProcessing, webhookLost, webhookTwice,
    webhookHoursLate, nobodyComesBack,
  ]

  private static let offlineAtCreate = MatrixStory(
    name: "offline-at-create",
    title: "Nobody answers the create, until somebody does: the same key, one payment"
  ) { scene in
    await scene.cast.killServer()
    let app = try await scene.start()
    _ = try await app.event("the create failed") { $0["event"]?.text == "create_failed" }
    try await scene.cast.startServer()
    let visit = try await scene.opened(app)
    let started = await app.events.count { $0.json["event"]?.text == "started" }
    try await scene.cast.check("\(started) checkouts were started", started == 1)
    return try await scene.payAndComeBack(visit)
  }

  private static let downWhileConfirming = MatrixStory(
    name: "server-down-while-confirming",
    title: "The server is down when the payer has paid and comes back"
  ) { scene in
    let visit = try await scene.buy()
    await scene.cast.killServer()
    try await scene.comeBack(to: visit.app, from: try await scene.pay(visit))
    _ = try await visit.app.event("a read failed") { $0["event"]?.text == "read_failed" }
    try await scene.cast.expectNoEnd(of: visit.app, for: .milliseconds(300))
    try await scene.cast.startServer()
    try await scene.expectPaid(visit.app)
    return visit.order
  }

  private static let killedBeforeProcessing = MatrixStory(
    name: "server-killed-before-processing",
    title: "The server is killed with a webhook on disk that it has not worked on"
  ) { scene in
    let visit = try await scene.buy()
    try await scene.cast.stage.restartServer(.eventCommitted)
    let page = try await scene.pay(visit)
    try await scene.cast.stage.serverStandsStill()
    await scene.cast.killServer()
    try await scene.cast.startServer()
    try await scene.comeBack(to: visit.app, from: page)
    try await scene.expectPaid(visit.app)
    return visit.order
  }

  private static let webhookLost = MatrixStory(
    name: "webhook-lost", title: "No webhook ever comes; the return causes the read that proves it"
  ) { scene in
    let visit = try await scene.buy()
    try await scene.cast.setFaults(visit.order, .object(["drop_webhooks": .bool(true)]))
    let order = try await scene.payAndComeBack(visit)
    try await scene.cast.expectPaid(order, byWebhook: false)
    return order
  }

  private static let webhookTwice = MatrixStory(
    name: "webhook-twice", title: "Each webhook comes twice"
  ) { scene in
    let visit = try await scene.buy()
    try await scene.cast.setFaults(visit.order, .object(["webhook_copies": .integer(2)]))
    let order = try await scene.payAndComeBack(visit)
    try await scene.cast.expectState("paid", of: order)
    try await scene.cast.until("each webhook is taken twice") {
      try await scene.cast.webhooksTakenTwice(about: order)
    }
    // The judge watches that nothing goes out twice; here not even a repeat may have.
    let repeats = await scene.cast.stage.repeatedMessages(order)
    try await scene.cast.check("the shop got \(repeats) messages again", repeats == 0)
    return order
  }

  private static let webhookHoursLate = MatrixStory(
    name: "webhook-hours-late", title: "Read as paid; the webhooks come three hours later"
  ) { scene in
    let visit = try await scene.buy()
    try await scene.cast.setFaults(visit.order, scene.facts.webhooksLate(by: .seconds(10_800)))
    let order = try await scene.payAndComeBack(visit)
    // Each change has its webhook, so none may be left to come.
    try await scene.cast.expectState("paid", of: order)
    await scene.cast.say(.provider, "three hours pass")
    _ = try await scene.cast.control(
      "/sandbox/clock", .object(["advance_ms": .integer(10_900_000)]))
    try await scene.cast.until("the late webhooks are taken") {
      let webhooks = try await scene.cast.providerPayments(of: order).last?["webhooks"]?.elements
      return webhooks?.isEmpty == false
        && webhooks?.allSatisfy { $0["state"]?.text == "delivered" } == true
    }
    return order
  }

  private static let nobodyComesBack = MatrixStory(
    name: "nobody-comes-back",
    title: "No webhook, no return and no app: the server's own reads find it; shown paid later"
  ) { scene in
    let visit = try await scene.buy()
    try await scene.cast.setFaults(visit.order, .object(["drop_webhooks": .bool(true)]))
    let bank = try await scene.goToBank(visit)
    await scene.cast.kill(visit.app)
    try await scene.payer.confirm(at: bank, scene.cast)
    try await scene.cast.expectPaid(visit.order, byWebhook: false)
    try await scene.expectPaid(try await scene.relaunch())
    return visit.order
  }
}

extension StoryCast {
  /// Whether every webhook about the order's last payment was delivered, and each in two copies.
  fileprivate func webhooksTakenTwice(about order: String) async throws -> Bool {
    let webhooks = try await providerPayments(of: order).last?["webhooks"]?.elements ?? []
    let copies = Dictionary(grouping: webhooks) {
      [$0["status"], $0["captures"], $0["refunds"]].map { $0.map { "\($0)" } ?? "" }
    }
    return !webhooks.isEmpty && copies.values.allSatisfy { $0.count >= 2 }
      && webhooks.allSatisfy { $0["state"]?.text == "delivered" }
  }
}
