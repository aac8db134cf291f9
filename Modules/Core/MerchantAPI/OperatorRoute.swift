public import PaymentModels

/// A route below `/v1` for the people who run the shop; each takes an operator key.
public enum OperatorRoute: Hashable, Sendable {
  /// `GET /v1/webhooks?state=…&provider=…&before=…&limit=…`: received deliveries, newest first.
  case webhooks
  /// `GET /v1/webhooks/{webhook_id}?body=1`: one of them, with its journal.
  case webhook(WebhookID)
  /// `POST /v1/webhooks/{webhook_id}/requeue`
  case requeueWebhook(WebhookID)
  /// `POST /v1/webhooks/{webhook_id}/replay`
  case replayWebhook(WebhookID)
  /// `POST /v1/webhooks/replay`: a delivery that was saved elsewhere.
  case replaySaved
  /// `POST /v1/payments/{payment_id}/read`: a read at the provider, also of a payment that has come
  /// to its end.
  case readPayment(PaymentID)
  /// `GET /v1/reviews?after=…&limit=…`: open cases, the oldest first.
  case reviews
  /// `GET /v1/reviews/{number}`
  case review(Int64)
  /// `POST /v1/reviews/{number}/resolve`
  case resolveReview(Int64)
  /// `GET /v1/totals?from=…&to=…`: money that moved, by account and currency.
  case moneyTotals
  /// `POST /v1/reconcile`: one page of the providers' books compared with ours.
  case reconcile

  /// `GET /v1/messages?state=…&before=…&limit=…`: messages of the outbox, newest first.
  case messages
  /// `GET /v1/messages/{message_id}`: one of them, with all of its order.
  case message(MessageID)
  /// `POST /v1/messages/{message_id}/redeliver`
  case redeliver(MessageID)

  /// `GET /v1/providers`: each account, and whether new checkouts are paused there.
  case providers
  /// `POST /v1/providers/{provider}/pause`
  case pauseProvider(ProviderName)
  /// `POST /v1/providers/{provider}/resume`
  case resumeProvider(ProviderName)
  /// `POST /v1/buyers/erase`
  case eraseBuyer

  var spelling: (id: RouteID, place: String?) {
    switch self {
    case .webhooks: (.webhooks, nil)
    case .webhook(let id): (.webhook, id.rawValue)
    case .requeueWebhook(let id): (.requeueWebhook, id.rawValue)
    case .replayWebhook(let id): (.replayWebhook, id.rawValue)
    case .replaySaved: (.replaySaved, nil)
    case .readPayment(let id): (.readPayment, id.rawValue)
    case .reviews: (.reviews, nil)
    case .review(let number): (.review, "\(number)")
    case .resolveReview(let number): (.resolveReview, "\(number)")
    case .moneyTotals: (.moneyTotals, nil)
    case .reconcile: (.reconcile, nil)
    case .providers: (.providers, nil)
    case .pauseProvider(let name): (.pauseProvider, name.rawValue)
    case .resumeProvider(let name): (.resumeProvider, name.rawValue)
    case .eraseBuyer: (.eraseBuyer, nil)
    case .messages: (.messages, nil)
    case .message(let id): (.message, id.rawValue)
    case .redeliver(let id): (.redeliver, id.rawValue)
    }
  }
}
