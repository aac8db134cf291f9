public import CheckoutSession
public import HTTPExchange
public import KitEnvironment
public import ProviderInterface

/// What a world is made of, apart from its seed.
public struct WorldSettings: Sendable {
  /// Hash functions of all parties; their values reach the trace.
  public var hashing: Hashing
  /// What the network does until ``faultsEnd``; afterwards it only takes its time.
  public var network = NetworkFaults.hostile
  /// Crashes of the server at the most, each between two of its jobs.
  public var serverCrashesMax = 3
  /// Crashes of the app at the most.
  public var appCrashesMax = 2
  /// Crashes, losses, refusals and wandering payers end here. By then a payer has bought and paid.
  public var faultsEnd: Duration = .seconds(420)
  /// From the end of faults until everybody must agree. The longest waits that faults of that
  /// length leave behind are an outbox back-off (under 10 min) and a provider's session (6 min).
  public var settlingMax: Duration = .seconds(1_800)
  /// Puts another provider in the place of the server's own: how a test breaks the server.
  public var provider: @Sendable (any PaymentProvider) -> any PaymentProvider = { $0 }
  /// Puts another way out in the place of the server's own.
  public var serverTransport: @Sendable (any HTTPTransport) -> any HTTPTransport = { $0 }
  /// Puts another backend in the place of the app's own.
  public var backend: @Sendable (any MerchantBackend) -> any MerchantBackend = { $0 }

  /// A hostile world around the kit as it is.
  public init(hashing: Hashing) {
    self.hashing = hashing
  }
}
