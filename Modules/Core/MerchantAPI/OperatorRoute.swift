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

  /// The method of the route.
  public var method: String {
    switch self {
    case .webhooks, .webhook: "GET"
    case .requeueWebhook, .replayWebhook, .replaySaved: "POST"
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
    }
  }

  var identifier: String? {
    switch self {
    case .webhook(let id), .requeueWebhook(let id), .replayWebhook(let id): id.rawValue
    case .webhooks, .replaySaved: nil
    }
  }

  /// The routes of a path, each of another method.
  static func candidates(_ parts: [String]) -> [OperatorRoute] {
    guard parts.first == "v1" else { return [] }
    switch parts.dropFirst().first {
    case "webhooks": return webhooks(Array(parts.dropFirst(2)))
    default: return []
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
