import HTTPExchange
import KitEnvironment
import PaymentModels
import StrictJSON

/// The fake Futa's calls, and all that it knows.
actor FutaLedger: SandboxLedger {
  static let provider = "futa"
  static var missing: HTTPResponse { CodedError.notFound.response }

  let environment: KitEnvironment
  let links: SandboxLinks
  var settings: FutaSandboxSettings
  var payments: [FutaPayment] = []
  var calls = CallCounts<FutaCall>()
  var queue = WebhookQueue()
  var time: SandboxTime
  var positions = PaymentPositions()

  init(settings: FutaSandboxSettings, environment: KitEnvironment, links: SandboxLinks) {
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

  private func answer(_ call: FutaCall, _ request: HTTPRequest, _ index: Int?) -> HTTPResponse {
    do throws(CodedError) {
      guard let key = request.bearerToken, settings.keys.holds(key) else {
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

  /// The key comes first: a repeat finds its payment also when its terms would be refused by now.
  private func create(_ request: HTTPRequest) throws(CodedError) -> HTTPResponse {
    guard let body = try? JSONValue(parsing: request.body) else { throw .invalid("body") }
    let key = request.headers["Idempotency-Key"] ?? ""
    guard !key.isEmpty || !settings.requiresKey else { throw .keyMissing }
    let bound = FutaTerms.sorted(body)
    switch positions.use(of: key, for: bound) {
    case .taken: throw .conflict(status: settings.conflictStatus)
    case .repeated(let index):
      payments[index].trail.calls.count(.create)
      return .json(paymentJSON(payments[index]))
    case .new: break
    }
    let terms = try FutaTerms(body, settings: settings, now: now)
    guard payments.count < SandboxLimits.paymentsMax else { throw .full }
    let payment = FutaPayment(
      id: "pay_\(environment.newUUID())", terms: terms, createdAt: now,
      base: links.base(for: request))
    let index = add(payment, ids: [payment.id])
    positions.bind(key, terms: bound, to: index)
    payments[index].trail.calls.count(.create)
    note(index, payment.state.rawValue)
    environment.log(.info, "checkout created", ("payment", payment.id))
    if let msisdn = terms.msisdn { payByPhone(index, msisdn) }
    return .json(paymentJSON(payments[index]), status: 201)
  }

  /// Queues the present state of a payment for the merchant.
  func notify(_ index: Int, at instant: Instant) {
    guard let url = settings.webhookURL else { return }
    let payment = payments[index]
    let body = JSONValue.object([
      "id": .string("evt_\(environment.newUUID())"), "event": "payment.updated",
      "payment": paymentJSON(payment),
    ]).serialized()
    post(
      WebhookDelivery(
        paymentID: payment.id, url: url, header: nil, body: body,
        status: word(payment.state), captureCount: payment.state == .paid ? 1 : 0,
        refundCount: payment.state == .refunded ? 1 : 0,
        due: instant + .milliseconds(faults(of: index).webhookDelayMs)), about: index)
  }
}

extension CodedError {
  static let keyMissing = CodedError(
    400, "idempotency_key_missing", "Idempotency-Key is missing")
  /// Direct mode and embedding exclude each other.
  static let embeddingRefused = CodedError(
    422, "embedding_refused", "direct mode refuses embedding")
}
