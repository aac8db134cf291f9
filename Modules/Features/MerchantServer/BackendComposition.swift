public import CheckoutService
public import FulfilmentOutbox
public import HTTPExchange
public import KitEnvironment
import PaymentModels
public import PaymentStore
public import ProviderInterface
public import StatusSync

/// The merchant backend, put together once: its answers, and the work behind them.
///
/// Compose through it wherever a whole backend runs: over live parts in a program, over others in a
/// test or a simulated world. ``handler`` answers while ``run()`` works.
public struct BackendComposition: Sendable {
  /// The bounds, waits and choices of the parts.
  public struct Settings: Sendable {
    /// Of the parts that make checkouts and operations.
    public var checkouts: CheckoutSettings
    /// Of the status sync.
    public var sync = SyncSettings()
    /// Of the API.
    public var server: ServerSettings
    /// Where messages to the merchant's systems go; nil sends none.
    public var outbox: OutboxSettings?

    /// The defaults, with return URLs as providers and apps are told them.
    ///
    /// - Parameters:
    ///   - returnBase: where payers come back to, as the providers are told.
    ///   - appReturnBase: where the server's own return pages lead.
    public init(returnBase: String, appReturnBase: String) {
      checkouts = CheckoutSettings { payment in
        ReturnURLs(
          success: "\(returnBase)/success?attempt=\(payment)",
          cancel: "\(returnBase)/cancel?attempt=\(payment)",
          failure: "\(returnBase)/failure?attempt=\(payment)")
      }
      server = ServerSettings(appReturnBase: appReturnBase)
    }
  }

  /// What the merchant brings along.
  public struct Shop: Sendable {
    /// Prices what apps want to buy.
    public var orders: any OrderSource
    /// Knows who buys.
    public var buyers: any BuyerSource
    /// Knows who calls.
    public var authenticator: any CallerAuthenticator

    /// Collects the parts.
    public init(
      orders: any OrderSource, buyers: any BuyerSource, authenticator: any CallerAuthenticator
    ) {
      self.orders = orders
      self.buyers = buyers
      self.authenticator = authenticator
    }
  }

  /// Answers requests.
  public let handler: any HTTPHandler
  private let sync: StatusSync
  private let checkouts: CheckoutService
  private let outbox: FulfilmentOutbox?
  private let waiters: WaiterTable

  /// Puts a backend together.
  ///
  /// - Parameters:
  ///   - store: must call ``WaiterTable/committed(_:)`` of `waiters` after each commit.
  ///   - outboxTransport: carries the messages to the merchant's systems.
  public init(
    _ settings: Settings, shop: Shop, store: any PaymentStore, waiters: WaiterTable,
    providers: [any PaymentProvider], outboxTransport: any HTTPTransport,
    environment: KitEnvironment
  ) {
    let sync = StatusSync(
      store: store, providers: providers, settings: settings.sync, environment: environment)
    let checkouts = CheckoutService(
      store: store, providers: providers, orders: shop.orders, buyers: shop.buyers,
      settings: settings.checkouts, environment: environment,
      refresh: { await sync.refresh($0, because: .read) == .fresh })
    self.waiters = waiters
    self.sync = sync
    self.checkouts = checkouts
    outbox = settings.outbox.map {
      FulfilmentOutbox(
        store: store, transport: outboxTransport, settings: $0, environment: environment)
    }
    handler = MerchantServer(
      store: store, checkouts: checkouts, sync: sync, authenticator: shop.authenticator,
      waiters: waiters, settings: settings.server, environment: environment)
  }

  /// Works until the task is cancelled. Call it once.
  public func run() async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await waiters.run() }
      group.addTask { await sync.run(resumeCreate: { await checkouts.resumeCreate($0) }) }
      group.addTask { await checkouts.run() }
      if let outbox { group.addTask { await outbox.run() } }
    }
  }
}
