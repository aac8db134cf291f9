import HTTPExchange
import KitEnvironment
import PaymentModels
import StrictJSON

/// All that the fake Futa knows: payments, webhooks on their way, its clock.
///
/// No method of it suspends, so each request is answered from one consistent state.
actor FutaLedger {
  let environment: KitEnvironment
  let publicURL: String?
  let prefix: String
  var settings: FutaSandboxSettings
  /// How far the sandbox's clock is ahead of the environment's.
  var offset = Duration.zero
  var payments: [FutaPayment] = []
  var queue = WebhookQueue()
  var createCalls: Int64 = 0
  var readCalls: Int64 = 0
  private var positions: [String: Int] = [:]
  private var keys: [String: Int] = [:]
  private var poking: AsyncStream<Void>.Continuation?

  init(
    settings: FutaSandboxSettings, environment: KitEnvironment, publicURL: String?, prefix: String
  ) {
    self.settings = settings
    self.environment = environment
    self.publicURL = publicURL
    self.prefix = prefix
  }

  /// The sandbox's time.
  var now: Instant { environment.clock.now() + offset }

  func position(_ id: String) -> Int? { positions[id] }

  func faults(of index: Int) -> FutaFaults { payments[index].faults ?? settings.faults }

  func note(_ index: Int, _ event: String) { payments[index].note(event, at: now) }

  // MARK: Requests

  func reply(to request: HTTPRequest) -> SandboxReply {
    settle()
    defer { poke() }
    let segments = request.path.split(separator: "/", omittingEmptySubsequences: false)
      .dropFirst().map(String.init)
    guard request.body.count <= SandboxLimits.bodyBytesMax else {
      return SandboxReply(response: FutaError.tooLarge.response)
    }
    switch segments.first {
    case "v1": return api(request, segments)
    case "sandbox": return SandboxReply(response: control(request, segments))
    default: return SandboxReply(response: page(request, segments))
    }
  }

  private func api(_ request: HTTPRequest, _ segments: [String]) -> SandboxReply {
    let call: FutaCall
    switch (request.method, segments.count, segments.dropFirst().first) {
    case ("POST", 2, "payments"): call = .create
    case ("GET", 3, "payments"): call = .read
    default: return SandboxReply(response: FutaError.notFound.response)
    }
    let index = call == .read ? position(segments[2]) : nil
    count(call, index)
    let perform = { self.perform(call, request, segments) }
    guard let fault = takeAnswerFault(call, index) else { return SandboxReply(response: perform()) }
    return fault.reply(serverError: "Internal Server Error", perform)
  }

  private func count(_ call: FutaCall, _ index: Int?) {
    switch call {
    case .create: createCalls += 1
    case .read: readCalls += 1
    }
    if let index { payments[index].readCalls += 1 }
  }

  private func perform(
    _ call: FutaCall, _ request: HTTPRequest, _ segments: [String]
  ) -> HTTPResponse {
    do throws(FutaError) {
      try authorize(request)
      switch call {
      case .create: return try create(request)
      case .read:
        guard let index = position(segments[2]) else { throw .notFound }
        return .json(readJSON(index))
      }
    } catch {
      return error.response
    }
  }

  private func authorize(_ request: HTTPRequest) throws(FutaError) {
    let sent = request.headers["Authorization"] ?? ""
    guard sent.hasPrefix("Bearer "),
      settings.keys.contains(where: { $0.reveal() == sent.dropFirst(7) })
    else { throw .unauthorized }
  }

  /// The first fault that is for this call, used up by one.
  private func takeAnswerFault(_ call: FutaCall, _ index: Int?) -> FutaAnswerFault? {
    func take(_ faults: inout FutaFaults) -> FutaAnswerFault? {
      FutaAnswerFault.take(for: call, from: &faults.answers)
    }
    guard let index, var own = payments[index].faults else { return take(&settings.faults) }
    defer { payments[index].faults = own }
    return take(&own)
  }

  // MARK: Create

  /// The key comes first: a repeat finds its payment also when its terms would be refused by now.
  private func create(_ request: HTTPRequest) throws(FutaError) -> HTTPResponse {
    guard let body = try? JSONValue(parsing: request.body) else { throw .invalid("body") }
    let key = request.headers["Idempotency-Key"] ?? ""
    guard !key.isEmpty || !settings.requiresKey else { throw .keyMissing }
    if !key.isEmpty, let index = keys[key] {
      guard payments[index].terms.bound == FutaTerms.sorted(body) else {
        throw .conflict(status: Int(settings.conflictStatus))
      }
      payments[index].createCalls += 1
      return .json(paymentJSON(payments[index]))
    }
    let terms = try FutaTerms(body, settings: settings, now: now)
    guard payments.count < SandboxLimits.paymentsMax else { throw .full }
    let origin = publicURL ?? "http://" + (request.headers["Host"] ?? "localhost")
    var payment = FutaPayment(
      id: "pay_\(environment.newUUID())", key: key, terms: terms, createdAt: now,
      base: origin + prefix)
    payment.createCalls = 1
    payment.note(payment.state.rawValue, at: now)
    positions[payment.id] = payments.count
    if !key.isEmpty { keys[key] = payments.count }
    payments.append(payment)
    environment.log(.info, "checkout created", ("payment", payment.id))
    let index = payments.count - 1
    if let msisdn = terms.msisdn { payByPhone(index, msisdn) }
    return .json(paymentJSON(payments[index]), status: 201)
  }

  // MARK: Deliveries

  /// Takes what is due and says how long to wait for more.
  func nextStep() -> SandboxLoop.Step {
    settle()
    let now = now
    let due = queue.takeDue(at: now)
    let (stream, continuation) = AsyncStream<Void>.makeStream(
      bufferingPolicy: .bufferingNewest(1))
    poking = continuation
    let times = payments.compactMap { nextChange(of: $0)?.at } + [queue.nextDue].compactMap { $0 }
    return SandboxLoop.Step(due: due, wait: times.min()?.since(now), pokes: stream)
  }

  /// Header and value that sign a body; nil without a secret.
  func signature(of body: [UInt8]) -> (title: String, value: String)? {
    guard let secret = settings.webhookSecret, let title = settings.webhookHeader else {
      return nil
    }
    return (
      title,
      settings.webhookScheme.signature(of: body, secret: secret, environment: environment)
    )
  }

  /// Books the outcome of one attempt; `status` is nil if no answer came.
  func finish(_ delivery: WebhookDelivery, status: Int?) {
    let isTaken = (200..<300).contains(status ?? 0)
    environment.log(
      .info, "webhook sent", ("payment", delivery.paymentID), ("status", delivery.status),
      ("answer", status.map(String.init) ?? "none"))
    let done = queue.finish(
      delivery, status: status, isTaken: isTaken, at: now, retryMs: settings.webhookRetryMs)
    if let done { archive(done) }
    poke()
  }

  /// Queues the present state of a payment for the merchant.
  func notify(_ index: Int, at instant: Instant) {
    guard let url = settings.webhookURL else { return }
    let faults = faults(of: index)
    let payment = payments[index]
    let body = JSONValue.object([
      "id": .string("evt_\(environment.newUUID())"), "event": "payment.updated",
      "payment": paymentJSON(payment),
    ]).serialized()
    for _ in 0..<faults.webhookCopies {
      let delivery = WebhookDelivery(
        paymentID: payment.id, url: url, header: nil, body: body,
        status: word(payment.state), captureCount: payment.state == .paid ? 1 : 0,
        refundCount: payment.state == .refunded ? 1 : 0, due: instant)
      let unsent = queue.add(delivery, isDropped: faults.dropsWebhooks)
      if let unsent { archive(unsent) }
    }
  }

  private func archive(_ delivery: WebhookDelivery) {
    guard let index = position(delivery.paymentID) else { return }
    payments[index].deliveryLog.remember(delivery)
  }

  private func poke() { poking?.yield() }
}
