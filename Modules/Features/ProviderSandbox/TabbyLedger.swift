import HTTPExchange
import KitEnvironment
import PaymentModels
import StrictJSON

/// All that the sandbox knows: payments, registrations, webhooks on their way, its clock.
///
/// No method of it suspends, so each request is answered from one consistent state.
actor TabbyLedger {
  /// An answer and how late it is to be given.
  struct Reply {
    var response: HTTPResponse
    var delay = Duration.zero
  }

  let environment: KitEnvironment
  let publicURL: String?
  var settings: TabbySandboxSettings
  /// How far the sandbox's clock is ahead of the environment's.
  var offset = Duration.zero
  var payments: [SandboxPayment] = []
  var registrations: [WebhookRegistration] = []
  var totals = CallCounts()
  var queue: [WebhookDelivery] = []
  /// No payment changes by itself before this time; nil if none will. It spares each request a
  /// look at every payment.
  var agenda: Instant?
  private var deliveryCount = 0
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

  func reply(to request: HTTPRequest) -> Reply {
    settle()
    defer { poke() }
    let segments = request.path.split(separator: "/", omittingEmptySubsequences: false)
      .dropFirst().map(String.init)
    guard request.body.count <= SandboxLimits.bodyBytesMax else {
      return Reply(response: TabbyError.tooLarge.response)
    }
    switch segments.first {
    case "api": return api(request, segments)
    case "sandbox": return Reply(response: control(request, segments))
    default: return Reply(response: page(request, segments))
    }
  }

  private func api(_ request: HTTPRequest, _ segments: [String]) -> Reply {
    guard let route = TabbyRoute(method: request.method, segments: segments) else {
      return Reply(response: TabbyError.noRoute.response)
    }
    let index = route.subject.flatMap(position)
    totals.count(route.call)
    if let index { payments[index].calls.count(route.call) }
    guard let fault = takeAnswerFault(route.call, index) else {
      return Reply(response: perform(route, request))
    }
    switch fault.kind {
    case .html502: return Reply(response: .proxyPage(502, "502 Bad Gateway"))
    case .html403: return Reply(response: .proxyPage(403, "Attention Required!"))
    case .serverError: return Reply(response: .plain(500, "Internal Server error"))
    case .tooManyRequests: return Reply(response: TabbyError.tooManyRequests.response)
    case .lost:
      _ = perform(route, request)
      return Reply(response: .proxyPage(502, "502 Bad Gateway"))
    case .slow:
      return Reply(response: perform(route, request), delay: .milliseconds(fault.delayMs))
    case .truncated:
      var response = perform(route, request)
      response.body.removeLast(response.body.count / 2)
      return Reply(response: response)
    }
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
      guard
        let match = faults.answers.firstIndex(where: {
          ($0.call ?? call) == call && $0.times > 0
        })
      else { return nil }
      faults.answers[match].times -= 1
      return faults.answers[match]
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
    var room = SandboxLimits.deliveriesInFlightMax - queue.count { $0.state == .sending }
    var due: [WebhookDelivery] = []
    for index in queue.indices.sorted(by: { queue[$0].rank < queue[$1].rank })
    where room > 0 && queue[index].state == .waiting && queue[index].due <= now {
      queue[index].state = .sending
      due.append(queue[index])
      room -= 1
    }
    let waiting = room > 0 ? queue.filter { $0.state == .waiting }.map(\.due) : []
    let (stream, continuation) = AsyncStream<Void>.makeStream(
      bufferingPolicy: .bufferingNewest(1))
    poking = continuation
    return SandboxLoop.Step(
      due: due, wait: (waiting + (agenda.map { [$0] } ?? [])).min()?.since(now), pokes: stream)
  }

  /// Books the outcome of one attempt; `status` is nil if no answer came.
  func finish(_ delivery: WebhookDelivery, status: Int?) {
    guard let index = queue.firstIndex(where: { $0.number == delivery.number }) else { return }
    queue[index].attempts.append(.init(at: now, status: status))
    let failures = queue[index].attempts.count
    environment.log(
      .info, "webhook sent", ("payment", delivery.paymentID), ("status", delivery.status),
      ("answer", status.map(String.init) ?? "none"))
    if status != 200, failures <= settings.webhookRetryMs.count {
      queue[index].due = now + .milliseconds(settings.webhookRetryMs[failures - 1])
      queue[index].state = .waiting
    } else {
      var done = queue.remove(at: index)
      done.state = status == 200 ? .delivered : .lost
      archive(done)
    }
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
        deliveryCount += 1
        var delivery = WebhookDelivery(
          number: deliveryCount, paymentID: payment.id, url: registration.url,
          header: registration.header, body: body, status: status.rawValue.lowercased(),
          captureCount: payment.captures.count, refundCount: payment.refunds.count,
          due: instant + .milliseconds(delay))
        if faults.dropsWebhooks || queue.count >= SandboxLimits.webhookQueueMax {
          delivery.state = faults.dropsWebhooks ? .dropped : .lost
          archive(delivery)
        } else {
          queue.append(delivery)
        }
      }
    }
  }

  private func archive(_ delivery: WebhookDelivery) {
    guard let index = position(delivery.paymentID) else { return }
    payments[index].deliveryLog.append(delivery)
    let excess = payments[index].deliveryLog.count - SandboxLimits.deliveryLogMax
    if excess > 0 { payments[index].deliveryLog.removeFirst(excess) }
  }

  private func poke() { poking?.yield() }
}

extension WebhookDelivery {
  fileprivate var rank: (Instant, Int) { (due, number) }
}
