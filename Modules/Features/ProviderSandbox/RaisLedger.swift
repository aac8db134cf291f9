import HTTPExchange
import KitEnvironment
import PaymentModels
import StrictJSON

/// All that the fake Raïs knows: payments, webhooks on their way, its clock.
///
/// No method of it suspends, so each request is answered from one consistent state.
actor RaisLedger {
  let environment: KitEnvironment
  let publicURL: String?
  let prefix: String
  var settings: RaisSandboxSettings
  /// How far the sandbox's clock is ahead of the environment's.
  var offset = Duration.zero
  var payments: [RaisPayment] = []
  var queue = WebhookQueue()
  var createCalls: Int64 = 0
  var readCalls: Int64 = 0
  var poking: AsyncStream<Void>.Continuation?
  private var positions: [String: Int] = [:]
  private var keys: [String: Int] = [:]

  init(
    settings: RaisSandboxSettings, environment: KitEnvironment, publicURL: String?, prefix: String
  ) {
    self.settings = settings
    self.environment = environment
    self.publicURL = publicURL
    self.prefix = prefix
  }

  /// The sandbox's time.
  var now: Instant { environment.clock.now() + offset }

  func position(_ id: String) -> Int? { positions[id] }

  func faults(of index: Int) -> RaisFaults { payments[index].faults ?? settings.faults }

  func note(_ index: Int, _ event: String) { payments[index].note(event, at: now) }

  // MARK: Requests

  func reply(to request: HTTPRequest) -> SandboxReply {
    settle()
    defer { poking?.yield() }
    let segments = request.path.split(separator: "/", omittingEmptySubsequences: false)
      .dropFirst().map(String.init)
    guard request.body.count <= SandboxLimits.bodyBytesMax else {
      return SandboxReply(response: RaisError.tooLarge.response)
    }
    switch segments.first {
    case "v1": return api(request, segments)
    case "sandbox": return SandboxReply(response: control(request, segments))
    default: return SandboxReply(response: page(request, segments))
    }
  }

  private func api(_ request: HTTPRequest, _ segments: [String]) -> SandboxReply {
    let call: RaisCall
    switch (request.method, segments.count, segments.dropFirst().first) {
    case ("POST", 2, "payments"): call = .create
    case ("GET", 3, "payments"): call = .read
    default: return SandboxReply(response: RaisError.notFound.response)
    }
    let index = call == .read ? position(segments[2]) : nil
    count(call, index)
    let perform = { self.perform(call, request, index) }
    guard let fault = takeAnswerFault(call, index) else { return SandboxReply(response: perform()) }
    return fault.reply(serverError: "Internal Server Error", perform)
  }

  private func count(_ call: RaisCall, _ index: Int?) {
    switch call {
    case .create: createCalls += 1
    case .read: readCalls += 1
    }
    if let index { payments[index].readCalls += 1 }
  }

  private func perform(_ call: RaisCall, _ request: HTTPRequest, _ index: Int?) -> HTTPResponse {
    do throws(RaisError) {
      try authorize(request)
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

  private func authorize(_ request: HTTPRequest) throws(RaisError) {
    let sent = request.headers["Authorization"] ?? ""
    guard sent.hasPrefix("Bearer rais_sk_test_"),
      settings.keys.contains(where: { $0.reveal() == sent.dropFirst(7) })
    else { throw .unauthorized }
  }

  /// The first fault that is for this call, used up by one.
  private func takeAnswerFault(_ call: RaisCall, _ index: Int?) -> RaisAnswerFault? {
    func take(_ faults: inout RaisFaults) -> RaisAnswerFault? {
      RaisAnswerFault.take(for: call, from: &faults.answers)
    }
    guard let index, var own = payments[index].faults else { return take(&settings.faults) }
    defer { payments[index].faults = own }
    return take(&own)
  }

  // MARK: Create

  /// The key comes first: a repeat finds its payment whatever has become of it. Without a key,
  /// which the document's own `curl` line leaves out, each request makes another payment.
  private func create(_ request: HTTPRequest) throws(RaisError) -> HTTPResponse {
    guard let body = try? JSONValue(parsing: request.body) else { throw .invalid("body") }
    let terms = try RaisTerms(body)
    let key = request.headers["Idempotency-Key"] ?? ""
    guard key.count <= SandboxLimits.textMax else { throw .invalid("Idempotency-Key") }
    if !key.isEmpty, let index = keys[key] {
      guard payments[index].terms.bound == terms.bound else {
        throw .conflict(status: Int(settings.conflictStatus))
      }
      payments[index].createCalls += 1
      return .json(paymentJSON(payments[index]))
    }
    guard payments.count < SandboxLimits.paymentsMax else { throw .full }
    let origin = publicURL ?? "http://" + (request.headers["Host"] ?? "localhost")
    let id = environment.newUUID()
    var payment = RaisPayment(
      id: id, orderNumber: "RS" + id.filter { $0 != "-" }.suffix(8).uppercased(), terms: terms,
      createdAt: now, life: .milliseconds(settings.lifeMs), base: origin + prefix)
    payment.note(payment.status.rawValue, at: now)
    positions[id] = payments.count
    if !key.isEmpty { keys[key] = payments.count }
    payments.append(payment)
    environment.log(.info, "checkout created", ("payment", id))
    return .json(paymentJSON(payment), status: 201)
  }
}
