public import CheckoutService
import HTTPExchange
public import KitEnvironment
public import MerchantServer
import PaymentModels
public import PaymentStore
import ProviderInterface
public import StatusSync
import SystemRuntime

/// The merchant's server over an in-memory store and fake providers, on a manual clock: all of
/// the backend but sockets and disks.
public struct ServerWorld: Sendable {
  /// Time, which moves only when a test moves it.
  public let clock: ManualClock
  /// The store, which can be made to fail.
  public let store: FaultyStore
  /// The first provider.
  public let provider: FakeProvider
  /// The parts.
  public let sync: StatusSync
  /// The parts.
  public let checkouts: CheckoutService
  /// The parts.
  public let server: MerchantServer
  /// The parts.
  public let waiters: WaiterTable
  /// Log lines so far: message and facts.
  public let log: LogLines
  /// What was counted and measured.
  public let metrics: KitMetrics
  let isSettled: @Sendable () -> Bool

  /// Token of the user who owns everything that ``order(_:key:)`` makes.
  public static let user = "user-token"
  /// Token of another user.
  public static let stranger = "stranger-token"
  /// A token of the first user that has run out.
  public static let expired = "expired-token"
  /// The operator's key.
  public static let operatorKey = "operator-key"
  /// The key of another operator.
  public static let secondOperatorKey = "operator-key-2"
  /// The key of the monitoring.
  public static let metricsKey = "metrics-key"

  /// What may differ between worlds.
  public struct Setup: Sendable {
    /// The clock.
    public var clock = ManualClock()
    /// The store; with what is in it, as after a restart.
    public var store: any PaymentStore
    /// Told of commits; the world adds its own.
    public let commits: CommitRelay
    /// Providers; the first is `provider`.
    public var providers = [FakeProvider()]
    /// What is done by itself.
    public var policy = SettlementPolicy()
    /// Requests that may wait.
    public var waitersMax = 100
    /// Changes the sync's settings.
    public var tuneSync: @Sendable (inout SyncSettings) -> Void = { _ in }
    /// Changes the checkouts' settings.
    public var tuneCheckouts: @Sendable (inout CheckoutSettings) -> Void = { _ in }
    /// Changes the server's settings.
    public var tuneServer: @Sendable (inout ServerSettings) -> Void = { _ in }
    /// Told at each checkpoint.
    public var reached: @Sendable (Checkpoint) -> Void = { _ in }
    /// Told when a worker begins a turn.
    public var beat: @Sendable (Worker) -> Void = { _ in }
    /// Whether all that was asked of a disk has been answered: before that no time passes.
    public var isSettled: @Sendable () -> Bool = { true }
    /// Seed of ids; another one in each life of a process.
    public var seed: UInt64 = 1

    /// An empty world.
    public init() {
      let relay = CommitRelay()
      commits = relay
      store = InMemoryPaymentStore(onCommit: { relay.tell($0) })
    }
  }

