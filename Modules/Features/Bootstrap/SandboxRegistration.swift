import HTTPExchange
import PaymentModels
import StrictJSON

/// Tells a sandbox where webhooks go, as a merchant does once in Tabby's dashboard or API.
struct SandboxRegistration: Sendable {
  let transport: any HTTPTransport
  let sandbox: String
  let shop: DemoShop

  func register(server: String) async throws {
    let body: JSONValue = .object([
      "url": .string("\(server)/webhooks/tabby"),
      "header": .object([
        "title": .string(DemoShop.webhookHeader), "value": .string(shop.webhookSecret.reveal()),
      ]),
    ])
    let response = try await transport.send(
      HTTPOutgoing(
        method: "POST", url: "\(sandbox)/api/v1/webhooks",
        headers: [
          "Authorization": "Bearer \(shop.tabbyKey.reveal())", "X-Merchant-Code": "AE",
          "Content-Type": "application/json",
        ], body: body.serialized()))
    guard response.status == 200 else {
      throw ConfigurationError(
        "sandbox", "the webhook could not be registered (status \(response.status))")
    }
  }
}
