import FoundationEssentials
import HTTPExchange
import MerchantAPI
import MerchantServer
import PaymentModels
import PaymentStore
import StrictJSON
import TestSupport
import Testing

/// Who may use a route.
enum Access: Sendable {
  /// Anybody; a token changes nothing.
  case open
  /// Whoever signs as the provider does; a token changes nothing.
  case signed
  /// A payer's app, about what is its own; the staff about everything.
  case own
  /// A payer's app alone.
  case payer
  /// The staff alone.
  case staff
  /// The monitoring, and the staff.
  case monitoring
}

/// What there is to ask for.
struct Known: Sendable {
  let payment: PaymentID
  let order: OrderID
  let webhook: WebhookID
  let review: Int64

  /// Ids of the same form that are nobody's.
  static let nothing = Known(
    payment: Sample.paymentID(99), order: Sample.orderID(99), webhook: Sample.webhookID(99),
    review: 99)
}

/// A route, who may use it, and how it is used.
struct AccessRow: Sendable, CustomTestStringConvertible {
  let access: Access
  let status: Int
  let body: String
  let route: @Sendable (Known) -> Route

  /// - Parameter status: what whoever may use it gets.
  init(
    _ access: Access, _ status: Int, body: String = "",
    _ route: @escaping @Sendable (Known) -> Route
  ) {
    self.access = access
    self.status = status
    self.body = body
    self.route = route
  }

  /// The name of the case.
  var testDescription: String {
    switch route(.nothing) {
    case .operator(let route): "operator." + Self.name("\(route)")
    case let route: Self.name("\(route)")
    }
  }

  private static func name(_ text: String) -> String { String(text.prefix { $0 != "(" }) }
}

private let lamp = #"{"provider":"tabby","items":[{"product_id":"lamp","quantity":1}]}"#
private let reason = #"{"reason":"as asked"}"#

