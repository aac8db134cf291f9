public import HTTPExchange
public import KitEnvironment
public import PaymentModels

/// What a load is played on: servers over one store, and a look into the store afterwards.
public struct LoadStage: Sendable {
  /// URL of the provider sandbox.
  public var sandbox: String
  /// URLs of the servers.
  public var servers: [String]
  /// How writers and readers reach them.
  public var transport: any HTTPTransport
  /// Time and hashes.
  public var environment: KitEnvironment
  /// Of a payer.
  public var appToken: Secret
  /// Of an operator.
  public var operatorKey: Secret
  /// The header by which the servers know Tabby's deliveries.
  public var webhookHeader: (title: String, value: Secret)
  /// Kills the servers with SIGKILL and reads what their store holds and what they wrote.
  public var end: @Sendable () async throws -> LoadStore

  /// Sets up a stage.
  public init(
    sandbox: String, servers: [String], transport: any HTTPTransport, environment: KitEnvironment,
    appToken: Secret, operatorKey: Secret, webhookHeader: (title: String, value: Secret),
    end: @escaping @Sendable () async throws -> LoadStore
  ) {
    self.sandbox = sandbox
    self.servers = servers
    self.transport = transport
    self.environment = environment
    self.appToken = appToken
    self.operatorKey = operatorKey
    self.webhookHeader = webhookHeader
    self.end = end
  }
}

/// What a store holds after a load, and what its servers wrote.
public struct LoadStore: Hashable, Sendable {
  /// Payments by id, each with its order.
  public var payments: [String: String]
  /// Refunds by id, each with its payment.
  public var refunds: [String: String]
  /// How often deliveries came, by the hash of their bytes.
  public var deliveries: [String: Int]
  /// Lines of the servers' logs.
  public var log: [String]

  /// Collects them.
  public init(
    payments: [String: String] = [:], refunds: [String: String] = [:],
    deliveries: [String: Int] = [:], log: [String] = []
  ) {
    self.payments = payments
    self.refunds = refunds
    self.deliveries = deliveries
    self.log = log
  }
}

/// How long a load goes on, and how many take part.
public struct LoadPlan: Hashable, Sendable {
  /// Writers at once, unless told; so many readers as well.
  public static let writersUsual = 16

  /// How long it goes on with each number of servers.
  public var duration: Duration
  /// Writers at once.
  public var writers: Int

  /// Takes the values.
  public init(duration: Duration, writers: Int = writersUsual) {
    self.duration = duration
    self.writers = writers
  }
}
