import HTTPExchange
import KitEnvironment
import PaymentModels
import StrictJSON

/// The fake Raïs' calls, and all that it knows.
actor RaisLedger: SandboxLedger {
  static let provider = "rais"
  static var missing: HTTPResponse { CodedError.notFound.response }

  let environment: KitEnvironment
  let links: SandboxLinks
  var settings: RaisSandboxSettings
  var payments: [RaisPayment] = []
  var calls = CallCounts<RaisCall>()
  var queue = WebhookQueue()
  var time: SandboxTime
  var positions = PaymentPositions()

  init(settings: RaisSandboxSettings, environment: KitEnvironment, links: SandboxLinks) {
    self.settings = settings
    self.environment = environment
    self.links = links
    time = SandboxTime(environment)
  }

  func serve(_ request: HTTPRequest, _ segments: [String]) -> SandboxReply {
    guard segments.first == "v1" else { return SandboxReply(response: page(request, segments)) }
    switch (request.method, segments.count, segments.dropFirst().first) {
    case ("POST", 2, "payments"):
      return carryOut(.create, nil) { answer(.create, request, nil) }
    case ("GET", 3, "payments"):
      let index = position(segments[2])
      return carryOut(.read, index) { answer(.read, request, index) }
    default: return SandboxReply(response: CodedError.notFound.response)
    }
  }

  private func answer(_ call: RaisCall, _ request: HTTPRequest, _ index: Int?) -> HTTPResponse {
    do throws(CodedError) {
      guard let key = request.bearerToken, key.hasPrefix("rais_sk_test_"),
        settings.keys.holds(key)
      else {
        throw .unauthorized
      }
      switch call {
      case .create: return try create(request)
      case .read:
        guard let index else { throw .notFound }
        return .json(readJSON(index))
      }
    } catch {
      return error.response
    }
  }

  /// The key comes first: a repeat finds its payment whatever has become of it. Without a key,
  /// which the document's own `curl` line leaves out, each request makes another payment.
  private func create(_ request: HTTPRequest) throws(CodedError) -> HTTPResponse {
    guard let body = try? JSONValue(parsing: request.body) else { throw .invalid("body") }
    let terms = try RaisTerms(body)
    let key = request.headers["Idempotency-Key"] ?? ""
    guard key.count <= SandboxLimits.textMax else { throw .invalid("Idempotency-Key") }
    let bound = JSONValue.object((body.members ?? []).sorted { $0.name < $1.name })
    switch positions.use(of: key, for: bound) {
    case .taken: throw .conflict(status: settings.conflictStatus)
    case .repeated(let index):
      payments[index].trail.calls.count(.create)
      return .json(paymentJSON(payments[index]))
    case .new: break
    }
    guard payments.count < SandboxLimits.paymentsMax else { throw .full }
    let id = environment.newUUID()
    let payment = RaisPayment(
      id: id, orderNumber: "RS" + id.filter { $0 != "-" }.suffix(8).uppercased(), terms: terms,
      createdAt: now, expiresAt: now + .milliseconds(settings.lifeMs),
      base: links.base(for: request))
    let index = add(payment, ids: [id])
    positions.bind(key, terms: bound, to: index)
    payments[index].trail.calls.count(.create)
    note(index, payment.status.rawValue)
    environment.log(.info, "checkout created", ("payment", id))
    return .json(paymentJSON(payment), status: 201)
  }

  /// Queues the present state of a payment for the merchant. The shape is not documented.
  func notify(_ index: Int, at instant: Instant) {
    guard let url = settings.webhookURL else { return }
    let payment = payments[index]
    let status = word(payment.status)
    let body = JSONValue.object([
      "id": .string("evt_\(environment.newUUID())"), "type": .string("payment.\(status)"),
      "created_at": .string(instant.description), "data": paymentJSON(payment),
    ]).serialized()
    post(
      WebhookDelivery(
        paymentID: payment.id, url: url, header: nil, body: body,
        status: status, captureCount: payment.status == .paid ? 1 : 0, refundCount: 0,
        due: instant + .milliseconds(faults(of: index).webhookDelayMs)), about: index)
  }
}
