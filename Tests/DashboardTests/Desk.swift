import Dashboard
import HTTPExchange
import KitEnvironment
import MerchantServer
import PaymentModels
import PaymentStore
import TestSupport

/// A browser of the staff in front of a server's world: it keeps the cookie, and sends forms as a
/// browser does.
struct Desk {
  let world: ServerWorld
  let dashboard: Dashboard
  /// What the browser sends as its cookie.
  var cookie: String?
  /// What the page that was seen last has in its forms.
  var formToken = ""

  init(_ world: ServerWorld, keys: any CallerAuthenticator = Keys(), random: RandomSource? = nil) {
    self.world = world
    var environment = KitEnvironment(
      clock: world.clock.clock, random: random ?? seededRandom(7), log: world.log.sink,
      hashing: .weakForTests)
    environment.metrics = world.metrics
    dashboard = Dashboard(
      api: world.server, store: world.store, authenticator: keys, waiters: world.waiters,
      trustedProxies: [], environment: environment)
  }

  /// Somebody who is signed in.
  static func signedIn(_ world: ServerWorld) async throws -> Desk {
    var desk = Desk(world)
    _ = try await desk.signIn()
    return desk
  }

  mutating func signIn(
    _ key: String = ServerWorld.operatorKey, next: String = ""
  ) async throws -> HTTPResponse {
    let response = try await send(
      "POST", "/dashboard/sign-in", fields: [("key", key), ("next", next)])
    cookie = response.headers["Set-Cookie"].map { String($0.prefix { $0 != ";" }) }
    if response.status == 303 { formToken = Self.token(in: try await get("/dashboard")) }
    return response
  }

  /// The text of a page.
  func get(_ target: String) async throws -> String {
    String(decoding: try await send("GET", target).body, as: UTF8.self)
  }

  func post(_ target: String, _ fields: [(String, String)] = []) async throws -> HTTPResponse {
    try await send("POST", target, fields: [("form_token", formToken)] + fields)
  }

  /// A request as a browser sends it: a form names the place that it comes from.
  func send(
    _ method: String, _ target: String, fields: [(String, String)] = [],
    headers extra: HTTPHeaders = [:], origin: String? = "http://127.0.0.1:8080",
    host: String = "127.0.0.1:8080", peer: String? = "127.0.0.1"
  ) async throws -> HTTPResponse {
    var headers = extra
    headers.add("Host", host)
    if let cookie { headers.add("Cookie", "other=1; \(cookie)") }
    if method == "POST", let origin { headers.add("Origin", origin) }
    let body = fields.map { "\(QueryText.encode($0.0))=\(QueryText.encode($0.1))" }
    let request = HTTPRequest(
      method: method, target: target, headers: headers,
      body: Array(body.joined(separator: "&").utf8), peer: peer)
    return try await world.moving { await dashboard.respond(to: request) }
  }

  /// The value of the first hidden field of a name.
  static func field(_ name: String, in page: String) -> String {
    let mark = "name=\"\(name)\" value=\""
    guard let start = page.firstRange(of: mark) else { return "" }
    return String(page[start.upperBound...].prefix { $0 != "\"" })
  }

  private static func token(in page: String) -> String { field("form_token", in: page) }
}

/// The keys of a server's world, of which one may be taken back.
struct Keys: CallerAuthenticator {
  /// Whether all keys were taken back: once it has counted anything.
  var taken: CallCount?

  func caller(of token: Secret) async -> Caller? {
    if let taken, taken.value > 0 { return nil }
    return switch token.reveal() {
    case ServerWorld.user: .user(Subject("u-1"))
    case ServerWorld.metricsKey: .monitor
    case ServerWorld.operatorKey: .operator(OperatorName("anna"))
    case ServerWorld.secondOperatorKey: .operator(OperatorName("ben"))
    default: nil
    }
  }
}

extension ServerWorld {
  /// A checkout whose 100.00 AED were captured, as a webhook told.
  func paid(key: String = "k1") async throws -> PaymentRow {
    let row = try await placed(key: key)
    guard let id = row.providerPaymentID else { return row }
    provider.change(id) { reading in
      reading.status = .captured
      reading.items = [
        PaymentItem(
          kind: .capture, providerItemID: "cap-1", reference: nil,
          amount: Money(minorUnits: 10_000, currency: Sample.aed), createdAt: nil)
      ]
    }
    try await deliver(provider.webhook(id, for: row.id, rest: "paid"))
    try await until("it is paid") { try await order(row.orderID).state == .paid }
    return try await payment(row.id)
  }
}
