import CheckoutService
import FulfilmentOutbox
import HTTPExchange
import KitEnvironment
import MerchantServer
import PaymentModels
import PaymentStore
import StatusSync

/// The merchant's server: the production code over a disk that outlives its crashes.
// Reached only from jobs and timers of the world, so on its one thread.
final class ServerParty: @unchecked Sendable {
  let party: Party
  let storage: WorldStorage
  var providers = WorldProviders()
  let sessions: WorldSessions
  private let network: WorldNetwork
  private let settings: WorldSettings
  private let plan: WorldPlan
  private let coverage: WorldCoverage
  private var words: SeededWords
  private var root: Task<Void, Never>?
  private var isUp = false
  private var isStopped = false
  private var traps: [Checkpoint: Int] = [:]

  init(
    _ party: Party, storage: WorldStorage, network: WorldNetwork, settings: WorldSettings,
    plan: WorldPlan, sessions: WorldSessions, coverage: WorldCoverage
  ) {
    self.party = party
    self.storage = storage
    self.network = network
    self.settings = settings
    self.plan = plan
    self.sessions = sessions
    self.coverage = coverage
    words = SeededWords(seed: plan.seed, name: "server life")
  }

  // MARK: Life and death

  func boot() {
    guard !isStopped, !isUp else { return }
    let waiters = WaiterTable(waitersMax: 100)
    let backend = compose(party.environment, waiters)
    storage.waiters = waiters
    network.listen(WorldShop.serverURL, party, backend.handler)
    isUp = true
    party.note("is up")
    root = party.start { await backend.run() }
  }

  /// Crashes after so many more jobs, wherever that is, and comes back a little later.
  func crash(afterJobs jobs: Int) {
    guard isUp, !isStopped else { return }
    party.executor.crash(afterJobs: jobs) { self.crash() }
  }

  /// Crashes when it has come to a checkpoint so many times.
  func crash(at checkpoint: Checkpoint, times: Int) { traps[checkpoint] = times }

  private func crash() {
    coverage.reach(.fault, "server crash")
    party.note("crashes")
    let executor = party.executor
    goesDown()
    party.kill()
    network.died(executor)
    party.scheduler.after(words.duration(100...60_000)) { self.boot() }
  }

  private func goesDown() {
    isUp = false
    root = nil
    storage.waiters = nil
    network.listen(WorldShop.serverURL, party, nil)
  }

  /// Ends the present life in the orderly way and begins the next.
  func restart() {
    guard isUp, !isStopped, let root else { return }
    party.note("is restarted")
    coverage.reach(.fault, "server restart")
    root.cancel()
    goesDown()
    party.start {
      await root.value
      self.party.scheduler.after(.milliseconds(200)) { self.boot() }
    }
  }

  /// Ends the present life for good, in the orderly way.
  func stop() -> Task<Void, Never>? {
    isStopped = true
    party.executor.crashesNoMore()
    root?.cancel()
    return root
  }

  // MARK: Parts

  /// How often an idle server looks into its store. The default is a fraction of a second; a world
  /// would spend most of its jobs on that.
  private var tick: Duration { plan.isLong ? .seconds(300) : .seconds(20) }

  private func compose(
    _ environment: KitEnvironment, _ waiters: WaiterTable
  ) -> BackendComposition {
    var environment = environment
    let executor = party.executor
    environment.reached = { checkpoint in
      self.coverage.reach(.checkpoint, checkpoint.rawValue)
      guard let times = self.traps[checkpoint] else { return }
      self.traps[checkpoint] = times > 1 ? times - 1 : nil
      guard times == 1, executor.isAlive, !self.isStopped else { return }
      self.coverage.reach(.fault, "server crash at \(checkpoint.rawValue)")
      executor.crash(afterJobs: 1) { self.crash() }
    }
    var wishes = BackendComposition.Settings(
      returnBase: WorldShop.returnBase, appReturnBase: WorldShop.returnBase)
    wishes.sync.tick = tick
    wishes.sync.policy = plan.policy
    wishes.sync.lapseAfter = plan.lapseAfter
    wishes.sync.holdAlertAfter = plan.holdAlertAfter
    wishes.checkouts.tick = tick
    wishes.checkouts.policy = plan.policy
    wishes.outbox = OutboxSettings(
      url: WorldShop.receiverURL, secret: WorldShop.fulfilmentSecret)
    wishes.outbox?.tick = tick
    let transport = settings.serverTransport(network.transport(of: party))
    return BackendComposition(
      wishes,
      shop: BackendComposition.Shop(
        orders: WorldCatalogue(), buyers: WorldBuyers(refusals: plan.refusals),
        authenticator: sessions.tokens(payers: plan.payers)),
      store: ServerDisk(path: DiskPath(from: party, to: storage.disk), storage: storage),
      waiters: waiters,
      providers: providers.providers(transport: transport, environment: environment)
        .map(settings.provider),
      outboxTransport: transport, environment: environment)
  }
}
