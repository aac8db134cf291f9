import CheckoutLifecycle
import CheckoutSession
import HTTPExchange
import KitEnvironment
import MerchantServer
import PaymentModels
import PaymentOracle
import PaymentStore
import ProviderSandbox
import StrictJSON

/// One world from its first job to its last.
// Made and played on one thread; the scheduler traps when it is reached from another.
final class WorldRun: @unchecked Sendable {
  let plan: WorldPlan
  let settings: WorldSettings
  let scheduler: Scheduler
  let network: WorldNetwork
  let parties: WorldParties
  let sandbox: SandboxStack
  let server: ServerParty
  let people: OperatorParty
  let sessions = WorldSessions()
  private(set) var phones: [Phone] = []
  private var sandboxRoot: Task<Void, Never>?
  private(set) var violations: [String] = []
  private var receipts: [PaymentEvidence.Receipt] = []
  private var screens: [PaymentEvidence.Screen] = []
  /// Followed up to the last look.
  private var journal = JournalReplay()
  private var isOver = false
  /// Phones on which a key was found.
  private var leaks: [String] = []
  /// What is to be done after looks of the judge that have not begun.
  private var looks: [@Sendable (PaymentOracle.Verdict) -> Void] = []
  private var isLooking = false
  /// The scratch file of the server's store.
  private let path: String?

  init(_ plan: WorldPlan, _ settings: WorldSettings) {
    self.plan = plan
    self.settings = settings
    scheduler = Scheduler(seed: plan.seed, keepsLines: settings.keepsTrace)
    network = WorldNetwork(scheduler, seed: plan.seed, faults: plan.networkFaults)
    parties = WorldParties(
      seed: plan.seed, devices: plan.devices.count, scheduler: scheduler,
      hashing: settings.hashing)
    sandbox = SandboxStack(
      settings: .drawn(seed: plan.seed, misbehaving: plan.misbehaving),
      environment: parties.provider.environment,
      transport: network.transport(of: parties.provider), publicURL: WorldShop.sandboxURL)
    path = plan.store == .sqlite ? settings.scratch?.path() : nil
    let storage = WorldStorage(parties.serverDisk, path: path, coverage: scheduler.coverage)
    storage.slowMs = plan.slowDiskMs
    server = ServerParty(
      parties.server, storage: storage, network: network, settings: settings, plan: plan,
      sessions: sessions, coverage: scheduler.coverage)
    people = OperatorParty(
      parties.person, network: network, sessions: sessions, seed: plan.seed)
  }

  /// Plays it to its end.
  func play() -> WorldReport {
    phones = zip(parties.devices, plan.devices).map { device, payer in
      Phone(
        device, of: payer, network: network, settings: settings, seed: plan.seed, world: self)
    }
    server.storage.onCommit = { [unowned self] in somethingChanged() }
    begin()
    defer { if let path { settings.scratch?.remove(path) } }
    switch scheduler.run(until: { isOver }) {
    case .done: endLives()
    case .stalled: found(["stalled: \(scheduler.whoWaits.joined(separator: "; "))"])
    case .exhausted: found(["turns in circles: \(Scheduler.jobsMax) jobs or timers"])
    }
    return WorldReport(
      plan: plan, violations: violations, trace: scheduler.trace,
      coverage: scheduler.coverage.table, length: scheduler.now)
  }

  // MARK: The course of things

  private func begin() {
    network.listen(WorldShop.sandboxURL, parties.provider, sandbox)
    network.listen(
      WorldShop.receiverURL, parties.shop, WorldReceiver(party: parties.shop, world: self))
    sandboxRoot = parties.provider.start { [sandbox] in await sandbox.run() }
    tell(SandboxStack.tabbyRegistration)
    people.closesInPanel = { [unowned self] in moveMoney(.close, looksLeft: 5) }
    server.boot()
    for phone in phones { phone.launch() }
    carryOutPlan()
    scheduler.after(plan.faultsEnd) { [self] in
      hasFaults = false
      network.faults = NetworkFaults()
      // Whoever looks after machines sets their clocks right.
      for party in [parties.server] + parties.devices.map(\.app) { party.setClockRight() }
      scheduler.note("world", "faults end")
    }
    scheduler.after(checkGap) { self.check() }
  }

