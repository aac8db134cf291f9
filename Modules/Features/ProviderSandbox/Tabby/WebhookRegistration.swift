import StrictJSON

/// A merchant's registration for webhooks.
struct WebhookRegistration: Sendable, Hashable {
  let id: String
  let key: String
  let merchantCode: String
  var url: String
  /// The static header that each delivery repeats.
  var header: WebhookHeader?

  var json: JSONValue {
    .object([
      "id": .string(id), "url": .string(url), "is_test": .bool(true),
      "header": header.map {
        .object(["title": .string($0.title), "value": .string($0.value)])
      } ?? .null,
    ])
  }
}
