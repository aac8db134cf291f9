import CheckoutService
import Dashboard
import FulfilmentOutbox
import HTTPExchange
import KitEnvironment
import MerchantServer
import PaymentModels
import PaymentStore
import ProviderInterface
import StatusSync
import SystemRuntime

/// The merchant backend as a configuration wants it, over a store, a way out and an environment:
/// live ones in `till-server`, others in tests.
struct ServerComposition: Sendable {
  private let backend: BackendComposition

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
    if configuration.hidesWebhookSources {
      environment.log(
        .warning,
        "webhook_sources is set, and every peer will be a private address: name trusted_proxies")
    }
    var settings = configuration.backend
    settings.server.instance = environment.newUUID()
    settings.server.workerSilences = { watch.silences }
    let directory = Self.directory(of: configuration.database)
    settings.server.diskRoom = { try? Files.room(at: directory).free }
    let authenticator = configuration.authenticator.timed(by: environment.clock)
    backend = BackendComposition(
      settings,
      shop: BackendComposition.Shop(
        orders: configuration.catalogue, buyers: configuration.buyers,
        authenticator: authenticator),
      store: store, waiters: waiters, providers: accounts.map(wrap),
      outboxTransport: transport.guarded(
        "fulfilment", to: configuration.fulfilment.map { [$0.url] } ?? [], environment),
      environment: environment)
    handler = Dashboard(
      api: backend.handler, store: store, authenticator: authenticator, waiters: waiters,
      trustedProxies: configuration.trustedProxies, environment: environment)
  }

  /// The API, with the pages of the staff in front.
  let handler: any HTTPHandler

  /// Works until the task is cancelled.
  func run() async { await backend.run() }

  private static func directory(of path: String) -> String {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    return parts.isEmpty ? "." : parts.joined(separator: "/")
  }
}

extension ServerConfiguration {
  /// What it says to the parts of the backend.
  fileprivate var backend: BackendComposition.Settings {
    var settings = BackendComposition.Settings(
      returnBase: appReturnBase, appReturnBase: appDeepLink)
    settings.sync.policy = policy
    settings.sync.readGap = readGap
    settings.sync.lapseAfter = lapseAfter
    settings.sync.trustedProxies = trustedProxies
    settings.sync.bodyLife = webhookBodyLife
    settings.sync.webhookSources = webhookSources
    settings.sync.readsPerMinute = readsPerMinute
    if let fulfilment { settings.sync.leaseLongest = fulfilment.lease }
    settings.checkouts.policy = policy
    settings.checkouts.language = language
    settings.checkouts.supersede = supersede
    settings.server.associations = associations
    settings.server.rateLimits = limits.rates
    settings.server.trustedProxies = trustedProxies
    settings.outbox = fulfilment
    settings.server.lookup = sebLookup
    return settings
  }
}