private let rows = [
  AccessRow(.payer, 201, body: lamp) { _ in .createCheckout },
  AccessRow(.own, 200) { .order($0.order) },
  AccessRow(.staff, 200, body: reason) { .cancelOrder($0.order) },
  AccessRow(.staff, 200) { .orderJournal($0.order) },
  AccessRow(.staff, 200) { .paymentJournal($0.payment) },
  AccessRow(.staff, 200) { _ in .payments },
  AccessRow(.staff, 200) { _ in .operator(.webhooks) },
  AccessRow(.staff, 200) { .operator(.webhook($0.webhook)) },
  AccessRow(.staff, 409, body: reason) { .operator(.requeueWebhook($0.webhook)) },
  AccessRow(.staff, 200, body: reason) { .operator(.replayWebhook($0.webhook)) },
  AccessRow(.staff, 422, body: reason) { _ in .operator(.replaySaved) },
  AccessRow(.staff, 400) { _ in .operator(.moneyTotals) },
  AccessRow(.staff, 200, body: #"{"since_seconds":3600}"#) { _ in .operator(.reconcile) },
  AccessRow(.staff, 200) { _ in .operator(.messages) },
  AccessRow(.staff, 404) { _ in .operator(.message(Sample.messageID(99))) },
  AccessRow(.staff, 404, body: reason) { _ in .operator(.redeliver(Sample.messageID(99))) },
  AccessRow(.staff, 200) { _ in .operator(.providers) },
  AccessRow(.staff, 200, body: reason) { _ in .operator(.pauseProvider(.tabby)) },
  AccessRow(.staff, 409, body: reason) { _ in .operator(.resumeProvider(.tabby)) },
  AccessRow(.staff, 404, body: #"{"subject":"u-9","reason":"as asked"}"#) { _ in
    .operator(.eraseBuyer)
  },
  AccessRow(.staff, 200) { _ in .operator(.reviews) },
  AccessRow(.staff, 200) { .operator(.review($0.review)) },
  AccessRow(.staff, 200, body: #"{"decision":"keep","reason":"as asked"}"#) {
    .operator(.resolveReview($0.review))
  },
  AccessRow(.own, 200) { .payment($0.payment.rawValue) },
  AccessRow(.own, 202, body: #"{"signal":"foreground"}"#) { .signals($0.payment.rawValue) },
  AccessRow(.staff, 200, body: reason) { .captures($0.payment) },
  AccessRow(.staff, 409, body: reason) { .refunds($0.payment) },
  AccessRow(.staff, 200, body: reason) { .close($0.payment) },
  AccessRow(.staff, 200) { .operator(.readPayment($0.payment)) },
  AccessRow(.signed, 200) { _ in .webhook(.tabby) },
  AccessRow(.open, 404) { _ in .lookup(ProviderPaymentID("abc")) },
  AccessRow(.open, 200) { _ in .returnTrampoline("success") },
  AccessRow(.open, 404) { _ in .appleAssociation },
  AccessRow(.open, 404) { _ in .androidAssociation },
  AccessRow(.open, 200) { _ in .health },
  AccessRow(.open, 200) { _ in .ready },
  AccessRow(.monitoring, 200) { _ in .metrics },
  AccessRow(.open, 200) { _ in .openAPI },
  AccessRow(.open, 200) { _ in .problemPage("being_paid") },
]

/// Tokens that belong to nobody: never given out, cut, longer, of another case, taken back.
private let worthless: [String?] = [
  nil, "", "nobody", String(ServerWorld.user.dropLast()), ServerWorld.user + "x",
  ServerWorld.user.uppercased(), "taken-back-token",
]

@Suite("Who may use which route")
struct AccessTests {
  @Test(arguments: rows)
  func `a token that is nobody's opens nothing`(row: AccessRow) async throws {
    try await withPayment { world, known in
      let route = row.route(known)
      for token in worthless {
        let answer = try await use(route, row, token: token, world)
        switch row.access {
        case .open: #expect(answer.status == row.status)
        case .signed: #expect(answer.status == 401)
        case .own, .payer, .staff, .monitoring:
          #expect(answer.status == 401)
          #expect(answer.headers["WWW-Authenticate"] == "Bearer")
        }
      }
    }
  }

  @Test(arguments: rows)
  func `another payer's token learns nothing, not even whether it exists`(
    row: AccessRow
  ) async throws {
    try await withPayment { world, known in
      let tokens: [String]
      switch row.access {
      case .open, .signed, .payer: return
      case .own: tokens = [ServerWorld.stranger, ServerWorld.metricsKey]
      case .staff: tokens = [ServerWorld.stranger, ServerWorld.user, ServerWorld.metricsKey]
      case .monitoring: tokens = [ServerWorld.stranger, ServerWorld.user]
      }
      for token in tokens {
        let answer = try await use(row.route(known), row, token: token, world)
        #expect(answer.status == (row.access == .own ? 404 : 403))
        #expect(answer == (try await use(row.route(.nothing), row, token: token, world)))
      }
      // Nothing was done either.
      #expect(try await world.operations(known.payment).isEmpty)
      #expect(try await world.order(known.order).cancelRequestedAt == nil)
    }
  }

  @Test(arguments: rows)
  func `whoever may use a route is let in, and nobody else`(row: AccessRow) async throws {
    let keys = [
      ServerWorld.user, ServerWorld.operatorKey, ServerWorld.secondOperatorKey,
      ServerWorld.metricsKey,
    ]
    for key in keys {
      try await withPayment { world, known in
        let isLetIn =
          switch row.access {
          case .open: true
          case .signed: false
          case .own: key != ServerWorld.metricsKey
          case .payer: key == ServerWorld.user
          case .staff: key == ServerWorld.operatorKey || key == ServerWorld.secondOperatorKey
          case .monitoring: key != ServerWorld.user
          }
        let answer = try await use(row.route(known), row, token: key, world)
        let text = String(decoding: answer.body, as: UTF8.self)
        if isLetIn {
          #expect(answer.status == row.status, "\(text)")
        } else {
          #expect([401, 403, 404].contains(answer.status), "\(text)")
        }
      }
    }
  }

  @Test func `a checkout for another payer's order is one for no order`() async throws {
    try await withPayment { world, known in
      func ask(_ order: OrderID) async throws -> HTTPResponse {
        let body = #"{"provider":"tabby","order_id":"\#(order)"}"#
        return try await world.send(
          "POST", "/v1/checkouts", token: ServerWorld.stranger, key: "k9", body: Array(body.utf8))
      }
      let answer = try await ask(known.order)
      #expect(answer.status == 404)
      #expect(answer == (try await ask(Sample.orderID(99))))
    }
  }

  @Test func `every route has a row`() throws {
    let declared =
      try cases(in: "Route.swift", until: "enum Match").filter { $0 != "operator" }
      + cases(in: "OperatorRoute.swift", until: "var spelling").map { "operator.\($0)" }
    #expect(declared.count > 20)
    #expect(declared.sorted() == rows.map(\.testDescription).sorted())
  }

  /// Names of the cases that a source file of MerchantAPI declares before `end`.
  private func cases(in file: String, until end: String) throws -> [String] {
    let root = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let source = try String(
      contentsOf: root.appending(path: "Modules/Core/MerchantAPI/\(file)"), encoding: .utf8)
    return source.split(separator: "\n").prefix { !$0.contains(end) }
      .filter { $0.hasPrefix("  case ") }
      .map { $0.dropFirst(7).prefix { $0 != "(" }.filter { $0 != "`" } }
  }

  /// A world with one payment of `ServerWorld.user` whose money is held and not taken.
  private func withPayment(
    _ body: (ServerWorld, Known) async throws -> Void
  ) async throws {
    var setup = ServerWorld.Setup()
    setup.policy = SettlementPolicy(capture: .manual)
    try await ServerWorld.run(setup) { world in
      let payment = try await world.placed(.authorized)
      let now = world.clock.now
      try await world.store.write { transaction in
        _ = try transaction.openReview(
          ReviewRow(
            orderID: payment.orderID, paymentID: payment.id, kind: .operationFailed,
            detail: "as told", openedAt: now))
      }
      let review = try await world.get("/v1/reviews")["reviews"]?[0]?["review"]?.int64
      let webhook = try await world.get("/v1/webhooks")["webhooks"]?[0]?["webhook_id"]?.text
      try await body(
        world,
        Known(
          payment: payment.id, order: payment.orderID, webhook: WebhookID(try #require(webhook)),
          review: try #require(review)))
    }
  }

  private func use(
    _ route: Route, _ row: AccessRow, token: String?, _ world: ServerWorld
  ) async throws -> HTTPResponse {
    if row.access == .signed, token == nil {
      let forged = HTTPRequest(
        method: route.method, target: route.path, headers: ["X-Secret": "not the provider's"])
      return await world.server.respond(to: forged)
    }
    return try await world.send(
      route.method, route.path, token: token, key: "key-of-its-own", body: Array(row.body.utf8))
  }
}
