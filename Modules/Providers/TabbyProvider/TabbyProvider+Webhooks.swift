import HTTPExchange
public import ProviderInterface
import PaymentModels
import StrictJSON

/// Tabby's webhooks belong to a secret key and a merchant code: a live key starts with none, and
/// so does each further merchant code (Tabby, *Webhooks*).
extension TabbyProvider: WebhookRegistering {
  /// Four for each key and merchant code.
  public var webhooksMax: Int { tabbyWebhooksMax }

  /// Lists the webhooks. Tabby's reference shows one object or null where its own plugins read an
  /// array; all three are taken.
  public func webhooks() async throws(ProviderError) -> [RegisteredWebhook] {
    let json = try await webhookCall("GET")
    let elements = json.isNull ? [] : json.elements ?? [json]
    var webhooks: [RegisteredWebhook] = []
    for element in elements { webhooks.append(try webhook(element)) }
    return webhooks
  }

  /// Adds a webhook with the first value of the account's header. Tabby does not say what a URL
  /// that is there already becomes: look first.
  public func addWebhook(url: String) async throws(ProviderError) -> RegisteredWebhook {
    try webhook(await webhookCall("POST", body: try registration(url)))
  }

  /// Gives a webhook this URL and the first value of the account's header.
  public func updateWebhook(
    _ id: String, url: String
  ) async throws(ProviderError) -> RegisteredWebhook {
    try webhook(await webhookCall("PUT", id, body: try registration(url)))
  }

  /// Removes a webhook.
  public func removeWebhook(_ id: String) async throws(ProviderError) {
    _ = try await webhookCall("DELETE", id)
  }

  private func webhookCall(
    _ method: String, _ id: String? = nil, body: [UInt8] = []
  ) async throws(ProviderError) -> JSONValue {
    if let id {
      guard isToken(id) else {
        throw ProviderError(.refused, detail: "the webhook id is none of Tabby's; nothing was sent")
      }
    }
    return try await api.send(
      method, "/api/v1/webhooks" + (id.map { "/\($0)" } ?? ""),
      headers: ["X-Merchant-Code": configuration.merchantCode], body: body)
  }

  /// The body of a registration. Whether it is a test is told by the key.
  private func registration(_ url: String) throws(ProviderError) -> [UInt8] {
    try checkWebhookURL(url)
    var members = [JSONMember(name: "url", value: .string(url))]
    if let header = configuration.webhookHeader, let value = header.values.first {
      members.append(
        JSONMember(
          name: "header",
          value: .object(["title": .string(header.title), "value": .string(value.reveal())])))
    }
    return JSONValue.object(members).serialized()
  }

  private func webhook(_ json: JSONValue) throws(ProviderError) -> RegisteredWebhook {
    try api.check.map { () throws(JSONPathError) in
      let header = json["header"].flatMap { $0.isNull ? nil : $0 }
      return RegisteredWebhook(
        id: try json.text(at: "id"), url: try json.text(at: "url"),
        mode: paymentMode(json["is_test"]), headerTitle: try header?.text(at: "title"),
        isCurrent: isCurrent(header))
    }
  }

  private func isCurrent(_ header: JSONValue?) -> Bool {
    guard let wanted = configuration.webhookHeader else { return header == nil }
    return header?["title"]?.text.map(asciiLowercased) == asciiLowercased(wanted.title)
      && header?["value"]?.text == wanted.values.first?.reveal()
  }

  /// Tabby takes public https URLs alone; beside a sandbox on this machine, what runs there may
  /// be named too.
  private func checkWebhookURL(_ url: String) throws(ProviderError) {
    let origin = webOrigin(of: url).flatMap(BaseURL.init)
    let isLocal = BaseURL(configuration.baseURL)?.isLoopback ?? false
    guard url.utf8.count <= tabbyTextBytesMax, let origin,
      isLocal || origin.isSecure && !origin.isLoopback
    else {
      throw ProviderError(
        .refused,
        detail: "a webhook's URL must be public, https and at most \(tabbyTextBytesMax) bytes "
          + "long; nothing was sent")
    }
  }
}

/// Webhooks for one secret key and merchant code (Tabby, *Webhooks*).
let tabbyWebhooksMax = 4

/// Of longer texts Tabby uses the beginning (*Technical requirements*), which is another URL.
let tabbyTextBytesMax = 255
