/// How many requests one peer may send: ``burst`` at once, and after that ``perMinute`` of them.
public struct RateLimit: Hashable, Sendable {
  /// Requests a minute in the long run.
  public var perMinute: Int
  /// Requests at once.
  public var burst: Int

  /// A limit.
  public init(perMinute: Int, burst: Int) {
    precondition(perMinute > 0 && burst > 0, "a limit lets something through")
    self.perMinute = perMinute
    self.burst = burst
  }

  /// One request earns its peer so long a wait.
  var interval: Duration { .seconds(60) / perMinute }
}

/// The limits of the merchant server.
public struct RateLimits: Hashable, Sendable {
  /// Requests under tokens of one subject. A device asks once in some seconds while it waits, and
  /// once for each signal.
  public var appToken = RateLimit(perMinute: 300, burst: 100)
  /// Requests from one address, or one /64 of version 6, whatever they carry. Hundreds of payers
  /// share the address of a mobile network.
  public var source = RateLimit(perMinute: 6_000, burst: 1_000)
  /// Webhooks from one address: a provider sends all of its own from a few.
  public var webhookSource = RateLimit(perMinute: 12_000, burst: 2_000)
  /// Peers of a kind that are remembered. One that was not heard of while as many others were is
  /// forgotten, and begins anew.
  public var peersMax = 20_000

  /// The defaults.
  public init() {}
}
