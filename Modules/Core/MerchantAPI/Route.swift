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

  /// Finds the route of a request. Ids in the path must be canonical lower-case UUIDs, provider
  /// names and outcomes lower-case words, which keeps `..`, slashes and escapes out of everything
  /// behind.
  public static func match(method: String, path: String) -> Match {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(
      String.init)
    let candidates = Self.candidates(parts)
    guard !candidates.isEmpty else { return .none }
    guard let (_, route) = candidates.first(where: { $0.method == method }) else {
      return .methodNotAllowed(candidates.map(\.method))
    }
    if let id = route.identifier, !isCanonicalUUID(id) { return .badIdentifier }
    return .route(route)
  }

  private static func candidates(_ parts: [String]) -> [(method: String, route: Route)] {
    switch parts.count {
    case 1 where parts[0] == "healthz": [("GET", .health)]
    case 1 where parts[0] == "readyz": [("GET", .ready)]
    case 1 where parts[0] == "metrics": [("GET", .metrics)]
    case 2 where parts[0] == "webhooks" && isWord(parts[1]):
      [("POST", .webhook(ProviderName(parts[1])))]
    case 2 where parts[0] == "return" && isWord(parts[1]): [("GET", .returnTrampoline(parts[1]))]
    case 2 where parts[0] == wellKnown:
      switch parts[1] {
      case appleFile: [("GET", .appleAssociation)]
      case androidFile: [("GET", .androidAssociation)]
      default: []
      }
    case 2 where parts == ["v1", "checkouts"]: [("POST", .createCheckout)]
    case 2 where parts == ["v1", "payments"]: [("GET", .payments)]
    case 3 where parts[0] == "v1" && parts[1] == "orders": [("GET", .order(OrderID(parts[2])))]
    case 3 where parts[0] == "v1" && parts[1] == "payments": [("GET", .payment(parts[2]))]
    case 6 where parts.dropLast().elementsEqual(lookupPath) && isProviderID(parts[5]):
      [("GET", .lookup(ProviderPaymentID(parts[5])))]
    case 4 where parts[0] == "v1" && parts[1] == "orders":
      switch parts[3] {
      case "cancel": [("POST", .cancelOrder(OrderID(parts[2])))]
      case "journal": [("GET", .orderJournal(OrderID(parts[2])))]
      default: []
      }
    case 4 where parts[0] == "v1" && parts[1] == "payments":
      switch parts[3] {
      case "signals": [("POST", .signals(parts[2]))]
      case "journal": [("GET", .paymentJournal(PaymentID(parts[2])))]
      case "captures": [("POST", .captures(PaymentID(parts[2])))]
      case "refunds": [("POST", .refunds(PaymentID(parts[2])))]
      case "close": [("POST", .close(PaymentID(parts[2])))]
      default: []
      }
    default: OperatorRoute.candidates(parts).map { ($0.method, .operator($0)) }
    }
  }

  /// As SEB's page *Hosted checkout* writes it.
  private static let lookupPath = ["checkout", "api", "egw", "v1", "payments"]

  private static let wellKnown = ".well-known"
  private static let appleFile = "apple-app-site-association"
  private static let androidFile = "assetlinks.json"

  /// Whether `text` is 1 to 32 of the letters a–z.
  static func isWord(_ text: String) -> Bool {
    (1...32).contains(text.utf8.count) && text.utf8.allSatisfy { (97...122).contains($0) }
  }

  /// Whether `text` is 1 to 64 ASCII letters, digits, `-` and `_`.
  private static func isProviderID(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy {
        (97...122).contains($0 | 0x20) || (48...57).contains($0) || $0 == 0x2D || $0 == 0x5F
      }
  }

  private var identifier: String? {
    switch self {
    case .order(let id), .cancelOrder(let id), .orderJournal(let id): id.rawValue
    case .payment(let id), .signals(let id): id
    case .captures(let id), .refunds(let id), .close(let id), .paymentJournal(let id): id.rawValue
    case .operator(let route): route.identifier
    // Not of our making, so of another form, which is checked with the path.
    case .lookup: nil
    case .createCheckout, .payments, .webhook, .returnTrampoline,
      .appleAssociation, .androidAssociation, .health, .ready, .metrics:
      nil
    }
  }

  /// The method of the route.
  public var method: String {
    switch self {
    case .createCheckout, .cancelOrder, .signals, .captures, .refunds, .close, .webhook: "POST"
    case .operator(let route): route.method
    case .order, .orderJournal, .paymentJournal, .payments, .payment, .lookup, .returnTrampoline,
      .appleAssociation, .androidAssociation, .health, .ready, .metrics:
      "GET"
    }
  }

  /// The path of the route.
  public var path: String {
    switch self {
    case .createCheckout: "/v1/checkouts"
    case .order(let id): "/v1/orders/\(id)"
    case .cancelOrder(let id): "/v1/orders/\(id)/cancel"
    case .orderJournal(let id): "/v1/orders/\(id)/journal"
    case .payments: "/v1/payments"
    case .operator(let route): route.path
    case .payment(let id): "/v1/payments/\(id)"
    case .signals(let id): "/v1/payments/\(id)/signals"
    case .captures(let id): "/v1/payments/\(id)/captures"
    case .refunds(let id): "/v1/payments/\(id)/refunds"
    case .close(let id): "/v1/payments/\(id)/close"
    case .paymentJournal(let id): "/v1/payments/\(id)/journal"
    case .webhook(let provider): "/webhooks/\(provider)"
    case .lookup(let id): "/\(Self.lookupPath.joined(separator: "/"))/\(id)"
    case .returnTrampoline(let outcome): "/return/\(outcome)"
    case .appleAssociation: "/\(Self.wellKnown)/\(Self.appleFile)"
    case .androidAssociation: "/\(Self.wellKnown)/\(Self.androidFile)"
    case .health: "/healthz"
    case .ready: "/readyz"
    case .metrics: "/metrics"
    }
  }
}
