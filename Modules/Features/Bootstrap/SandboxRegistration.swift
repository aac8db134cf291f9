import HTTPExchange
import PaymentModels
import StrictJSON

/// Tells a sandbox where webhooks go, as a merchant does once at each provider.
struct SandboxRegistration: Sendable {
  let transport: any HTTPTransport
  let sandbox: String
  let shop: DemoShop

  func register(server: String) async throws {
    try await registerAtTabby(server)
    try await registerAtFuta(server)
    try await registerAtRais(server)
    try await registerAtTebex(server)
    try await registerAtSEB(server)
  }

  /// At SEB it is a setting of the shop in the merchant portal.
  private func registerAtSEB(_ server: String) async throws {
    let body: JSONValue = .object(["webhook_url": .string("\(server)/webhooks/seb")])
    try await post("/sandbox/settings/seb", [:], body)
  }

  /// At Tebex it is done in the panel; the endpoint is asked whether it is there, and what happens
  /// meanwhile is told afterwards.
  private func registerAtTebex(_ server: String) async throws {
    let body: JSONValue = .object([
      "webhook_url": .string("\(server)/webhooks/tebex"),
      "webhook_secret": .string(shop.tebexWebhookSecret.reveal()),
    ])
    try await post("/sandbox/settings/tebex", [:], body)
  }

  /// Raïs documents no call for it either.
  private func registerAtRais(_ server: String) async throws {
    let body: JSONValue = .object([
      "webhook_url": .string("\(server)/webhooks/rais"),
      "webhook_secret": .string(shop.raisWebhookSecret.reveal()),
    ])
    try await post("/sandbox/settings/rais", [:], body)
  }

  /// Futa documents no call for it, so the sandbox is told as an operator tells it.
  private func registerAtFuta(_ server: String) async throws {
    let body: JSONValue = .object([
      "webhook_url": .string("\(server)/webhooks/futa"),
      "webhook_secret": .string(shop.futaWebhookSecret.reveal()), "app_return_urls": .bool(true),
    ])
    try await post("/sandbox/settings/futa", [:], body)
  }

  private func registerAtTabby(_ server: String) async throws {
    let body: JSONValue = .object([
      "url": .string("\(server)/webhooks/tabby"),
      "header": .object([
        "title": .string(DemoShop.webhookHeader), "value": .string(shop.webhookSecret.reveal()),
      ]),
    ])
    try await post(
      "/api/v1/webhooks",
      ["Authorization": "Bearer \(shop.tabbyKey.reveal())", "X-Merchant-Code": "AE"], body)
  }

  private func post(_ path: String, _ headers: HTTPHeaders, _ body: JSONValue) async throws {
    var headers = headers
    headers.add("Content-Type", "application/json")
    let response = try await transport.send(
      HTTPOutgoing(
        method: "POST", url: "\(sandbox)\(path)", headers: headers, body: body.serialized()))
    guard response.status == 200 else {
      throw ConfigurationError(
        "sandbox", "\(path) did not take the webhook (status \(response.status))")
    }
  }
}
