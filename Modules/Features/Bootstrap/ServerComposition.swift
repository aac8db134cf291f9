import CheckoutService
import FulfilmentOutbox
import HTTPExchange
import KitEnvironment
import MerchantServer
import PaymentModels
import PaymentStore
import ProviderInterface
import SEBProvider
import StatusSync
import SystemRuntime

/// The merchant backend, put together over a store, a way out and an environment: live ones in
/// `till-server`, others in tests.
struct ServerComposition: Sendable {
  let handler: any HTTPHandler
  private let sync: StatusSync
  private let checkouts: CheckoutService
  private let outbox: FulfilmentOutbox?
  private let waiters: WaiterTable

  init(
    _ configuration: ServerConfiguration, store: any PaymentStore, waiters: WaiterTable,
    transport: any HTTPTransport, environment: KitEnvironment,
    wrap: (any PaymentProvider) -> any PaymentProvider = { $0 }
  ) {
    var environment = environment
    let watch = WorkerWatch(
      Worker.allCases.filter { $0 != .outbox || configuration.fulfilment != nil },
      clock: environment.clock)
    environment.beat = { watch.beat($0) }
    let accounts = configuration.providers(transport: transport, environment: environment)
    let providers = accounts.map(wrap)
    var syncSettings = SyncSettings()
    syncSettings.policy = configuration.policy
    syncSettings.readGap = configuration.readGap
    syncSettings.lapseAfter = configuration.lapseAfter
    syncSettings.trustedProxies = configuration.trustedProxies
    syncSettings.bodyLife = configuration.webhookBodyLife
    syncSettings.webhookSources = configuration.webhookSources
    syncSettings.readsPerMinute = configuration.readsPerMinute
    if configuration.hidesWebhookSources {
      environment.log(
        .warning,
        "webhook_sources is set, and every peer will be a private address: name trusted_proxies")
    }
    let sync = StatusSync(
      store: store, providers: providers, settings: syncSettings, environment: environment)
    let returnBase = configuration.appReturnBase
    var checkoutSettings = CheckoutSettings { payment in
      ReturnURLs(
        success: "\(returnBase)/success?attempt=\(payment)",
        cancel: "\(returnBase)/cancel?attempt=\(payment)",
        failure: "\(returnBase)/failure?attempt=\(payment)")
    }
    checkoutSettings.policy = configuration.policy
    checkoutSettings.language = configuration.language
    checkoutSettings.supersede = configuration.supersede
    let checkouts = CheckoutService(
      store: store, providers: providers, orders: configuration.catalogue,
      buyers: configuration.buyers, settings: checkoutSettings, environment: environment,
      refresh: { await sync.refresh($0, because: .read) == .fresh })
    var settings = ServerSettings(appReturnBase: configuration.appDeepLink)
    settings.associations = configuration.associations
    settings.rateLimits = configuration.limits.rates
    settings.trustedProxies = configuration.trustedProxies
    let seb = configuration.seb
    if !seb.isEmpty {
      settings.lookup = PaymentLookup(provider: .seb) { account, status in
        // A payment of an account that is gone is not known any more.
        seb.first { $0.account == account }?.word(for: status) ?? "SENT_FOR_PROCESSING"
      }
    }
    settings.workerSilences = { watch.silences }
    let directory = Self.directory(of: configuration.database)
    settings.diskRoom = { try? Files.room(at: directory).free }
    self.waiters = waiters
    self.sync = sync
    self.checkouts = checkouts
    outbox = configuration.fulfilment.map { fulfilment in
      FulfilmentOutbox(
        store: store,
        transport: transport.guarded("fulfilment", to: [fulfilment.url], environment),
        settings: fulfilment, environment: environment)
    }
    handler = MerchantServer(
      store: store, checkouts: checkouts, sync: sync,
      authenticator: configuration.authenticator.timed(by: environment.clock),
      waiters: waiters, settings: settings, environment: environment)
  }

  private static func directory(of path: String) -> String {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    return parts.isEmpty ? "." : parts.joined(separator: "/")
  }

  /// Works until the task is cancelled.
  func run() async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await waiters.run() }
      group.addTask { await sync.run(resumeCreate: { await checkouts.resumeCreate($0) }) }
      group.addTask { await checkouts.run() }
      if let outbox { group.addTask { await outbox.run() } }
    }
  }
}
