import HTTPExchange
import KitEnvironment
import PaymentModels
import ProviderSandbox
import StrictJSON

/// One world from its first job to its last.
// Made and played on one thread; the scheduler traps when it is reached from another.
final class WorldRun: @unchecked Sendable {
  let settings: WorldSettings
  let scheduler: Scheduler
  let network: WorldNetwork
  let parties: WorldParties
  var words: SeededWords
  private let seed: UInt64
  private let judge: @Sendable (WorldEvidence) -> WorldVerdict
  private let sandbox: TabbySandbox
  private let server: ServerParty
  private var phone: Phone?
  private var sandboxRoot: Task<Void, Never>?
  private var violations: [String] = []
  private var receipts: [WorldEvidence.Receipt] = []
  private var screens: [WorldEvidence.Screen] = []
  private var evidence: WorldEvidence?
  private var isOver = false

  init(
    seed: UInt64, settings: WorldSettings,
    judge: @escaping @Sendable (WorldEvidence) -> WorldVerdict
  ) {
    self.seed = seed
    self.settings = settings
    self.judge = judge
    words = SeededWords(seed: seed, name: "world")
    scheduler = Scheduler(seed: seed)
    network = WorldNetwork(scheduler, seed: seed, faults: settings.network)
    parties = WorldParties(seed: seed, scheduler: scheduler, hashing: settings.hashing)
    sandbox = TabbySandbox(
      settings: .drawn(&words), environment: parties.provider.environment,
      transport: network.transport(of: parties.provider), publicURL: WorldShop.sandboxURL)
    let buyers = WorldBuyers(
      email: words.chance(15) ? "otp.rejected@tabby.ai" : "otp.success@tabby.ai",
      phone: words.chance(10) ? "+971500000002" : "+971500000001")
    server = ServerParty(
      parties.server, disk: parties.serverDisk, network: network, settings: settings, seed: seed,
      buyers: buyers)
  }

  /// Plays it to its end.
  func play() -> WorldReport {
    let phone = Phone(parties, network: network, settings: settings, seed: seed, world: self)
    self.phone = phone
    begin(phone)
    let ending = scheduler.run { isOver }
    switch ending {
    case .done: endLives()
    case .stalled: found(["stalled: \(scheduler.whoWaits.joined(separator: "; "))"])
    case .exhausted: found(["turns in circles: \(Scheduler.jobsMax) jobs"])
    }
    return WorldReport(
      seed: seed, violations: violations, trace: scheduler.trace, evidence: evidence,
      serverCrashes: server.crashes, appCrashes: phone.crashes)
  }

  // MARK: The course of things

  private func begin(_ phone: Phone) {
    network.listen(WorldShop.sandboxURL, parties.provider, sandbox)
    network.listen(
      WorldShop.receiverURL, parties.shop, WorldReceiver(party: parties.shop, world: self))
    sandboxRoot = parties.provider.start { [sandbox] in await sandbox.run() }
    parties.provider.start { [sandbox] in
      let response = await sandbox.respond(to: Self.webhookRegistration)
      precondition(response.status == 200, "the sandbox takes the registration")
    }
    server.boot()
    phone.launch()
    WorldPlan(words: &words, settings: settings).carryOut(
      scheduler: scheduler, network: network, server: server, phone: phone)
    scheduler.after(settings.faultsEnd) { [self] in
      hasFaults = false
      network.faults = NetworkFaults()
      scheduler.note("world", "faults end")
    }
    scheduler.after(Self.checkGap) { self.check() }
  }

  /// Whether it is still the time of faults.
  private(set) var hasFaults = true

  private static var webhookRegistration: HTTPRequest {
    let header: JSONValue = .object([
      "title": .string(WorldShop.webhookHeader),
      "value": .string(WorldShop.webhookSecret.reveal()),
    ])
    return HTTPRequest(
      method: "POST", target: "/api/v1/webhooks",
      headers: [
        "Authorization": "Bearer \(WorldShop.tabbyKey.reveal())", "X-Merchant-Code": "AE",
        "Content-Type": "application/json",
      ],
      body: JSONValue.object([
        "url": .string("\(WorldShop.serverURL)/webhooks/tabby"), "header": header,
      ]).serialized())
  }

  // MARK: Evidence

  func received(_ id: String, _ type: String, _ order: String) {
    parties.shop.note("\(type) of \(order)")
    receipts.append(
      WorldEvidence.Receipt(
        at: Party.worldTime(scheduler.now), messageID: id, type: type, orderID: order))
  }

  func shown(_ checkout: String, _ order: String?, _ shows: String) {
    parties.app.note("shows \(shows) for \(checkout)")
    screens.append(
      WorldEvidence.Screen(
        at: Party.worldTime(scheduler.now), checkout: checkout, orderID: order, shows: shows))
  }

  /// How often the judge looks. A world of half an hour is judged some 60 times.
  private static let checkGap: Duration = .seconds(20)

  /// Reads the book, then the ledger, and hears the judge.
  private func check() {
    let (scheduler, server, sandbox) = (scheduler, server, sandbox)
    // A payer looks at the phone again; the app asks the server whenever that happens.
    if !hasFaults { phone?.comesBack() }
    parties.serverDisk.start { [self] in
      guard let book = try? await server.book() else {
        return found(["the book cannot be read"])
      }
      parties.provider.start { [self] in
        let request = HTTPRequest(method: "GET", target: "/sandbox/ledger")
        let response = await sandbox.respond(to: request)
        guard let ledger = try? JSONValue(parsing: response.body) else {
          return found(["the ledger cannot be read"])
        }
        weigh(
          WorldEvidence(
            at: Party.worldTime(scheduler.now), ledger: ledger, receipts: receipts,
            screens: screens, book: book))
      }
    }
  }

  private func weigh(_ evidence: WorldEvidence) {
    self.evidence = evidence
    let verdict = judge(evidence)
    found(verdict.violations)
    let isSettled = verdict.unsettled.isEmpty && !hasFaults
    if isSettled {
      isOver = true
    } else if scheduler.now >= settings.faultsEnd + settings.settlingMax {
      found(verdict.unsettled.map { "does not settle: \($0)" })
      isOver = true
    } else {
      scheduler.after(Self.checkGap) { self.check() }
    }
  }

  private func found(_ findings: [String]) {
    for finding in findings where !violations.contains(finding) {
      scheduler.note("judge", finding)
      violations.append(finding)
    }
  }

  // MARK: The end

  /// Whoever is told to stop has to stop: nothing of a party may outlive its `run()`.
  private func endLives() {
    let roots = [
      ("provider", sandboxRoot), ("server", server.stop()), ("app", phone?.stop()),
    ].compactMap { name, root in root.map { (name, $0) } }
    let running = Names(roots.map(\.0))
    for (name, root) in roots {
      root.cancel()
      parties.payer.start {
        await root.value
        running.all.removeAll { $0 == name }
      }
    }
    if scheduler.run(until: { running.all.isEmpty }) != .done {
      let who = running.all.joined(separator: ", ")
      found([
        "\(who): does not end when told to: \(scheduler.whoWaits.joined(separator: "; "))"
      ])
    }
  }

  // Read and written on the world's one thread.
  private final class Names: @unchecked Sendable {
    var all: [String]
    init(_ all: [String]) { self.all = all }
  }
}
