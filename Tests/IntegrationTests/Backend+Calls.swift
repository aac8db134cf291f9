@testable import Bootstrap
import HTTPExchange
import MerchantAPI
import PaymentModels
import ProviderSandbox
import StrictJSON
import TestSupport

extension Backend {
  /// Moves time on while `call` is under way, so that what waits on the clock can go on.
  func moving<Result: Sendable>(
    _ call: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    try await result(of: call) { await pause(.milliseconds(20)) }
  }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    let server = server
    return try await moving { await server.respond(to: request) }
  }

  func checkout(
    _ body: CheckoutBody.Purchase = .items([.init(productID: "lamp", quantity: 1)]),
    payer: DemoShop.Payer = .approved, key: String = "key-1"
  ) async throws -> (status: Int, json: JSONValue) {
    let response = try await send(
      HTTPRequest(
        method: "POST", target: "/v1/checkouts",
        headers: [
          "Authorization": "Bearer \(shop.token(payer).reveal())", "Idempotency-Key": key,
          "Content-Type": "application/json",
        ], body: CheckoutBody(provider: .tabby, purchase: body).json.serialized()))
    return (response.status, try JSONValue(parsing: response.body))
  }

  func get(_ target: String) async throws -> JSONValue {
    let response = try await send(
      HTTPRequest(
        method: "GET", target: target,
        headers: ["Authorization": "Bearer \(shop.operatorKey.reveal())"]))
    return try JSONValue(parsing: response.body)
  }

  func post(_ target: String, _ body: JSONValue, key: String) async throws -> HTTPResponse {
    try await send(
      HTTPRequest(
        method: "POST", target: target,
        headers: [
          "Authorization": "Bearer \(shop.operatorKey.reveal())", "Idempotency-Key": key,
          "Content-Type": "application/json",
        ], body: body.serialized()))
  }

  /// Has the sandbox do what a payer, or the provider, would do.
  func force(_ status: String, _ providerPaymentID: String) async throws {
    try await control(
      "/sandbox/payments/\(providerPaymentID)/status", .object(["status": .string(status)]))
  }

  func control(_ target: String, _ body: JSONValue) async throws {
    let response = await sandbox.respond(
      to: HTTPRequest(
        method: "POST", target: target, headers: ["Content-Type": "application/json"],
        body: body.serialized()))
    guard response.status == 200 else {
      throw Unexpected(
        "\(target): \(response.status) \(String(decoding: response.body, as: UTF8.self))")
    }
  }

  /// What the sandbox says really happened.
  func ledger() async throws -> [JSONValue] {
    let response = await sandbox.respond(
      to: HTTPRequest(method: "GET", target: "/sandbox/ledger"))
    return try JSONValue(parsing: response.body)["payments"]?.elements ?? []
  }

  /// Fulfilment messages that were sent to the receiver.
  var messages: [String] {
    transport.sent.filter { $0.url.hasPrefix(Backend.receiverURL) }.compactMap {
      (try? JSONValue(parsing: $0.body))?["type"]?.text
    }
  }
}
