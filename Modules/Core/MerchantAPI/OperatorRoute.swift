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

  /// The method of the route.
  public var method: String {
    switch self {
    case .webhooks, .webhook, .reviews, .review, .moneyTotals, .messages, .message, .providers:
      "GET"
    case .requeueWebhook, .replayWebhook, .replaySaved, .resolveReview, .reconcile, .redeliver,
      .pauseProvider, .resumeProvider, .eraseBuyer:
      "POST"
    }
  }

  /// The path of the route.
  public var path: String {
    switch self {
    case .webhooks: "/v1/webhooks"
    case .webhook(let id): "/v1/webhooks/\(id)"
    case .requeueWebhook(let id): "/v1/webhooks/\(id)/requeue"
    case .replayWebhook(let id): "/v1/webhooks/\(id)/replay"
    case .replaySaved: "/v1/webhooks/replay"
    case .reviews: "/v1/reviews"
    case .review(let number): "/v1/reviews/\(number)"
    case .resolveReview(let number): "/v1/reviews/\(number)/resolve"
    case .moneyTotals: "/v1/totals"
    case .reconcile: "/v1/reconcile"
    case .providers: "/v1/providers"
    case .pauseProvider(let name): "/v1/providers/\(name)/pause"
    case .resumeProvider(let name): "/v1/providers/\(name)/resume"
    case .eraseBuyer: "/v1/buyers/erase"
    case .messages: "/v1/messages"
    case .message(let id): "/v1/messages/\(id)"
    case .redeliver(let id): "/v1/messages/\(id)/redeliver"
    }
  }

  var identifier: String? {
    switch self {
    case .webhook(let id), .requeueWebhook(let id), .replayWebhook(let id): id.rawValue
    case .message(let id), .redeliver(let id): id.rawValue
    case .webhooks, .replaySaved, .reviews, .review, .resolveReview, .moneyTotals, .reconcile,
      .messages, .providers, .pauseProvider, .resumeProvider, .eraseBuyer:
      nil
    }
  }

  /// The routes of a path, each of another method.
  static func candidates(_ parts: [String]) -> [OperatorRoute] {
    guard parts.first == "v1" else { return [] }
    switch parts.dropFirst().first {
    case "totals" where parts.count == 2: return [.moneyTotals]
    case "reconcile" where parts.count == 2: return [.reconcile]
    case "webhooks": return webhooks(Array(parts.dropFirst(2)))
    case "reviews": return reviews(Array(parts.dropFirst(2)))
    case "providers": return providers(Array(parts.dropFirst(2)))
    case "buyers": return parts.count == 3 && parts[2] == "erase" ? [.eraseBuyer] : []
    case "messages": return messages(Array(parts.dropFirst(2)))
    default: return []
    }
  }

  private static func reviews(_ rest: [String]) -> [OperatorRoute] {
    guard let first = rest.first else { return [.reviews] }
    // As the server writes it: no sign, no leading zero.
    guard let number = Int64(first), number > 0, "\(number)" == first else { return [] }
    return switch rest.dropFirst() {
    case []: [.review(number)]
    case ["resolve"]: [.resolveReview(number)]
    default: []
    }
  }

  private static func providers(_ rest: [String]) -> [OperatorRoute] {
    guard rest.count == 2, Route.isWord(rest[0]) else { return rest.isEmpty ? [.providers] : [] }
    switch rest[1] {
    case "pause": return [.pauseProvider(ProviderName(rest[0]))]
    case "resume": return [.resumeProvider(ProviderName(rest[0]))]
    default: return []
    }
  }

  private static func messages(_ rest: [String]) -> [OperatorRoute] {
    switch (rest.count, rest.last) {
    case (0, _): [.messages]
    case (1, let id?): [.message(MessageID(id))]
    case (2, "redeliver"): [.redeliver(MessageID(rest[0]))]
    default: []
    }
  }

  private static func webhooks(_ rest: [String]) -> [OperatorRoute] {
    switch (rest.count, rest.last) {
    case (0, _): [.webhooks]
    case (1, "replay"): [.replaySaved]
    case (1, let id?): [.webhook(WebhookID(id))]
    case (2, "requeue"): [.requeueWebhook(WebhookID(rest[0]))]
    case (2, "replay"): [.replayWebhook(WebhookID(rest[0]))]
    default: []
    }
  }
}
