import KitEnvironment
import StrictJSON

/// One payment from "pay" to compared books. Whoever calls the server calls again while it is
/// gone: the app by itself, the provider with its webhooks, the operator with the same key.
struct SweepStory: Sendable {
  /// How long a step may take, a start of the server included.
  static let stepTime: Duration = .seconds(60)
  private static let pollGap: Duration = .milliseconds(200)

  let stage: SweepStage
  let cast: StoryCast
  let phone: SweptPhone
  /// Told when a phase is about to begin, and with nil when the last one is over.
  let entering: @Sendable (SweepPhase?) async throws -> Void

  /// Tells the story and gives its order.
  func tell() async throws -> String {
    _ = try await cast.control("/sandbox/settings", Self.sandbox)
    try await entering(.create)
    try await phone.buy()
    let url = try await phone.event("page open") { $0["event"]?.text == "open" }["url"]?.text ?? ""
    let stored = try await phone.event("stored") { $0["order_id"]?.text != nil }
    guard let order = stored["order_id"]?.text, let payment = stored["payment_id"]?.text else {
      throw StoryFailure("the app names no order or payment")
    }
    try await pay(at: url, order)
    try await operate(payment, order)
    try await settle(order)
    return order
  }

  /// Webhooks that were not taken come again while the server starts.
  private static let sandbox: JSONValue = .object([
    "webhook_retry_ms": .array([1_000, 1_000, 2_000, 8_000].map { .integer($0) })
  ])

  private func pay(at url: String, _ order: String) async throws {
    try await entering(.webhook)
    let page = try await TabbyPayer().pay(on: try await cast.page(at: url), cast)
    await phone.open(link: try await cast.returnLink(from: page))
    let shown = try await phone.event("outcome") { $0["display"]?.text == "outcome" }
    let word = shown["outcome"]?.text ?? "?"
    try await cast.check("the app shows \(word), not succeeded", word == "succeeded")
    try await phone.finish()
    try await untilWebhooksAreTaken(of: order)
    try await until("the order is authorized", order) { $0["state"]?.text == "authorized" }
  }

  private func operate(_ payment: String, _ order: String) async throws {
    await stage.holdMessages(true)
    try await entering(.capture)
    try await till(
      ["payment", "capture", payment, "--reason", "goods packed", "--key", "sweep-capture"])
    try await until("the order is paid", order) { $0["state"]?.text == "paid" }
    try await untilWebhooksAreTaken(of: order)
    try await entering(.refund)
    try await till(
      [
        "payment", "refund", payment, "--amount", "50.00", "--reason", "goods damaged", "--key",
        "sweep-refund",
      ])
    try await until("50.00 are refunded", order) { $0["refunded"]?.text == "50.00" }
    try await untilWebhooksAreTaken(of: order)
    try await entering(.outbox)
    await stage.holdMessages(false)
    try await untilToldAll(of: order)
  }

  private func settle(_ order: String) async throws {
    try await entering(.reconcile)
    guard
      let taken = try await cast.providerPayments(of: order).first(where: {
        $0["status"]?.text == "CLOSED"
      })?["id"]?.text
    else { throw StoryFailure("the sandbox has no paid payment of the order") }
    try await cast.setFaults(order, .object(["drop_webhooks": .bool(true)]))
    try await stage.refundElsewhere(taken, "20.00")
    await cast.say(.provider, "refunds 20.00 and tells nobody")
    // 1: something differed and is left, as after a kill between two pages.
    try await till(["reconcile", "--since", "24h", "--apply"], again: Stage.again.union([1]))
    try await until("70.00 are refunded", order) { $0["refunded"]?.text == "70.00" }
    try await untilToldAll(of: order)
    try await entering(nil)
  }

  // MARK: The operator

  private func till(_ arguments: [String], again: Set<Int32> = Stage.again) async throws {
    await cast.say(.server, "till \(arguments.prefix(2).joined(separator: " "))")
    let till = try await stage.stage.till(arguments, again: again, within: Self.stepTime)
    try await cast.check(
      "till \(arguments[1]) ended with \(till.code): \(till.lines.last ?? "")", till.code == 0)
  }

  // MARK: Waiting

  /// Waits for the server's book of an order, which may be out for a while.
  private func until(
    _ what: String, _ order: String, _ holds: @Sendable (JSONValue) -> Bool
  ) async throws {
    try await cast.until(what, within: Self.stepTime, every: Self.pollGap) {
      guard let json = try? await stage.stage.showOrder(order) else { return false }
      return holds(json)
    }
  }

  private func untilToldAll(of order: String) async throws {
    try await until("all messages are delivered", order) { json in
      json["messages"]?.elements?.allSatisfy { $0["delivered"]?.boolean == true } == true
    }
  }

  private func untilWebhooksAreTaken(of order: String) async throws {
    try await cast.until("all webhooks are taken", within: Self.stepTime, every: Self.pollGap) {
      let payments = try await cast.providerPayments(of: order)
      return payments.allSatisfy { payment in
        payment["webhooks"]?.elements?.allSatisfy { $0["state"]?.text == "delivered" } == true
      }
    }
  }
}