  /// Has the sandbox do something that no party of the world asks for.
  func tell(_ request: HTTPRequest) {
    parties.provider.start { [sandbox] in
      let response = await sandbox.respond(to: request)
      precondition(response.status == 200, "the sandbox takes \(request.target)")
    }
  }

  /// Whether it is still the time of faults.
  private(set) var hasFaults = true

  // MARK: Evidence

  func received(_ id: String, _ type: String, _ order: String) {
    parties.shop.note("\(type) of \(order)")
    scheduler.coverage.reach(.message, type)
    if receipts.contains(where: { $0.messageID == id }) {
      scheduler.coverage.reach(.recovery, Recovery.messageRepeated.rawValue)
    }
    if type == "order.revoke" {
      scheduler.coverage.reach(.recovery, Recovery.goodsBack.rawValue)
    }
    receipts.append(
      PaymentEvidence.Receipt(
        at: Party.worldTime(scheduler.now), messageID: id, type: type, orderID: order))
    somethingChanged()
  }

  func shown(
    _ shows: String, of key: CheckoutKey, _ payment: CheckoutPayment?, on phone: Phone
  ) {
    phone.app.note("shows \(shows) for \(key)")
    scheduler.coverage.reach(.screen, shows)
    screens.append(
      PaymentEvidence.Screen(
        at: Party.worldTime(scheduler.now), checkout: key.rawValue,
        orderID: payment?.orderID.rawValue, paymentID: payment?.paymentID.rawValue, shows: shows))
    somethingChanged()
  }

  /// The payer sees a checkout no more: they have gone on to another one of the same order, or the
  /// app died before anybody was asked for anything.
  func left(_ key: CheckoutKey, _ payment: CheckoutPayment?, on phone: Phone) {
    phone.app.note("leaves \(key)")
    screens.append(
      PaymentEvidence.Screen(
        at: Party.worldTime(scheduler.now), checkout: key.rawValue,
        orderID: payment?.orderID.rawValue, paymentID: payment?.paymentID.rawValue, shows: "left"))
  }

  /// How often the judge looks of itself: some 60 times in the time of faults, and after it the
  /// less often the longer it is over, since what is left then takes hours.
  private var checkGap: Duration {
    max(.seconds(20), hasFaults ? plan.faultsEnd / 60 : (scheduler.now - plan.faultsEnd) / 20)
  }

  /// Times in the journal are of the server's clock.
  func clockOfServerWasSet() { journal.clockWasSet() }

  /// Hears the judge, and goes on or ends the world.
  private func check() {
    // A payer looks at the phone again; the app asks the server whenever that happens.
    if !hasFaults {
      for phone in phones { phone.comesBack() }
      if plan.policy.capture == .manual { people.capturesWhatIsHeld() }
    }
    for (device, phone) in zip(parties.devices, phones) {
      device.disk.start { [self] in await look(at: phone) }
    }
    look { [self] verdict in
      let isSettled = verdict.unsettled.isEmpty && !hasFaults && people.isIdle
      if !violations.isEmpty || isSettled {
        isOver = true
      } else if scheduler.now >= plan.faultsEnd + bound(of: verdict.unsettled) {
        found(verdict.unsettled.map { "does not settle: \($0)" })
        isOver = true
      } else {
        scheduler.after(checkGap) { self.check() }
      }
    }
  }

  /// Has the judge look once more: the book, a screen or what reached the shop has changed.
  func somethingChanged() {
    if !isOver, looks.isEmpty { look { _ in } }
  }

  /// Hears the judge, once for all who want it before the book is read again.
  private func look(_ then: @escaping @Sendable (PaymentOracle.Verdict) -> Void) {
    looks.append(then)
    if !isLooking { lookNow() }
  }

  private func lookNow() {
    isLooking = true
    let (due, storage) = (looks, server.storage)
    looks = []
    parties.serverDisk.start { [self] in
      let last = journal.last
      let now = journal.hasClockOfOne ? Party.worldTime(scheduler.now) : nil
      guard
        let (book, inbox, lines) = try? await storage.inspect({ transaction in
          (
            try WorldBook.orders(transaction, now: now), try WorldBook.inbox(transaction),
            try WorldBook.lines(transaction, after: last)
          )
        })
      else {
        isOver = true
        return found(["the book cannot be read"])
      }
      for line in lines { journal.add(line) }
      parties.provider.start { [self] in
        let verdict = weigh(book, inbox, await sandbox.ledger())
        isLooking = false
        for then in due { then(verdict) }
        if !looks.isEmpty { lookNow() }
      }
    }
  }

