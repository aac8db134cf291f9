public import CheckoutSession
public import HTTPExchange
public import KitEnvironment
public import ProviderInterface

/// What a world is played with, apart from its plan.
public struct WorldSettings: Sendable {
  /// Hash functions of all parties; their values reach the trace.
  public var hashing: Hashing
  /// Whether the trace keeps its lines.
  public var keepsTrace = true
  /// Where worlds may have scratch files; nil keeps every store in memory.
  public var scratch: WorldScratch?
  /// Puts another provider in the place of the server's own: how a test breaks the server.
  public var provider: @Sendable (any PaymentProvider) -> any PaymentProvider = { $0 }
  /// Puts another way out in the place of the server's own.
  public var serverTransport: @Sendable (any HTTPTransport) -> any HTTPTransport = { $0 }
  /// Puts another backend in the place of the app's own.
  public var backend: @Sendable (any MerchantBackend) -> any MerchantBackend = { $0 }

  /// The kit as it is.
  public init(hashing: Hashing) {
    self.hashing = hashing
  }
}

/// A place for the scratch files of worlds, each played once at a time.
public struct WorldScratch: Sendable {
  /// The path for the store of a new world; no file is there.
  public var path: @Sendable () -> String
  /// Removes the store at a path, with what SQLite keeps beside it.
  public var remove: @Sendable (String) -> Void

  /// Collects the two.
  public init(
    path: @escaping @Sendable () -> String, remove: @escaping @Sendable (String) -> Void
  ) {
    self.path = path
    self.remove = remove
  }
}
