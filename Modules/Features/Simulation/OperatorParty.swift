import HTTPExchange
import KitEnvironment
import MerchantCommands
import PaymentModels
import StrictJSON

/// The people who run the shop: the production command line, used as people do, who try again while
/// the end is not known.
// Reached only from jobs and timers of the world, so on its one thread.
final class OperatorParty: @unchecked Sendable {
  let party: Party
  private let network: WorldNetwork
  private let sessions: WorldSessions
  /// Orders that were asked to be cancelled.
  private(set) var cancelled: Set<String> = []
  /// Orders of which a case was decided, or may have been.
  var decided: Set<String> { Set(decisions.filter { $0.value > 0 }.keys) }
  /// By order: decisions that were given and not refused.
  private var decisions: [String: Int] = [:]
  /// Closes in the provider's panel what was captured in part.
  var closesInPanel: () -> Void = {}
  /// By payment: minor units that were to go back, where that was a part.
  private(set) var partsAsked: [String: Int64] = [:]
  private var words: SeededWords
  private var underWay = 0

  init(_ party: Party, network: WorldNetwork, sessions: WorldSessions, seed: UInt64) {
    self.party = party
    self.network = network
    self.sessions = sessions
    words = SeededWords(seed: seed, name: "operator")
  }

  /// Exit codes after which the same command is given again: no answer, and not known yet.
  private static let againCodes: Set<Int32> = [69, 75]
  /// Times that one command is given at the most; a minute apart, so for over an hour.
  private static let triesMax = 80
  /// Times that somebody looks for what an errand is about, a minute apart.
  private static let looksMax = 15

  /// Sets out to do something, and goes on until it is done or refused.
  func setsOut(_ errand: OperatorErrand) {
    party.note("sets out to \(errand.rawValue)")
    let (word, key) = (words.next(), "errand-\(words.below(1_000_000_000))")
    underWay += 1
    party.start {
      await self.run(errand, word, key)
      self.underWay -= 1
    }
  }

  /// Whether nobody is at work on an errand.
  var isIdle: Bool { underWay == 0 }

  /// Takes all money that is held, as the operators of a shop do that captures by hand.
  func capturesWhatIsHeld() {
    party.start {
      for payment in await self.payments() where payment["state"]?.text == "authorized" {
        guard let id = payment["payment_id"]?.text else { continue }
        _ = await self.give(self.operate(.capture, id, nil, "hand-\(id)"), tries: 1)
      }
    }
  }

  private func run(_ errand: OperatorErrand, _ word: UInt64, _ key: String) async {
    switch errand {
    case .refund, .refundPart, .capture, .capturePart, .close:
      await move(errand, word, key)
    case .cancel:
      let orders = await look { _ in true }.compactMap { $0["order_id"]?.text }
      guard !orders.isEmpty else { return }
      let order = orders[Int(word % UInt64(orders.count))]
      // The wish counts from the first time that the server may have heard it.
      cancelled.insert(order)
      let (code, _) = await give(.cancelOrder(order, reason: "the payer called"))
      if code == 0 { reach("cancel") }
    case .resolve: await resolve(word, key)
    case .reconcile:
      let (code, _) = await give(.reconcile(sinceSeconds: 86_400, applies: true))
      if code == 0 { reach("reconcile") }
    case .redeliver: await redeliver(word)
    case .pause:
      let provider = WorldShop.products[Int(word % 5)].provider.rawValue
      _ = await give(
        .pause(provider: provider, account: nil, isPaused: true, reason: "the bank called"))
      reach("pause")
      try? await party.environment.clock.sleep(for: .seconds(120))
      _ = await give(
        .pause(provider: provider, account: nil, isPaused: false, reason: "the bank called"))
    }
  }

  /// Moves money of one of the payments that it fits.
  private func move(_ errand: OperatorErrand, _ word: UInt64, _ key: String) async {
    let wanted = errand == .refund || errand == .refundPart ? "captured" : "authorized"
    let fitting = await look { $0["state"]?.text == wanted }
    guard !fitting.isEmpty else { return }
    let payment = fitting[Int(word % UInt64(fitting.count))]
    guard let id = payment["payment_id"]?.text, let amount = payment["amount"]?.text else { return }
    // A part that every currency can express.
    let part = "\(max(1, (Int(amount.prefix { $0 != "." }) ?? 2) / 3))"
    switch errand {
    case .refund: await insist(.refund, id, nil, key)
    case .refundPart:
      let currency = payment["currency"]?.text.flatMap(Currency.init(iso4217:))
      guard let currency, let money = try? Money(decimal: part, currency: currency) else { return }
      partsAsked[id, default: 0] += money.minorUnits
      await insist(.refund, id, part, key) {
        let others = (partsAsked[id] ?? 0) - money.minorUnits
        partsAsked[id] = others > 0 ? others : nil
      }
    case .capture: await insist(.capture, id, nil, key)
    case .capturePart:
      await insist(.capture, id, part, key)
      // The rest is let go once the parcel is sent: by the kit, or in the provider's own panel.
      try? await party.environment.clock.sleep(for: words.duration(1_000...600_000))
      if word >> 16 & 1 == 0 { return closesInPanel() }
      await insist(.close, id, nil, "\(key)-close")
    default: await insist(.close, id, nil, key)
    }
  }

