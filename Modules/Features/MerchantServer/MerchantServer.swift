public import CheckoutService
public import HTTPExchange
public import KitEnvironment
import MerchantAPI
import PaymentModels
public import PaymentStore
public import StatusSync
import StrictJSON

/// The whole merchant backend as a function from request to response.
///
/// Mount it on the kit's own `HTTPListener`, or on any server of your choice by a short adapter
/// that turns its requests into ``HTTPRequest``.
public struct MerchantServer: HTTPHandler {
  let store: any PaymentStore
  let checkouts: CheckoutService
  let sync: StatusSync
  let authenticator: any CallerAuthenticator
  let waiters: WaiterTable
  let settings: ServerSettings
  let environment: KitEnvironment
  let lookups: LookupWindow
  let readiness: ReadinessProbe
  let gate: RequestGate

  /// Composes a server. The store must call ``WaiterTable/committed(_:)`` after each commit.
  public init(
    store: any PaymentStore, checkouts: CheckoutService, sync: StatusSync,
    authenticator: any CallerAuthenticator, waiters: WaiterTable, settings: ServerSettings,
    environment: KitEnvironment
  ) {
    self.store = store
    self.checkouts = checkouts
    self.sync = sync
    self.authenticator = authenticator
    self.waiters = waiters
    self.settings = settings
    self.environment = environment
    lookups = LookupWindow(clock: environment.clock)
    readiness = ReadinessProbe(clock: environment.clock)
    gate = RequestGate(
      settings.rateLimits, trustedProxies: settings.trustedProxies, environment: environment)
  }

  /// Answers one request. Every failure is a problem document with a 4xx or 503 status.
  public func respond(to request: HTTPRequest) async -> HTTPResponse {
    await plainAnswer(request).hardened()
  }

  /// Deliveries, checkouts, and one payment's state: nearly all that there is, and each a few rows.
  public func isBrief(_ request: HTTPRequest) -> Bool {
    let target = request.target.utf8
    switch request.method {
    case "POST": return target.starts(with: "/webhooks/".utf8) || request.target == "/v1/checkouts"
    case "GET":
      let prefix = "/v1/payments/".utf8
      return target.starts(with: prefix)
        && !target.dropFirst(prefix.count).contains(UInt8(ascii: "/"))
    default: return false
    }
  }

  /// What is only looked at. Deliveries, checkouts and what operators do go before, and so do the
  /// questions of load balancer and monitoring.
  public func isDeferrable(_ request: HTTPRequest) -> Bool {
    (request.method == "GET" || request.method == "HEAD")
      && request.target.utf8.starts(with: "/v1/".utf8)
  }

  private func plainAnswer(_ request: HTTPRequest) async -> HTTPResponse {
    do {
      return try await answer(request)
    } catch let problem as Problem {
      return problem.response
    } catch let error as CheckoutError {
      return problem(error).response
    } catch let error as BodyError {
      return Problem(.invalidBody, "\(error).", path: error.path.isEmpty ? nil : error.path)
        .response
    } catch {
      environment.log(
        .error, "a request failed", ("payment_id", paymentText(request)), ("error", "\(error)"))
      return Problem(
        .unavailable, "The store cannot take this now; nothing was changed. Try again."
      ).response
    }
  }

  private func answer(_ request: HTTPRequest) async throws -> HTTPResponse {
    let method = request.method == "HEAD" ? "GET" : request.method
    let match = Route.match(method: method, path: request.path)
    try await gate.admit(request, match)
    switch match {
    case .none:
      throw Problem(.notFound, "There is no such path.")
    case .badIdentifier:
      throw Problem(.notFound, "The id in the path is not a lower-case UUID, as ids here are.")
    case .methodNotAllowed(let methods):
      var response = Problem(
        .methodNotAllowed, "This path takes \(methods.joined(separator: ", "))."
      )
      .response
      response.headers.add("Allow", methods.joined(separator: ", "))
      return response
    case .route(let route):
      guard request.body.count <= settings.bodyBytesMax else {
        throw Problem(.tooLarge, "The body is over \(settings.bodyBytesMax) bytes.")
      }
      return try await answer(request, route)
    }
  }

  private func answer(_ request: HTTPRequest, _ route: Route) async throws -> HTTPResponse {
    // Apart from the others, of which one takes as much memory as the greediest, since thousands
    // of these may wait.
    if case .payment(let id) = route { return try await showPayment(request, id) }
    return try await answerOther(request, route)
  }

  @inline(never)
  private func answerOther(_ request: HTTPRequest, _ route: Route) async throws -> HTTPResponse {
    switch route {
    case .health: return showHealth()
    case .ready: return try await showReadiness()
    case .metrics: return try await showMetrics(request)
    case .returnTrampoline(let outcome): return try sendBack(request, outcome)
    case .appleAssociation: return try showAssociation(settings.associations.apple)
    case .androidAssociation: return try showAssociation(settings.associations.android)
    case .openAPI: return showOpenAPI()
    case .problemPage(let word): return try showProblemPage(word)
    case .lookup(let id): return try await showLookup(request, id)
    case .webhook(let provider): return try await takeWebhook(request, at: provider)
    case .createCheckout: return try await createCheckout(request)
    case .payment: preconditionFailure("answered before")
    case .signals(let id): return try await takeSignal(request, id)
    case .order(let id): return try await showOrder(request, id)
    case .orderJournal(let id): return try await showJournal(request, id)
    case .paymentJournal(let id): return try await showJournal(request, id)
    case .payments: return try await listPayments(request)
    case .operator(let route): return try await answer(request, route)
    case .captures(let id): return try await operate(request, .capture, id)
    case .refunds(let id): return try await operate(request, .refund, id)
    case .close(let id): return try await operate(request, .close, id)
    case .cancelOrder(let id): return try await cancelOrder(request, id)
    }
  }

  /// The payment that a request is about, for a log line.
  private func paymentText(_ request: HTTPRequest) -> String {
    let method = request.method == "HEAD" ? "GET" : request.method
    guard case .route(let route) = Route.match(method: method, path: request.path) else {
      return "none"
    }
    return switch route {
    case .payment(let id), .signals(let id): id
    case .captures(let id), .refunds(let id), .close(let id): id.rawValue
    default: "none"
    }
  }

  private func problem(_ error: CheckoutError) -> Problem {
    let code: Problem.Code =
      switch error.kind {
      case .invalid: .invalidBody
      case .notFound: .notFound
      case .conflict: .conflict
      case .beingPaid: .beingPaid
      case .notOffered: .operationNotOffered
      case .keyReused: .idempotencyMismatch
      case .refused: .providerRefused
      case .paused: .providerPaused
      case .unavailable: .unavailable
      }
    // Rounded up: a caller that comes back to the second finds the way clear.
    let wait = error.retryAfter.map { Int(($0 + .milliseconds(999)).components.seconds) } ?? 1
    return Problem(code, error.detail, path: error.path, retryAfterSeconds: max(1, wait))
  }
}
