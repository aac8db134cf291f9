import HTTPExchange
import KitEnvironment
import PaymentModels
import StrictJSON

/// The fake Tebex' calls, and all that it knows.
actor TebexLedger: SandboxLedger {
  static let provider = "tebex"
  static var missing: HTTPResponse { TebexError.notFound("There is no such thing.").response }

  let environment: KitEnvironment
  let links: SandboxLinks
  var settings: TebexSandboxSettings
  var payments: [TebexBasket] = []
  var calls = CallCounts<TebexCall>()
  var queue = WebhookQueue()
  var time: SandboxTime
  var positions = PaymentPositions()
  /// Events that wait for the endpoint's handshake.
  var held: [(delivery: WebhookDelivery, index: Int)] = []
  /// URL and secret of the endpoint that was asked last.
  var asked: [String] = []

  init(settings: TebexSandboxSettings, environment: KitEnvironment, links: SandboxLinks) {
    self.settings = settings
    self.environment = environment
    self.links = links
    time = SandboxTime(environment)
  }

  func serve(_ request: HTTPRequest, _ segments: [String]) -> SandboxReply {
    let path = Array(segments.dropFirst(2))
    switch Array(segments.prefix(2)) {
    case ["headless", "api"] where path.first == "accounts" && path.count >= 2:
      return ofStore(request, path)
    case ["headless", "api"] where path.first == "baskets" && path.count >= 3:
      return ofBasket(request, path)
    case ["checkout", "api"] where path.first == "payments" && path.count >= 2:
      return ofPayment(request, path)
    default: return SandboxReply(response: page(request, segments))
    }
  }

  /// `/accounts/{token}/…`
  private func ofStore(_ request: HTTPRequest, _ path: [String]) -> SandboxReply {
    let isKnown = settings.publicTokens.contains(path[1])
    let rest = Array(path.dropFirst(2))
    switch (request.method, rest.count, rest.first) {
    case ("GET", 0, _):
      return carryOut(.store, nil) { answer(isKnown) { .json(["data": storeJSON]) } }
    case ("GET", 1, "packages"):
      return carryOut(.packages, nil) { answer(isKnown) { .json(["data": packagesJSON]) } }
    case ("POST", 1, "baskets"):
      return carryOut(.create, nil) {
        answer(isKnown) { () throws(TebexError) in try create(request, token: path[1]) }
      }
    case ("GET", 2, "baskets"):
      let index = position(rest[1]).flatMap { payments[$0].id == rest[1] ? $0 : nil }
      return carryOut(.read, index) {
        answer(isKnown) { () throws(TebexError) in
          guard let index else { throw .notFound("Basket not found") }
          return .json(["data": readJSON(index)])
        }
      }
    default: return SandboxReply(response: .plain(404, "Not Found"))
    }
  }

  private func answer(
    _ isKnown: Bool = true, _ perform: () throws(TebexError) -> HTTPResponse
  ) -> HTTPResponse {
    do throws(TebexError) {
      guard isKnown else { throw .unprocessable("The store's token is not known.") }
      return try perform()
    } catch {
      return error.response
    }
  }

  private func create(
    _ request: HTTPRequest, token: String
  ) throws(TebexError) -> HTTPResponse {
    let body: JSONValue
    do throws(JSONError) {
      body = request.body.isEmpty ? .object([]) : try JSONValue(parsing: request.body)
    } catch {
      throw .badRequest("The body is no JSON.")
    }
    let terms = try TebexBasketRequest(body)
    let isKeyKnown = isBasic(request, as: [token])
    if request.headers["Authorization"] != nil, !isKeyKnown { throw .unauthorized }
    if terms.address != nil, !isKeyKnown {
      throw .unprocessable("Basic credentials are required to set an ip address.")
    }
    if settings.requiresUsername, terms.username == nil {
      throw .unprocessable("The username field is required.")
    }
    guard payments.count < SandboxLimits.paymentsMax else { return .full }
    let ident = "1a-\(hexID(40))"
    let basket = TebexBasket(
      id: ident, number: 244_127_617 + Int64(payments.count), request: terms, createdAt: now,
      base: links.base(for: request))
    let index = add(basket, ids: [ident])
    payments[index].trail.calls.count(.create)
    note(index, "basket_created")
    environment.log(.info, "basket created", ("basket", ident))
    return .json(["data": basketJSON(payments[index])])
  }

  /// `/baskets/{ident}/packages…`, for whoever knows the ident.
  private func ofBasket(_ request: HTTPRequest, _ path: [String]) -> SandboxReply {
    let index = position(path[1]).flatMap { payments[$0].id == path[1] ? $0 : nil }
    let call: TebexCall
    switch (request.method, path.count, path[2], path.last) {
    case ("POST", 3, "packages", _): call = .add
    case ("POST", 4, "packages", "remove"): call = .remove
    case ("PUT", 4, "packages", _): call = .quantity
    default: return SandboxReply(response: .plain(404, "Not Found"))
    }
    return carryOut(call, index) {
      answer { () throws(TebexError) in
        guard let index else { throw .notFound("Basket not found") }
        guard payments[index].isOpen else { throw .badRequest("The basket has been paid.") }
        guard let body = try? JSONValue(parsing: request.body) else {
          throw .badRequest("The body is no JSON.")
        }
        try change(index, call, body, target: path.last ?? "")
        let basket = basketJSON(payments[index])
        return .json(settings.wrapsAddAnswer ? .object(["data": basket]) : basket)
      }
    }
  }

  private func change(
    _ index: Int, _ call: TebexCall, _ body: JSONValue, target: String
  ) throws(TebexError) {
    let id =
      call == .quantity
      ? Int64(target) : body["package_id"].flatMap { $0.int64 ?? $0.text.flatMap { Int64($0) } }
    guard let package = TebexPackage.all.first(where: { $0.id == id }) else {
      throw .unprocessable("The package does not exist.")
    }
    let quantity = body["quantity"].map(\.int64) ?? 1
    if package.isSingle, body["quantity"] != nil, call != .remove {
      throw .badRequest("The quantity of this package cannot be set.")
    }
    guard let quantity, (1...1_000).contains(quantity) else {
      throw .unprocessable("The quantity must be a whole number from 1.")
    }
    let known = payments[index].lines.firstIndex { $0.package == package }
    switch (call, known) {
    case (.remove, let known?): payments[index].lines.remove(at: known)
    case (.quantity, let known?): payments[index].lines[known].quantity = quantity
    case (.add, let known?): payments[index].lines[known].quantity += quantity
    case (.add, nil):
      guard payments[index].lines.count < SandboxLimits.itemsMax else {
        throw .unprocessable("The basket is full.")
      }
      payments[index].lines.append(TebexBasket.Line(package: package, quantity: quantity))
    default: throw .unprocessable("The package is not in the basket.")
    }
    note(index, "\(call.rawValue)_package")
  }

  /// `/payments/{transaction}…`
  private func ofPayment(_ request: HTTPRequest, _ path: [String]) -> SandboxReply {
    let call: TebexCall
    switch (request.method, path.count, path.last) {
    case ("GET", 2, _): call = .transaction
    case ("POST", 3, "refund"): call = .refund
    default: return SandboxReply(response: .plain(404, "Not Found"))
    }
    let index = position(path[1]).flatMap { payments[$0].id == path[1] ? nil : $0 }
    return carryOut(call, index) {
      answer { () throws(TebexError) in
        guard isBasic(request, as: [settings.projectID], orByKeyAlone: true) else {
          throw .unauthorized
        }
        guard request.query.contains(where: { $0 == ("type", "txn_id") }), let index,
          let transaction = payments[index].transactions.first(where: { $0.id == path[1] })
        else { throw .notFound("Payment not found") }
        if call == .refund { try refund(index, transaction) }
        return .json(paymentJSON(payments[index], transaction.id))
      }
    }
  }

  private func refund(_ index: Int, _ transaction: TebexTransaction) throws(TebexError) {
    guard transaction.status == .complete else {
      throw .unprocessable("Payments can only be refunded when their status is Complete.")
    }
    setStatus(index, settings.refundsLater ? .refundPending : .refunded, at: now)
  }

  /// `Authorization: Basic` with one of these users and a key, or with a key as the user.
  private func isBasic(
    _ request: HTTPRequest, as users: [String], orByKeyAlone: Bool = false
  ) -> Bool {
    guard let sent = request.headers["Authorization"], sent.hasPrefix("Basic ") else {
      return false
    }
    let credentials = decodedBase64(sent.dropFirst(6))
    return settings.keys.contains { key in
      users.contains { credentials == Array("\($0):\(key.reveal())".utf8) }
        || orByKeyAlone && credentials == Array("\(key.reveal()):".utf8)
    }
  }

  /// So many hexadecimal digits, from the environment's ids.
  func hexID(_ count: Int) -> String {
    var digits = ""
    while digits.count < count { digits += environment.newUUID().filter { $0 != "-" }.suffix(12) }
    return String(digits.prefix(count))
  }
}

extension HTTPResponse {
  fileprivate static func json(_ pairs: KeyValuePairs<String, JSONValue>) -> HTTPResponse {
    .json(JSONValue.object(pairs))
  }
}
