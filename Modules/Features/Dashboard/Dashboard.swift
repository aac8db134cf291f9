public import HTTPExchange
public import KitEnvironment
import MerchantAPI
public import MerchantServer
import PaymentModels
public import PaymentStore
import WebPages

/// Pages for the people who run the shop, at `/dashboard`; every other path goes on to the API.
///
/// It reads the store and changes nothing by itself: each action is a request to the API with the
/// key of whoever signed in, so the API's checks, idempotency keys and journal hold here too.
public struct Dashboard: HTTPHandler {
  let api: any HTTPHandler
  let store: any PaymentStore
  let authenticator: any CallerAuthenticator
  let waiters: WaiterTable
  let trustedProxies: [IPRange]
  let environment: KitEnvironment
  let sessions: Sessions
  let attempts: TokenBuckets<IPAddress?>
  let assets: PageAssets

  /// Sign-ins that are tried from one address: enough for fingers, too few for guessing.
  static let attemptLimit = RateLimit(perMinute: 6, burst: 10)
  /// Addresses whose attempts are counted at once.
  private static let attemptPeersMax = 10_000
  /// Bytes of a form: a reason, an amount and three tokens fit ten times.
  static let formBytesMax = 16 * 1_024

  /// Puts the dashboard in front of an API.
  ///
  /// - Parameters:
  ///   - api: the merchant's API.
  ///   - waiters: told of each commit of the store.
  ///   - trustedProxies: proxies in front of the server, whose `X-Forwarded-For` counts.
  public init(
    api: any HTTPHandler, store: any PaymentStore, authenticator: any CallerAuthenticator,
    waiters: WaiterTable, trustedProxies: [IPRange], environment: KitEnvironment
  ) {
    self.api = api
    self.store = store
    self.authenticator = authenticator
    self.waiters = waiters
    self.trustedProxies = trustedProxies
    self.environment = environment
    sessions = Sessions(environment: environment)
    attempts = TokenBuckets(
      Self.attemptLimit, peersMax: Self.attemptPeersMax, clock: environment.clock)
    assets = PageAssets(
      folder: "\(DashboardRoute.root)/assets", moreStyle: TimelineStyle.text,
      hashing: environment.hashing)
  }

  /// Answers with a page, or hands the request on.
  public func respond(to request: HTTPRequest) async -> HTTPResponse {
    guard DashboardRoute.owns(request.path) else { return await api.respond(to: request) }
    do {
      return try await answer(request).hardened()
    } catch let refusal as PageRefusal {
      return await page(of: refusal, to: request).hardened()
    } catch {
      environment.log(.error, "a page failed", ("error", "\(error)"))
      return await page(of: .unavailable, to: request).hardened()
    }
  }

  /// No page is; of the API's requests the API knows.
  public func isBrief(_ request: HTTPRequest) -> Bool {
    !DashboardRoute.owns(request.path) && api.isBrief(request)
  }

  /// Of the API's requests the API knows; an operator's page may be what mends the trouble.
  public func isDeferrable(_ request: HTTPRequest) -> Bool {
    !DashboardRoute.owns(request.path) && api.isDeferrable(request)
  }

  private func answer(_ request: HTTPRequest) async throws -> HTTPResponse {
    let method = request.method == "HEAD" ? "GET" : request.method
    guard let route = DashboardRoute(path: request.path) else { throw PageRefusal.notFound }
    guard route.methods.contains(method) else {
      throw PageRefusal.method(route.methods)
    }
    if case .asset(let hash, let name) = route {
      guard let file = assets.response(hash, name) else { throw PageRefusal.notFound }
      return file
    }
    if method == "POST" { try requireOwnForm(request) }
    if route == .signIn {
      return method == "POST" ? try await signIn(request) : try await showSignIn(request)
    }
    guard let visit = try await visit(of: request) else {
      if route == .events { throw PageRefusal(401, "Signed out", "Sign in again.") }
      return redirect(to: signInTarget(request, method))
    }
    if method == "POST" {
      try requireFormToken(request, visit)
      return try await change(route, visit)
    }
    return try await show(route, visit)
  }

  private func show(_ route: DashboardRoute, _ visit: Visit) async throws -> HTTPResponse {
    switch route {
    case .overview: try await showOverview(visit)
    case .payments: try await showPayments(visit)
    case .payment(let id): try await showPayment(id, visit)
    case .action(let action, let id): try await showAction(action, id, visit)
    case .reviews: try await showReviews(visit)
    case .review(let number): try await showReview(number, visit)
    case .inbox: try await showInbox(visit)
    case .outbox: try await showOutbox(visit)
    case .delivery, .message: try await showItem(route, visit)
    case .events: await showEvents(visit)
    case .signIn, .signOut, .asset: throw PageRefusal.notFound
    }
  }

  private func change(_ route: DashboardRoute, _ visit: Visit) async throws -> HTTPResponse {
    switch route {
    case .action(let action, let id): try await take(action, id, visit)
    case .review(let number): try await resolve(number, visit)
    case .delivery, .message: try await workOnItem(route, visit)
    case .signOut: await signOut(visit)
    case .overview, .payments, .payment, .reviews, .inbox, .outbox, .events, .signIn, .asset:
      throw PageRefusal.notFound
    }
  }

  /// A redirect after which the browser asks with GET.
  func redirect(to target: String, cookie: String? = nil) -> HTTPResponse {
    var headers: HTTPHeaders = ["Location": target]
    if let cookie { headers.add("Set-Cookie", cookie) }
    return HTTPResponse(status: 303, headers: headers)
  }
}

/// Why there is no page.
struct PageRefusal: Error {
  let status: Int
  let title: String
  let detail: String
  /// A field of the answer that belongs to the status.
  var header: (name: String, value: String)?

  init(
    _ status: Int, _ title: String, _ detail: String, header: (name: String, value: String)? = nil
  ) {
    self.status = status
    self.title = title
    self.detail = detail
    self.header = header
  }

  static func method(_ methods: [String]) -> PageRefusal {
    PageRefusal(
      405, "Not with this method", "This page takes \(methods.joined(separator: " and ")).",
      header: ("Allow", methods.joined(separator: ", ")))
  }

  static let notFound = PageRefusal(
    404, "Not found", "There is no such page, payment or case. Ids can be looked up above.")
  static let unavailable = PageRefusal(
    503, "Not now", "The store cannot be read at the moment. Nothing was changed; try again.")
}
