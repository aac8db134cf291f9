import CheckoutLifecycle
import KitEnvironment
import PaymentModels
import PaymentStore

/// What a world is made of and what happens to it: drawn from its seed before it begins, as data,
/// so that a world that went wrong can be told and made smaller.
///
/// Each part is drawn from words of its own, so the others stay as they are when one is left out.
public struct WorldPlan: Sendable, Hashable {
  /// What keeps the server's book.
  enum Store: String, Sendable, Hashable { case memory, sqlite }

  /// The seed.
  public let seed: UInt64
  /// When crashes, losses, refusals and wandering payers end.
  public var faultsEnd: Duration
  /// In the order of their names' topics.
  public private(set) var parts: [WorldPart] = []
  let payers: Int
  /// The payer of each device.
  let devices: [Int]
  let refusals: [WorldBuyers.Refusal]
  let policy: SettlementPolicy
  /// How long the server waits for an open payment.
  let lapseAfter: Duration
  let store: Store
  /// How long money may be held until a person is asked.
  let holdAlertAfter: Duration

  /// Draws the plan of a seed.
  ///
  /// - Parameter kinds: the kinds of trouble that there may be; payers always are.
  public init(seed: UInt64, kinds: Set<WorldPart.Kind> = Set(WorldPart.Kind.allCases)) {
    self.seed = seed
    var words = SeededWords(seed: seed, name: "plan")
    // Mostly so long as a purchase takes, seldom for days.
    let length = words.below(100)
    faultsEnd =
      switch length {
      case ..<80: words.duration(420_000...1_200_000)
      case ..<97: words.duration(3_600_000...6 * 3_600_000)
      default: words.duration(24 * 3_600_000...70 * 3_600_000)
      }
    payers = 1 + (words.chance(60) ? 0 : words.below(4))
    devices = (0..<payers).flatMap { payer in
      [Int](repeating: payer, count: words.chance(70) ? 1 : 2)
    }
    refusals = (0..<payers).map { _ in
      words.chance(80) ? .none : words.chance(50) ? .beforePage : .onPage
    }
    policy = SettlementPolicy(
      capture: words.chance(85) ? .automatic : .manual,
      fulfilOn: words.chance(85) ? .captured : .authorized,
      lateMoney: [.hold, .revive, .refund][words.below(3)])
    lapseAfter = words.chance(50) ? .seconds(86_400) : words.duration(600_000...3_600_000)
    store = words.chance(20) ? .sqlite : .memory
    holdAlertAfter =
      words.chance(50) ? .seconds(3 * 86_400) : words.duration(300_000...7_200_000)
    drawPayers()
    drawMoods()
    drawNetwork()
    drawProcesses()
    drawShop()
    parts = parts.filter { $0.kind == .payers || kinds.contains($0.kind) }
  }

  /// The plan without some of its parts.
  public func without(_ names: Set<String>) -> WorldPlan {
    var plan = self
    plan.parts = parts.filter { !names.contains($0.name) }
    return plan
  }

  /// From the end of faults until everybody must agree: the longest waits that faults leave behind
  /// are an outbox back-off (15 min), an hourly try of an operation, and Futa's session (30 min).
  /// What a provider does by itself is mostly told by nobody.
  var settlingMax: Duration {
    if movesByItself { return Self.slowSettlingMax }
    return faultsEnd < .seconds(3_600) ? .seconds(5_400) : .seconds(10_800)
  }

  /// The same for what nobody tells: the daily look, with time for it to be made.
  static let slowSettlingMax: Duration = .seconds(26 * 3_600)

  /// Whether a world has little to do for most of its time.
  var isLong: Bool { faultsEnd > .seconds(3_600) || movesByItself }

  private var movesByItself: Bool {
    parts.contains { part in
      if case .moves = part.action { true } else { false }
    }
  }

  // MARK: Drawing

  private var end: Int { Int(faultsEnd.wholeMilliseconds) }

  private func words(_ topic: String) -> SeededWords { SeededWords(seed: seed, name: topic) }

  private mutating func add(
    _ name: String, _ kind: WorldPart.Kind, at: Duration = .zero, _ action: WorldPart.Action,
    payer: Int? = nil
  ) {
    parts.append(WorldPart(name: name, kind: kind, at: at, action: action, payer: payer))
  }

  private mutating func drawPayers() {
    for payer in 0..<payers {
      var words = words("payer \(payer)")
      let own = devices.indices.filter { devices[$0] == payer }
      for number in 1...(1 + words.below(2)) {
        let device = own[words.below(own.count)]
        let sold = WorldShop.products[words.below(WorldShop.products.count)]
        let strategies = PresentationRule.all.filter { $0.provider == sold.provider }
        let purchase = WorldPart.Purchase(
          provider: sold.provider, product: sold.ids[words.below(sold.ids.count)],
          quantity: Int64(1 + words.below(2)),
          strategy: words.chance(60) ? nil : strategies[words.below(strategies.count)].strategy)
        let at = words.duration(500...end / 3)
        let name = "payer \(payer + 1) buys \(number)"
        add(name, .payers, at: at, .buys(device: device, purchase), payer: payer)
        // A second tap, soon or late.
        if words.chance(40) {
          let again = at + words.duration(10...(words.chance(50) ? 1_000 : end / 2))
          add("\(name) again", .payers, at: again, .buys(device: device, purchase), payer: payer)
        }
        // The cart is changed while the page may be open.
        if words.chance(20) {
          var changed = purchase
          changed.quantity += 1
          let later = at + words.duration(1_000...end / 3)
          add(
            "\(name), changed", .payers, at: later,
            words.chance(50)
              ? .edits(device: device, changed) : .buys(device: device, changed), payer: payer)
        }
        if words.chance(35) {
          let other = own[words.below(own.count)]
          let later = at + words.duration(20_000...end / 2)
          add("\(name), retried", .payers, at: later, .triesAgain(device: other), payer: payer)
        }
      }
    }
  }

