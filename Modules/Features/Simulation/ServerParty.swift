import CheckoutService
import FulfilmentOutbox
import HTTPExchange
import KitEnvironment
import MerchantServer
import PaymentModels
import PaymentStore
import ProviderInterface
import StatusSync
import TabbyProvider

/// The merchant's server: the production code over a disk that outlives its crashes.
// Reached only from jobs and timers of the world, so on its one thread.
final class ServerParty: @unchecked Sendable {
  let party: Party
  private(set) var crashes = 0
  private let disk: Party
  private let network: WorldNetwork
  private let settings: WorldSettings
  private let buyers: WorldBuyers
  private let commits: CommitRelay
  private let inner: InMemoryPaymentStore
  private let configuration: TabbyConfiguration
  private var words: SeededWords
  private var root: Task<Void, Never>?
  private var isUp = false
  private var isStopped = false

  /// Tells the waiting requests of the present life what was committed.
  // Set and read by jobs of the world, so on its one thread.
  private final class CommitRelay: @unchecked Sendable {
    var waiters: WaiterTable?
  }

  init(
    _ party: Party, disk: Party, network: WorldNetwork, settings: WorldSettings, seed: UInt64,
    buyers: WorldBuyers
  ) {
    let commits = CommitRelay()
    self.party = party
    self.disk = disk
    self.network = network
    self.settings = settings
    self.buyers = buyers
    self.commits = commits
    do {
      configuration = try TabbyConfiguration(
        account: ProviderAccount("world"), secretKey: WorldShop.tabbyKey, merchantCode: "AE",
        region: .emiratesAndKuwait, baseURL: WorldShop.sandboxURL,
        webhookHeader: TabbyWebhookHeader(
          title: WorldShop.webhookHeader, values: [WorldShop.webhookSecret]))
    } catch {
      preconditionFailure("the world's account is valid: \(error)")
    }
    inner = InMemoryPaymentStore { commits.waiters?.committed($0) }
    words = SeededWords(seed: seed, name: "server life")
  }

  // MARK: Life and death

  func boot() {
    guard !isStopped else { return }
    let parts = compose(party.environment)
    commits.waiters = parts.waiters
    network.listen(WorldShop.serverURL, party, parts.handler)
    isUp = true
    party.note("is up")
    root = party.start {
      await withTaskGroup(of: Void.self) { group in
        group.addTask { await parts.waiters.run() }
        group.addTask {
          await parts.sync.run(resumeCreate: { await parts.checkouts.resumeCreate($0) })
        }
        group.addTask { await parts.checkouts.run() }
        group.addTask { await parts.outbox.run() }
      }
    }
  }

  /// Crashes after so many more jobs, wherever that is, and comes back a little later.
  func crash(afterJobs jobs: Int) {
    guard isUp, !isStopped else { return }
    party.executor.crash(afterJobs: jobs) { self.crash() }
  }

  private func crash() {
    crashes += 1
    isUp = false
    root = nil
    party.note("crashes")
    network.listen(WorldShop.serverURL, party, nil)
    let executor = party.executor
    party.kill()
    network.died(executor)
    commits.waiters = nil
    party.scheduler.after(words.duration(100...60_000)) { self.boot() }
  }

  /// Ends the present life in the orderly way.
  func stop() -> Task<Void, Never>? {
    isStopped = true
    party.executor.crashesNoMore()
    root?.cancel()
    return root
  }

  // MARK: Parts

  private struct Parts: Sendable {
    let waiters: WaiterTable
    let sync: StatusSync
    let checkouts: CheckoutService
    let outbox: FulfilmentOutbox
    let handler: any HTTPHandler
  }

  /// How often an idle server looks into its store. The default is a fraction of a second; a world
  /// would spend most of its jobs on that.
  private static let tick: Duration = .seconds(4)

  private func compose(_ environment: KitEnvironment) -> Parts {
    let transport = settings.serverTransport(network.transport(of: party))
    let store = ServerDisk(path: DiskPath(from: party, to: disk), inner: inner)
    let provider = settings.provider(
      TabbyProvider(configuration, transport: transport, hashing: environment.hashing))
    var syncSettings = SyncSettings()
    syncSettings.tick = Self.tick
    let sync = StatusSync(
      store: store, providers: [provider], settings: syncSettings, environment: environment)
    var checkoutSettings = CheckoutSettings { payment in
      ReturnURLs(
        success: "\(Phone.returnBase)/success?attempt=\(payment)",
        cancel: "\(Phone.returnBase)/cancel?attempt=\(payment)",
        failure: "\(Phone.returnBase)/failure?attempt=\(payment)")
    }
    checkoutSettings.tick = Self.tick
    let checkouts = CheckoutService(
      store: store, providers: [provider], orders: WorldCatalogue(), buyers: buyers,
      settings: checkoutSettings, environment: environment,
      refresh: { await sync.refresh($0, because: .read) == .fresh })
    var outboxSettings = OutboxSettings(
      url: WorldShop.receiverURL, secret: WorldShop.fulfilmentSecret)
    outboxSettings.tick = Self.tick
    let waiters = WaiterTable(waitersMax: 100)
    return Parts(
      waiters: waiters, sync: sync, checkouts: checkouts,
      outbox: FulfilmentOutbox(
        store: store, transport: transport, settings: outboxSettings, environment: environment),
      handler: MerchantServer(
        store: store, checkouts: checkouts, sync: sync, authenticator: WorldTokens(),
        waiters: waiters, settings: ServerSettings(appReturnBase: Phone.returnBase),
        environment: environment))
  }

  // MARK: Evidence

  /// Reads the book straight from the disk, past all the server's code; to be run at the disk.
  func book() async throws -> [WorldEvidence.BookOrder] {
    try await inner.read { transaction in
      let payments = try transaction.payments(before: nil, limit: 1_000)
      let orders = Set(payments.map(\.orderID)).sorted()
      return try orders.compactMap { id -> WorldEvidence.BookOrder? in
        guard let order = try transaction.order(id) else { return nil }
        let rows = try transaction.payments(of: id)
        let captured = try rows.reduce(Int64(0)) { sum, row in
          try transaction.items(of: row.id).filter { $0.kind == .capture }
            .reduce(sum) { $0 + $1.amount.minorUnits }
        }
        return WorldEvidence.BookOrder(
          orderID: id.rawValue, state: order.state.rawValue, captured: captured,
          payments: rows.map {
            WorldEvidence.BookPayment(
              providerPaymentID: $0.providerPaymentID?.rawValue, status: $0.status.description)
          })
      }
    }
  }
}
