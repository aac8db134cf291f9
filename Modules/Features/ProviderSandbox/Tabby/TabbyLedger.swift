import HTTPExchange
import KitEnvironment
import PaymentModels
import StrictJSON

/// The fake Tabby's calls, and all that it knows.
actor TabbyLedger: SandboxLedger {
  static let provider = "tabby"
  static let callsOfOnePayment = TabbyCall.aboutOnePayment

  let environment: KitEnvironment
  let links: SandboxLinks
  var settings: TabbySandboxSettings
  var payments: [TabbyPayment] = []
  var registrations: [WebhookRegistration] = []
  var calls = CallCounts<TabbyCall>()
  var queue = WebhookQueue()
  var time: SandboxTime
  var positions = PaymentPositions()
  private var rates = RateWindows()

  init(settings: TabbySandboxSettings, environment: KitEnvironment, links: SandboxLinks) {
    self.settings = settings
    self.environment = environment
    self.links = links
    time = SandboxTime(environment)
  }

  func append(_ payment: TabbyPayment) {
    let index = add(payment, ids: [payment.id, payment.sessionID])
    note(index, .status(payment.status))
  }

  func note(_ index: Int, _ event: TabbyEvent) { note(index, event.name) }

  // MARK: Calls

  func serve(_ request: HTTPRequest, _ segments: [String]) -> SandboxReply {
    guard segments.first == "api" else { return SandboxReply(response: page(request, segments)) }
    guard let route = TabbyRoute(method: request.method, segments: segments) else {
      return SandboxReply(response: TabbyError.noRoute.response)
    }
    return carryOut(
      route.call, route.subject.flatMap(position), serverError: "Internal Server error"
    ) { perform(route, request) }
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
    guard let key = request.bearerToken else {
      throw .notAuthorized(call == .webhooks ? "authorization" : "missing Bearer scheme")
    }
    let takesPublicKey = call == .create && !settings.isStrict
    guard key.hasPrefix("sk_test_") || takesPublicKey && key.hasPrefix("pk_test_"),
      settings.keys.holds(key)
    else {
      switch call {
      case .webhooks: throw .notAuthorized("invalid secret key")
      case .create: throw .notAuthorized("merchant is null")
      default: throw .notAuthorized(nil)
      }
    }
    return key
  }

  // MARK: Webhooks

  /// The provider repeats whatever is answered by anything but exactly 200.
  func isTaken(_ status: Int) -> Bool { status == 200 }

  /// Queues the present state of a payment for every registration of its store.
  func notify(_ index: Int, status: TabbyStatus, at instant: Instant) {
    let payment = payments[index]
    let delays = faults(of: index).webhookDelaysMs
    let delay = delays[min(payment.noticeCount, delays.count - 1)]
    payments[index].noticeCount += 1
    let body = webhookJSON(payment, status: status).serialized()
    for registration in registrations where registration.merchantCode == payment.merchant.code {
      post(
        WebhookDelivery(
          paymentID: payment.id, url: registration.url,
          header: registration.header, body: body, status: status.rawValue.lowercased(),
          captureCount: payment.captures.count, refundCount: payment.refunds.count,
          due: instant + .milliseconds(delay)), about: index)
    }
  }
}