  private mutating func drawMoods() {
    var words = words("moods")
    let moods: [CheckoutEvent] = [
      .backgrounded, .foregrounded, .viewRecreated, .viewLeft, .pushed,
    ]
    for number in 1...8 where words.chance(45) {
      let device = words.below(devices.count)
      let mood = moods[words.below(moods.count)]
      add(
        "mood \(number)", .moods, at: words.duration(500...end), .mood(device: device, mood),
        payer: devices[device])
    }
  }

  private mutating func drawNetwork() {
    var words = words("network")
    for fault in NetworkFault.allCases where words.chance(60) {
      add(fault.rawValue, .network, .network(fault, percent: 1 + words.below(12)))
    }
    let pairs = [
      ("device", "server"), ("server", "provider"), ("server", "shop"), ("payer", "provider"),
    ]
    for (number, pair) in pairs.enumerated() where words.chance(25) {
      let from = words.duration(1_000...end)
      let until = from + words.duration(1_000...max(60_000, end / 4))
      add(
        "partition \(number + 1)", .partitions, at: from,
        .cut(pair.0, pair.1, until: min(until, faultsEnd)))
    }
    for row in WorldShop.products where words.chance(isLong ? 40 : 15) {
      let kind = WorldPart.Outage.allCases[words.below(WorldPart.Outage.allCases.count)]
      let from = words.duration(1_000...end)
      let until = from + words.duration(1_000...max(120_000, end / 3))
      add(
        "outage of \(row.provider)", .outages, at: from,
        .outage(row.provider.rawValue, kind, until: min(until, faultsEnd)))
    }
  }

  private mutating func drawProcesses() {
    var words = words("processes")
    for number in 1...3 where words.chance(50) {
      add(
        "server crash \(number)", .crashes,
        .crash(.server, message: 1 + words.below(120), jobs: 1 + words.below(60)))
    }
    for checkpoint in Checkpoint.allCases where words.chance(15) {
      add(
        "server crash at \(checkpoint.rawValue)", .crashes,
        .crashAt(checkpoint, times: 1 + words.below(3)))
    }
    for device in devices.indices {
      for number in 1...2 where words.chance(45) {
        add(
          "crash \(number) of device \(device + 1)", .crashes,
          .crash(.device(device), message: 1 + words.below(30), jobs: 1 + words.below(60)),
          payer: devices[device])
      }
    }
    if words.chance(20) {
      add("server restart", .crashes, at: words.duration(500...end), .restart)
    }
    if words.chance(25) {
      add("slow disk", .disk, .slowDisk(maxMs: 10 + words.below(3_000)))
    }
    if words.chance(15) {
      let from = words.duration(500...end)
      let until = from + words.duration(500...max(60_000, end / 6))
      add("full disk", .disk, at: from, .fullDisk(until: min(until, faultsEnd)))
    }
    for number in 1...2 where words.chance(25) {
      let wide = words.chance(20) ? 7_200_001 : 120_001
      let step = Duration.milliseconds(words.below(wide) - wide / 2)
      let at = words.duration(500...end)
      let victim: WorldPart.Victim =
        words.chance(60) ? .server : .device(words.below(devices.count))
      add("clock step \(number)", .clocks, at: at, .clock(victim, by: step))
    }
  }

  private mutating func drawShop() {
    var words = words("shop")
    for row in WorldShop.products where words.chance(70) {
      add("wayward \(row.provider)", .providers, .sandbox(row.provider.rawValue))
    }
    if words.chance(8) {
      add(
        "own move of a provider", .providers, at: words.duration(60_000...end),
        .moves(words.chance(50) ? .refund : .dispute))
    }
    for number in 1...4 where words.chance(30) {
      let errand = OperatorErrand.allCases[words.below(OperatorErrand.allCases.count)]
      add(
        "errand \(number)", .operators, at: words.duration(30_000...end),
        .errand(errand))
    }
    for provider in WorldProviders.rotating where words.chance(10) {
      add(
        "new secret of \(provider)", .secrets, at: words.duration(10_000...max(20_000, end / 2)),
        .rotates(provider))
    }
    drawSignIns()
    drawDesk()
  }

  private mutating func drawSignIns() {
    var words = words("sign-ins")
    for payer in 0..<payers where words.chance(15) {
      add(
        "sign-in of payer \(payer + 1)", .secrets, at: words.duration(1_000...end),
        .signsOut(payer: payer), payer: payer)
    }
    if words.chance(5) {
      add(
        "new operator key", .secrets, at: words.duration(10_000...max(20_000, end / 2)),
        .rotatesOperatorKey)
    }
  }

  /// What people at desks do beside: those of providers, and those who decide cases.
  private mutating func drawDesk() {
    var words = words("desk")
    if words.chance(12) {
      let move: WorldPart.ProviderMove = words.chance(70) ? .lateYes : .lapseOfHold
      add(
        "\(move.rawValue) of a provider", .providers, at: words.duration(60_000...end),
        .moves(move))
    }
    if words.chance(30) {
      add(
        "somebody at the cases", .operators, at: words.duration(end / 2...end), .errand(.resolve))
    }
    if policy.capture == .manual, words.chance(70) {
      let errands: [OperatorErrand] = [.capture, .capturePart, .capturePart, .close]
      add(
        "somebody at the till", .operators, at: words.duration(30_000...end),
        .errand(errands[words.below(errands.count)]))
    }
    if words.chance(10) {
      add(
        "somebody who misses goods", .operators, at: words.duration(60_000...end),
        .errand(.redeliver))
    }
  }
}
