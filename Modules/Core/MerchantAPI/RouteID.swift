import PaymentModels

/// Each route of the API once, by its method and path: what the router matches, the client prints
/// and the OpenAPI document lists.
///
/// The name of a case is the operation's id in the document. A place in a path is the name of a
/// ``PathPlace`` in braces.
public enum RouteID: String, Hashable, Sendable, CaseIterable {
  // For the payer's app.
  /// A payer begins a checkout.
  case createCheckout = "POST /v1/checkouts"
  /// An order as it stands.
  case order = "GET /v1/orders/{order_id}"
  /// A payment as it stands.
  case payment = "GET /v1/payments/{payment_id}"
  /// A device tells what it saw.
  case signals = "POST /v1/payments/{payment_id}/signals"
  // For the merchant's people.
  /// Payments, the newest first.
  case payments = "GET /v1/payments"
  /// An order is cancelled.
  case cancelOrder = "POST /v1/orders/{order_id}/cancel"
  /// What happened to an order.
  case orderJournal = "GET /v1/orders/{order_id}/journal"
  /// What happened to a payment.
  case paymentJournal = "GET /v1/payments/{payment_id}/journal"
  /// Held money is taken.
  case captures = "POST /v1/payments/{payment_id}/captures"
  /// Money is given back.
  case refunds = "POST /v1/payments/{payment_id}/refunds"
  /// Held money is let go.
  case close = "POST /v1/payments/{payment_id}/close"
  /// A payment is read at its provider.
  case readPayment = "POST /v1/payments/{payment_id}/read"
  /// Open cases, the oldest first.
  case reviews = "GET /v1/reviews"
  /// One case.
  case review = "GET /v1/reviews/{number}"
  /// A case is decided.
  case resolveReview = "POST /v1/reviews/{number}/resolve"
  /// Received deliveries, the newest first.
  case webhooks = "GET /v1/webhooks"
  /// One delivery.
  case webhook = "GET /v1/webhooks/{webhook_id}"
  /// A delivery goes back into the queue.
  case requeueWebhook = "POST /v1/webhooks/{webhook_id}/requeue"
  /// A delivery is taken once more.
  case replayWebhook = "POST /v1/webhooks/{webhook_id}/replay"
  /// A delivery that was saved elsewhere is taken.
  case replaySaved = "POST /v1/webhooks/replay"
  /// Messages of the outbox, the newest first.
  case messages = "GET /v1/messages"
  /// One message.
  case message = "GET /v1/messages/{message_id}"
  /// A message is sent again.
  case redeliver = "POST /v1/messages/{message_id}/redeliver"
  /// Money that moved.
  case moneyTotals = "GET /v1/totals"
  /// Books are compared.
  case reconcile = "POST /v1/reconcile"
  /// Provider accounts.
  case providers = "GET /v1/providers"
  /// New checkouts at a provider stop.
  case pauseProvider = "POST /v1/providers/{provider}/pause"
  /// New checkouts at a provider go on.
  case resumeProvider = "POST /v1/providers/{provider}/resume"
  /// A buyer is erased.
  case eraseBuyer = "POST /v1/buyers/erase"
  // For providers.
  /// A provider tells something.
  case takeWebhook = "POST /webhooks/{provider}"
  /// A provider's app SDK asks for a payment.
  case lookup = "GET /checkout/api/egw/v1/payments/{provider_payment_id}"
  // For browsers and phones.
  /// A payer comes back from a page.
  case returnTrampoline = "GET /return/{outcome}"
  /// Apps for Apple's systems.
  case appleAssociation = "GET /.well-known/apple-app-site-association"
  /// Apps for Android.
  case androidAssociation = "GET /.well-known/assetlinks.json"
  /// What an error means.
  case problemPage = "GET /problems/{problem}"
  /// The API as a document.
  case openAPI = "GET /openapi.json"
  // For those who run the server.
  /// Whether the process runs.
  case health = "GET /healthz"
  /// Whether it can serve.
  case ready = "GET /readyz"
  /// Counts for monitoring.
  case metrics = "GET /metrics"

  /// The HTTP method.
  public var method: String { String(rawValue.prefix { $0 != " " }) }

  /// The path, with the place in braces if it has one.
  public var pathTemplate: String { String(rawValue.drop { $0 != " " }.dropFirst()) }

  /// What stands in the place of the path; nil if it has none.
  public var place: PathPlace? {
    let name = rawValue.drop { $0 != "{" }.dropFirst().prefix { $0 != "}" }
    return PathPlace(rawValue: String(name))
  }
}

extension RouteID {
  /// The path with `text` in its place.
  func path(_ text: String?) -> String {
    guard let place, let text else { return pathTemplate }
    return pathTemplate.split(separator: "{\(place.rawValue)}", omittingEmptySubsequences: false)
      .joined(separator: text)
  }

  /// The route with what stands in its place.
  func route(_ text: String) -> Route {
    switch self {
    case .createCheckout: .createCheckout
    case .order: .order(OrderID(text))
    case .payment: .payment(text)
    case .signals: .signals(text)
    case .payments: .payments
    case .cancelOrder: .cancelOrder(OrderID(text))
    case .orderJournal: .orderJournal(OrderID(text))
    case .paymentJournal: .paymentJournal(PaymentID(text))
    case .captures: .captures(PaymentID(text))
    case .refunds: .refunds(PaymentID(text))
    case .close: .close(PaymentID(text))
    case .takeWebhook: .webhook(ProviderName(text))
    case .lookup: .lookup(ProviderPaymentID(text))
    case .returnTrampoline: .returnTrampoline(text)
    case .appleAssociation: .appleAssociation
    case .androidAssociation: .androidAssociation
    case .problemPage: .problemPage(text)
    case .openAPI: .openAPI
    case .health: .health
    case .ready: .ready
    case .metrics: .metrics
    case .readPayment: .operator(.readPayment(PaymentID(text)))
    case .reviews: .operator(.reviews)
    case .review: .operator(.review(Int64(text) ?? 0))
    case .resolveReview: .operator(.resolveReview(Int64(text) ?? 0))
    case .webhooks: .operator(.webhooks)
    case .webhook: .operator(.webhook(WebhookID(text)))
    case .requeueWebhook: .operator(.requeueWebhook(WebhookID(text)))
    case .replayWebhook: .operator(.replayWebhook(WebhookID(text)))
    case .replaySaved: .operator(.replaySaved)
    case .messages: .operator(.messages)
    case .message: .operator(.message(MessageID(text)))
    case .redeliver: .operator(.redeliver(MessageID(text)))
    case .moneyTotals: .operator(.moneyTotals)
    case .reconcile: .operator(.reconcile)
    case .providers: .operator(.providers)
    case .pauseProvider: .operator(.pauseProvider(ProviderName(text)))
    case .resumeProvider: .operator(.resumeProvider(ProviderName(text)))
    case .eraseBuyer: .operator(.eraseBuyer)
    }
  }
}
