/// A call of the provider's API, as its path and method say.
enum TabbyRoute: Hashable {
  case create
  case readSession(String)
  case cancel(session: String)
  case list
  case read(String)
  case update(String)
  case capture(String)
  case refund(String)
  case close(String)
  case addWebhook
  case listWebhooks
  case readWebhook(String)
  case updateWebhook(String)
  case removeWebhook(String)

  /// - Parameter segments: the parts of the path between slashes, not decoded.
  init?(method: String, segments: [String]) {
    guard segments.count >= 3, segments[0] == "api" else { return nil }
    let rest = Array(segments[3...])
    switch (segments[1], segments[2], method, rest.count, rest.last) {
    case ("v2", "checkout", "POST", 0, _): self = .create
    case ("v2", "checkout", "GET", 1, _): self = .readSession(rest[0])
    case ("v2", "checkout", "POST", 2, "cancel"): self = .cancel(session: rest[0])
    case ("v2", "payments", "GET", 0, _): self = .list
    case ("v2", "payments", "GET", 1, _): self = .read(rest[0])
    case ("v2", "payments", "PUT", 1, _): self = .update(rest[0])
    case ("v2", "payments", "POST", 2, "captures"): self = .capture(rest[0])
    case ("v2", "payments", "POST", 2, "refunds"): self = .refund(rest[0])
    case ("v2", "payments", "POST", 2, "close"): self = .close(rest[0])
    case ("v1", "webhooks", "POST", 0, _): self = .addWebhook
    case ("v1", "webhooks", "GET", 0, _): self = .listWebhooks
    case ("v1", "webhooks", "GET", 1, _): self = .readWebhook(rest[0])
    case ("v1", "webhooks", "PUT", 1, _): self = .updateWebhook(rest[0])
    case ("v1", "webhooks", "DELETE", 1, _): self = .removeWebhook(rest[0])
    default: return nil
    }
  }

  var call: TabbyCall {
    switch self {
    case .create: .create
    case .readSession: .readSession
    case .cancel: .cancel
    case .list: .list
    case .read: .read
    case .update: .update
    case .capture: .capture
    case .refund: .refund
    case .close: .close
    case .addWebhook, .listWebhooks, .readWebhook, .updateWebhook, .removeWebhook: .webhooks
    }
  }

  /// The payment or session that the call is about.
  var subject: String? {
    switch self {
    case .readSession(let id), .cancel(let id), .read(let id), .update(let id), .capture(let id),
      .refund(let id), .close(let id):
      id.lowercased()
    case .create, .list, .addWebhook, .listWebhooks, .readWebhook, .updateWebhook, .removeWebhook:
      nil
    }
  }
}
