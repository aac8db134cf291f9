import HTTPExchange
import KitEnvironment
import MerchantAPI
import PaymentModels

/// Keeps one peer's requests from taking what belongs to all.
struct RequestGate: Sendable {
  private let environment: KitEnvironment
  private let trustedProxies: [IPRange]
  private let tokens: TokenBuckets<Subject>
  private let sources: TokenBuckets<IPAddress>
  private let webhookSources: TokenBuckets<IPAddress>

  init(_ limits: RateLimits, trustedProxies: [IPRange], environment: KitEnvironment) {
    self.environment = environment
    self.trustedProxies = trustedProxies
    let clock = environment.clock
    tokens = TokenBuckets(limits.appToken, peersMax: limits.peersMax, clock: clock)
    sources = TokenBuckets(limits.source, peersMax: limits.peersMax, clock: clock)
    webhookSources = TokenBuckets(limits.webhookSource, peersMax: limits.peersMax, clock: clock)
  }

  /// Refuses a request of a source that sends too many.
  ///
  /// A private address is a proxy that nobody named in `trusted_proxies`, behind which everybody
  /// is, or a machine of the merchant's own: it is not limited. Nor are the two questions of a
  /// load balancer.
  func admit(_ request: HTTPRequest, _ match: Route.Match) async throws(Problem) {
    switch match {
    case .route(.health), .route(.ready): return
    case .route, .methodNotAllowed, .badIdentifier, .none: break
    }
    guard let client = request.client(behind: trustedProxies), !client.isPrivate else { return }
    if case .route(.webhook) = match {
      try refuse(await webhookSources.wait(client.network), scope: "webhook_source")
    } else {
      try refuse(await sources.wait(client.network), scope: "source")
    }
  }

  /// Refuses a request under a token whose subject sends too many.
  func admit(_ caller: Caller) async throws(Problem) {
    guard case .user(let subject) = caller else { return }
    try refuse(await tokens.wait(subject), scope: "app_token")
  }

  private func refuse(_ wait: Duration?, scope: String) throws(Problem) {
    guard let wait else { return }
    environment.metrics.add(to: .rateLimited, scope)
    // Rounded up: a peer that waits so long is let in.
    let seconds = Int((wait.wholeMilliseconds + 999) / 1_000)
    throw Problem(
      .tooManyRequests, "Too many requests; ask again later.", retryAfterSeconds: seconds)
  }
}

extension Metric {
  static let rateLimited = Metric(
    "till_rate_limited_total", "Requests answered 429, by whose limit it was.", .counter,
    labels: ["scope"])
}
