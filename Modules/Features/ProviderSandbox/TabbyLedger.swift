import HTTPExchange
import KitEnvironment
import PaymentModels
import StrictJSON

/// All that the sandbox knows: payments, registrations, webhooks on their way, its clock.
///
/// No method of it suspends, so each request is answered from one consistent state.
actor TabbyLedger {
  let environment: KitEnvironment
  let publicURL: String?
  var settings: TabbySandboxSettings
  /// How far the sandbox's clock is ahead of the environment's.
  var offset = Duration.zero
  var payments: [SandboxPayment] = []
  var registrations: [WebhookRegistration] = []
  var totals = CallCounts()
  var queue = WebhookQueue()
  /// No payment changes by itself before this time; nil if none will. It spares each request a
  /// look at every payment.
  var agenda: Instant?
  private var positions: [String: Int] = [:]
  private var rates = RateWindows()
  private var poking: AsyncStream<Void>.Continuation?

  init(settings: TabbySandboxSettings, environment: KitEnvironment, publicURL: String?) {
    self.settings = settings
    self.environment = environment
    self.publicURL = publicURL
  }

  /// The sandbox's time.
  var now: Instant { environment.clock.now() + offset }

  /// Position of the payment with this payment or session id.
  func position(_ id: String) -> Int? { positions[id] }

  func append(_ payment: SandboxPayment) {
    positions[payment.id] = payments.count
    positions[payment.sessionID] = payments.count
    payments.append(payment)
    note(payments.count - 1, .status(payment.status))
    book(payments.count - 1)
  }

  func note(_ index: Int, _ event: SandboxEvent) { payments[index].note(event, at: now) }

  func faults(of index: Int) -> TabbyFaults { payments[index].faults ?? settings.faults }

  // MARK: Requests

  func reply(to request: HTTPRequest) -> SandboxReply {
    settle()
    defer { poke() }
    let segments = request.path.split(separator: "/", omittingEmptySubsequences: false)
      .dropFirst().map(String.init)
    guard request.body.count <= SandboxLimits.bodyBytesMax else {
      return SandboxReply(response: TabbyError.tooLarge.response)
    }
    switch segments.first {
    case "api": return api(request, segments)
    case "sandbox": return SandboxReply(response: control(request, segments))
    default: return SandboxReply(response: page(request, segments))
    }
  }

  private func api(_ request: HTTPRequest, _ segments: [String]) -> SandboxReply {
    guard let route = TabbyRoute(method: request.method, segments: segments) else {
      return SandboxReply(response: TabbyError.noRoute.response)
    }
    let index = route.subject.flatMap(position)
    totals.count(route.call)
    if let index { payments[index].calls.count(route.call) }
    guard let fault = takeAnswerFault(route.call, index) else {
      return SandboxReply(response: perform(route, request))
    }
    return fault.reply(serverError: "Internal Server error") { perform(route, request) }
  }

  private func perform(_ route: TabbyRoute, _ request: HTTPRequest) -> HTTPResponse {
    do throws(TabbyError) {
      let key = try authorize(route.call, request)
      if settings.limitsRate, !rates.take(key, isCreate: route.call == .create, now) {
        throw .tooManyRequests
      }
      return .json(try answer(route, request, key))
    } catch {
      return error.response
    }
  }

  private func answer(
    _ route: TabbyRoute, _ request: HTTPRequest, _ key: String
  ) throws(TabbyError) -> JSONValue {
    switch route {
    case .create: try create(request)
    case .readSession(let id): try readSession(id)
    case .cancel(let id): try cancel(id)
    case .list: try list(request)
    case .read(let id): readJSON(try known(id))
    case .update(let id): try update(id, request)
    case .capture(let id): try capture(id, request)
    case .refund(let id): try refund(id, request)
    case .close(let id): try close(id)
    case .addWebhook, .listWebhooks, .readWebhook, .updateWebhook, .removeWebhook:
      try webhooks(route, request, key)
    }
  }

  /// The key of the request, if it may make the call.
  private func authorize(
    _ call: TabbyCall, _ request: HTTPRequest
  ) throws(TabbyError) -> String {
    let header = request.headers["Authorization"] ?? ""
    guard header.hasPrefix("Bearer ") else {
      throw .notAuthorized(call == .webhooks ? "authorization" : "missing Bearer scheme")
    }
    let key = String(header.dropFirst(7))
    let takesPublicKey = call == .create && !settings.isStrict
    guard key.hasPrefix("sk_test_") || takesPublicKey && key.hasPrefix("pk_test_"),
      settings.keys.contains(where: { $0.reveal() == key })
    else {
      switch call {
      case .webhooks: throw .notAuthorized("invalid secret key")
      case .create: throw .notAuthorized("merchant is null")
      default: throw .notAuthorized(nil)
      }
    }
    return key
  }

  /// The first fault that is for this call, used up by one.
  private func takeAnswerFault(_ call: TabbyCall, _ index: Int?) -> TabbyAnswerFault? {
    func take(_ faults: inout TabbyFaults) -> TabbyAnswerFault? {
      TabbyAnswerFault.take(for: call, from: &faults.answers)
    }
    guard let index, var own = payments[index].faults else { return take(&settings.faults) }
    defer { payments[index].faults = own }
    return take(&own)
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
    let times = [agenda, queue.nextDue].compactMap { $0 }
    return SandboxLoop.Step(due: due, wait: times.min()?.since(now), pokes: stream)
  }

  /// Books the outcome of one attempt; `status` is nil if no answer came.
  func finish(_ delivery: WebhookDelivery, status: Int?) {
    environment.log(
      .info, "webhook sent", ("payment", delivery.paymentID), ("status", delivery.status),
      ("answer", status.map(String.init) ?? "none"))
    let done = queue.finish(
      delivery, status: status, isTaken: status == 200, at: now, retryMs: settings.webhookRetryMs)
    if let done { archive(done) }
    poke()
  }

  /// Queues the present state of a payment for every registration of its store.
  func notify(_ index: Int, status: TabbyStatus, at instant: Instant) {
    let faults = faults(of: index)
    let payment = payments[index]
    let delays = faults.webhookDelaysMs
    let delay = delays[min(payment.noticeCount, delays.count - 1)]
    payments[index].noticeCount += 1
    let body = webhookJSON(payment, status: status).serialized()
    for registration in registrations where registration.merchantCode == payment.merchant.code {
      for _ in 0..<faults.webhookCopies {
        let delivery = WebhookDelivery(
          paymentID: payment.id, url: registration.url,
          header: registration.header, body: body, status: status.rawValue.lowercased(),
          captureCount: payment.captures.count, refundCount: payment.refunds.count,
          due: instant + .milliseconds(delay))
        let unsent = queue.add(delivery, isDropped: faults.dropsWebhooks)
        if let unsent { archive(unsent) }
      }
    }
  }

  private func archive(_ delivery: WebhookDelivery) {
    guard let index = position(delivery.paymentID) else { return }
    payments[index].deliveryLog.remember(delivery)
  }

  private func poke() { poking?.yield() }
}