  /// Gives a command, and now and then again although it was answered, as people do who go through
  /// the commands that they gave.
  private func insist(
    _ operation: TillAction.Operation, _ id: String, _ amount: String?, _ key: String,
    onRefusal: () -> Void = {}
  ) async {
    let isGivenTwice = words.chance(40)
    let times = isGivenTwice ? 2 : 1
    var refusals = 0
    for _ in 1...times {
      let (code, _) = await give(operate(operation, id, amount, key)) { refusals += 1 }
      if code == 0 { reach("\(amount == nil ? "" : "part of a ")\(operation.rawValue)") }
    }
    if refusals == times { onRefusal() }
  }

  /// Has a message sent again, as somebody does who misses goods.
  private func redeliver(_ word: UInt64) async {
    let (code, output) = await give(
      .outbox(.list(state: nil, limit: 20, before: nil)), tries: 3)
    guard code == 0, let json = try? JSONValue(parsing: Array(output.utf8)),
      let ids = json["messages"]?.elements?.compactMap({ $0["message_id"]?.text }), !ids.isEmpty
    else { return }
    let id = ids[Int(word % UInt64(ids.count))]
    let (end, _) = await give(.outbox(.redeliver(id, reason: "not there")), tries: 3)
    if end == 0 { reach("redeliver") }
  }

  private func reach(_ what: String) { party.scheduler.coverage.reach(.errand, what) }

  private func resolve(_ word: UInt64, _ key: String) async {
    var reviews: [JSONValue] = []
    for _ in 1...Self.looksMax where reviews.isEmpty {
      let (code, output) = await give(.listReviews(limit: 20, after: 0), tries: 5)
      if code == 0, let json = try? JSONValue(parsing: Array(output.utf8)) {
        reviews = json["reviews"]?.elements ?? []
      }
      try? await party.environment.clock.sleep(for: .seconds(60))
    }
    guard !reviews.isEmpty else { return }
    let review = reviews[Int(word % UInt64(reviews.count))]
    guard let number = review["review"]?.int64, let order = review["order_id"]?.text else { return }
    decisions[order, default: 0] += 1
    // Mostly what is offered; else the server has to say no.
    let offered = (review["decisions"]?.elements ?? []).compactMap {
      $0.text.flatMap(ReviewDecision.init(rawValue:))
    }
    let choice =
      offered.isEmpty || word >> 40 & 7 == 0 ? ReviewDecision.allCases : offered
    let decision = choice[Int(word >> 32 & 0xFF) % choice.count]
    let (code, _) = await give(
      .resolveReview(Int(number), decision, reason: "looked at it", key: key), tries: 10
    ) { decisions[order, default: 0] -= 1 }
    if code == 0 { reach("decide \(decision.rawValue)") }
  }

  private func operate(
    _ operation: TillAction.Operation, _ id: String, _ amount: String?, _ key: String
  ) -> TillAction.Request {
    .operate(operation, payment: id, amount: amount, reason: "asked for", key: key)
  }

  /// Payments that an errand fits, once there are any.
  private func look(for isFit: (JSONValue) -> Bool) async -> [JSONValue] {
    for _ in 1...Self.looksMax {
      let fitting = await payments().filter(isFit)
      guard fitting.isEmpty else { return fitting }
      try? await party.environment.clock.sleep(for: .seconds(60))
    }
    return []
  }

  private func payments() async -> [JSONValue] {
    let (code, output) = await give(.listPayments(limit: 50, before: nil), tries: 5)
    guard code == 0, let json = try? JSONValue(parsing: Array(output.utf8)) else { return [] }
    return json["payments"]?.elements ?? []
  }

  /// Gives a command until its end is known.
  ///
  /// - Parameter onRefusal: what is done if the first try was refused, so that nothing came of the
  ///   command. After a try without an answer a refusal says nothing of what that one did.
  private func give(
    _ request: TillAction.Request, tries: Int = OperatorParty.triesMax,
    onRefusal: () -> Void = {}
  ) async -> (code: Int32, output: String) {
    for number in 1...tries {
      let printed = Printed()
      let runner = TillRunner(
        connection: MerchantConnection(
          server: WorldShop.serverURL, appToken: nil,
          operatorKey: WorldSessions.operatorKey(sessions.operatorGeneration),
          transport: network.transport(of: party)),
        terminal: Terminal(
          isInteractive: false, usesColor: false, write: { printed.text += $0 },
          complain: { self.party.note($0) }),
        environment: party.environment, readFile: { _ in [] })
      let code = await runner.run(request, asJSON: true)
      party.note("till ended with \(code)")
      if number == 1, code != 0, !Self.againCodes.contains(code) { onRefusal() }
      guard Self.againCodes.contains(code), number < tries else { return (code, printed.text) }
      try? await party.environment.clock.sleep(for: .seconds(60))
    }
    return (1, "")
  }

  // Written by the runner and read after it, both on the world's one thread.
  private final class Printed: @unchecked Sendable {
    var text = ""
  }
}