  private func weigh(
    _ book: [BookOrder], _ inbox: BookInbox, _ ledger: JSONValue
  ) -> PaymentOracle.Verdict {
    let evidence = PaymentEvidence(
      ledger: ledger, receipts: receipts,
      screens: screens, book: book, cancelled: people.cancelled, decided: people.decided,
      fulfilsOnHold: plan.policy.fulfilOn == .authorized,
      takesHeldMoney: plan.policy.capture == .automatic,
      leaks: network.leaks + leaks.map { "\($0) has written a key down" },
      partsAsked: people.partsAsked, inbox: inbox, journal: journal)
    let verdict = PaymentOracle.verdict(on: evidence)
    found(verdict.violations.map(\.description))
    return verdict
  }

  /// Looks for a provider's key, or another of the merchant's secrets, in what a phone keeps.
  private func look(at phone: Phone) async {
    guard !leaks.contains(phone.app.name) else { return }
    let texts = await phone.writtenText()
    if texts.contains(where: { $0.contains(WorldShop.keyMark) }) { leaks.append(phone.app.name) }
  }

  /// From the end of faults until these must be settled.
  private func bound(of unsettled: [PaymentOracle.Finding]) -> Duration {
    let isSlow = !unsettled.isEmpty && unsettled.allSatisfy(\.isSlow)
    return isSlow ? WorldPlan.slowSettlingMax : plan.settlingMax
  }

  private func found(_ findings: [String]) {
    for finding in findings where !violations.contains(finding) {
      scheduler.note("judge", finding)
      violations.append(finding)
    }
  }

  // MARK: The end

  /// Whoever is told to stop has to stop: nothing of a party may outlive its `run()`.
  func endLives() {
    let storage = server.storage
    let reading = parties.serverDisk.start { [scheduler] in
      let table = try? await storage.inspect { try WorldBook.reached($0) }
      if let table { scheduler.coverage.add(table) }
    }
    let roots =
      [("reading", reading), ("provider", sandboxRoot), ("server", server.stop())]
      .compactMap { name, root in root.map { (name, $0) } }
      + phones.compactMap { phone in phone.stop().map { (phone.app.name, $0) } }
    let running = Names(roots.map { $0.0 })
    for (name, root) in roots {
      if name != "reading" { root.cancel() }
      parties.person.start {
        await root.value
        running.all.removeAll { $0 == name }
      }
    }
    awaitEnd(of: running)
    let closing = Names(["store", "sandbox"])
    parties.provider.start { [self] in
      scheduler.coverage.add(
        await sandbox.misdeeds(.drawn(seed: plan.seed, misbehaving: plan.misbehaving)))
      closing.all.removeAll { $0 == "sandbox" }
    }
    parties.serverDisk.start { [self] in
      if let waiters = storage.waiters {
        let left = await Self.readsLeft(waiters, storage.disk.environment.clock)
        if left > 0 { found(["everything ends or is owned: \(left) reads are held"]) }
      }
      await storage.close()
      closing.all.removeAll { $0 == "store" }
    }
    awaitEnd(of: closing)
    network.close()
    scheduler.close()
  }

  private func awaitEnd(of names: Names) {
    guard scheduler.run(until: { names.all.isEmpty }) != .done else { return }
    let who = names.all.joined(separator: ", ")
    found(["\(who): does not end when told to: \(scheduler.whoWaits.joined(separator: "; "))"])
  }

  /// Reads of apps that a server which has ended still holds. One is held for half a minute at the
  /// most.
  static func readsLeft(_ waiters: WaiterTable, _ clock: KitClock) async -> Int {
    for _ in 0..<60 where await waiters.waiterCount > 0 { try? await clock.sleep(for: .seconds(1)) }
    return await waiters.waiterCount
  }

  // Read and written on the world's one thread.
  private final class Names: @unchecked Sendable {
    var all: [String]
    init(_ all: [String]) { self.all = all }
  }
}