  /// Runs a world as long as `body` does.
  public static func run(
    _ setup: Setup = Setup(), _ body: (ServerWorld) async throws -> Void
  ) async throws {
    let world = ServerWorld(setup)
    try await withTaskExecutorPreference(SerialTaskExecutor()) {
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { await world.waiters.run() }
        group.addTask {
          await world.sync.run(resumeCreate: { await world.checkouts.resumeCreate($0) })
        }
        group.addTask { await world.checkouts.run() }
        defer {
          for provider in setup.providers {
            for call in FakeProvider.Call.allCases { provider.release(call) }
          }
          group.cancelAll()
        }
        try await body(world)
      }
    }
  }

  /// The parts of another process on the same store, not running yet.
  public static func secondProcess(_ setup: Setup) -> ServerWorld { ServerWorld(setup) }

  init(_ setup: Setup) {
    let log = LogLines()
    var environment = KitEnvironment(
      clock: setup.clock.clock, random: seededRandom(setup.seed), log: log.sink,
      hashing: .weakForTests)
    environment.reached = setup.reached
    environment.beat = setup.beat
    environment.metrics = .live()
    metrics = environment.metrics
    let store = FaultyStore(setup.store)
    let waiters = WaiterTable(waitersMax: setup.waitersMax)
    setup.commits.listen { waiters.committed($0) }
    var syncSettings = SyncSettings()
    syncSettings.policy = setup.policy
    setup.tuneSync(&syncSettings)
    let sync = StatusSync(
      store: store, providers: setup.providers, settings: syncSettings, environment: environment)
    var checkoutSettings = CheckoutSettings { payment in
      ReturnURLs(
        success: "shop://done?p=\(payment)", cancel: "shop://cancel?p=\(payment)",
        failure: "shop://failure?p=\(payment)")
    }
    checkoutSettings.policy = setup.policy
    setup.tuneCheckouts(&checkoutSettings)
    checkouts = CheckoutService(
      store: store, providers: setup.providers, orders: SampleShop(), buyers: SampleShop(),
      settings: checkoutSettings, environment: environment,
      refresh: { await sync.refresh($0, because: .read) == .fresh })
    var serverSettings = ServerSettings(appReturnBase: "shop://return")
    setup.tuneServer(&serverSettings)
    server = MerchantServer(
      store: store, checkouts: checkouts, sync: sync, authenticator: SampleShop(),
      waiters: waiters, settings: serverSettings, environment: environment)
    self.sync = sync
    self.waiters = waiters
    self.store = store
    self.log = log
    clock = setup.clock
    isSettled = setup.isSettled
    provider = setup.providers[0]
  }
}

/// Passes commits on to whoever listens now.
public final class CommitRelay: Sendable {
  private let listener = Locked<CommitObserver?>(nil)

  /// Tells nobody yet.
  public init() {}

  /// Sets who listens.
  public func listen(_ observer: @escaping CommitObserver) { listener.withLock { $0 = observer } }

  /// Tells who listens.
  public func tell(_ changes: CommittedChanges) { listener.withLock { $0 }?(changes) }
}

/// Log lines, kept.
public final class LogLines: Sendable {
  private let lines = Locked<[(level: LogLevel, text: String, facts: [(String, String)])]>([])

  /// No lines yet.
  public init() {}

  /// The sink to hand in.
  public var sink: KitLog {
    KitLog { level, text, facts in self.lines.withLock { $0.append((level, text, facts)) } }
  }

  /// How many lines of a level have this message.
  public func count(_ level: LogLevel, _ message: String) -> Int {
    lines.withLock { $0.count { $0.level == level && $0.text == message } }
  }

  /// Every line with all of its facts.
  public var text: String { lines.withLock { "\($0)" } }

  /// The value of a fact in each line with this message.
  public func facts(_ message: String, _ name: String) -> [String] {
    lines.withLock { lines in
      lines.filter { $0.text == message }.compactMap { $0.facts.first { $0.0 == name }?.1 }
    }
  }
}

/// A shop of one product, `lamp` at 100.00 AED, and two users.
private struct SampleShop: OrderSource, BuyerSource, CallerAuthenticator {
  func lines(
    for items: [PurchaseItem], subject: Subject
  ) async throws(CheckoutError) -> [OrderLine] {
    var lines: [OrderLine] = []
    for item in items {
      guard item.productID == "lamp" else {
        throw CheckoutError(.invalid, "There is no such product.", path: "items")
      }
      lines.append(
        OrderLine(
          productID: item.productID, title: "Lamp", category: "home", quantity: item.quantity,
          unitPrice: Money(minorUnits: 10_000, currency: Sample.aed)))
    }
    return lines
  }

  func buyer(_ subject: Subject) async throws(CheckoutError) -> Buyer {
    Buyer(name: "", email: "", phone: "")
  }

  func caller(of token: Secret) async -> Caller? {
    switch token.reveal() {
    case ServerWorld.user: .user(Subject("u-1"))
    case ServerWorld.stranger: .user(Subject("u-2"))
    case ServerWorld.operatorKey: .operator(OperatorName("anna"))
    case ServerWorld.secondOperatorKey: .operator(OperatorName("ben"))
    case ServerWorld.metricsKey: .monitor
    default: nil
    }
  }

  func hasExpired(_ token: Secret) async -> Bool { token.reveal() == ServerWorld.expired }
}
