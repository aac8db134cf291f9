public import PaymentModels

/// A route of the kit's own HTTP API: the server parses it, the client prints it.
public enum Route: Hashable, Sendable {
  /// `POST /v1/checkouts`
  case createCheckout
  /// `GET /v1/orders/{order_id}`
  case order(OrderID)
  /// `POST /v1/orders/{order_id}/cancel`
  case cancelOrder(OrderID)
  /// `GET /v1/orders/{order_id}/journal?after=…&limit=…`
  case orderJournal(OrderID)
  /// `GET /v1/payments/{payment_id}/journal?after=…&limit=…`
  case paymentJournal(PaymentID)
  /// `GET /v1/payments?before=…&limit=…`
  case payments
  /// What an operator does below `/v1` with the inbox and its neighbours.
  case `operator`(OperatorRoute)
  /// `GET /v1/payments/{payment_id}`; the id is the kit's or any that the provider gave.
  case payment(String)
  /// `POST /v1/payments/{payment_id}/signals`
  case signals(String)
  /// `POST /v1/payments/{payment_id}/captures`
  case captures(PaymentID)
  /// `POST /v1/payments/{payment_id}/refunds`
  case refunds(PaymentID)
  /// `POST /v1/payments/{payment_id}/close`
  case close(PaymentID)
  /// `POST /webhooks/{provider}`
  case webhook(ProviderName)
  /// `GET /checkout/api/egw/v1/payments/{id}`: where SEB's app SDK asks for a payment; the id is
  /// the provider's.
  case lookup(ProviderPaymentID)
  /// `GET /return/{outcome}`: a page that leads on to the app.
  case returnTrampoline(String)
  /// `GET /.well-known/apple-app-site-association`: which apps Apple's systems open links in.
  case appleAssociation
  /// `GET /.well-known/assetlinks.json`: which apps Android opens links in.
  case androidAssociation
  /// `GET /healthz`: the process runs.
  case health
  /// `GET /readyz`: the store answers, so requests can be served.
  case ready
  /// `GET /metrics`: counts for monitoring, as Prometheus reads them.
  case metrics
  /// `GET /openapi.json`: this API as an OpenAPI document.
  case openAPI
  /// `GET /problems/{problem}`: what an error means and what to do, for people.
  case problemPage(String)

  /// What a path and method lead to.
  public enum Match: Hashable, Sendable {
    /// This route.
    case route(Route)
    /// The path exists, but only for these methods.
    case methodNotAllowed([String])
    /// An id in the path is not of the form that ids have.
    case badIdentifier
    /// No such path.
    case none
  }

  /// The method of the route.
  public var method: String { spelling.id.method }

  /// The path of the route.
  public var path: String { spelling.id.path(spelling.place) }

  /// Which route it is, without what stands in its place.
  public var id: RouteID { spelling.id }

  private var spelling: (id: RouteID, place: String?) {
    switch self {
    case .createCheckout: (.createCheckout, nil)
    case .order(let id): (.order, id.rawValue)
    case .cancelOrder(let id): (.cancelOrder, id.rawValue)
    case .orderJournal(let id): (.orderJournal, id.rawValue)
    case .paymentJournal(let id): (.paymentJournal, id.rawValue)
    case .payments: (.payments, nil)
    case .operator(let route): route.spelling
    case .payment(let id): (.payment, id)
    case .signals(let id): (.signals, id)
    case .captures(let id): (.captures, id.rawValue)
    case .refunds(let id): (.refunds, id.rawValue)
    case .close(let id): (.close, id.rawValue)
    case .webhook(let provider): (.takeWebhook, provider.rawValue)
    case .lookup(let id): (.lookup, id.rawValue)
    case .returnTrampoline(let outcome): (.returnTrampoline, outcome)
    case .appleAssociation: (.appleAssociation, nil)
    case .androidAssociation: (.androidAssociation, nil)
    case .problemPage(let word): (.problemPage, word)
    case .openAPI: (.openAPI, nil)
    case .health: (.health, nil)
    case .ready: (.ready, nil)
    case .metrics: (.metrics, nil)
    }
  }
}
