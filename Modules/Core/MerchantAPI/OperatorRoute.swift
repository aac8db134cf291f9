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

  /// The method of the route.
  public var method: String {
    switch self {
    case .webhooks, .webhook, .reviews, .review, .moneyTotals: "GET"
    case .requeueWebhook, .replayWebhook, .replaySaved, .resolveReview, .reconcile: "POST"
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
    }
  }

  var identifier: String? {
    switch self {
    case .webhook(let id), .requeueWebhook(let id), .replayWebhook(let id): id.rawValue
    case .webhooks, .replaySaved, .reviews, .review, .resolveReview, .moneyTotals, .reconcile: nil
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
