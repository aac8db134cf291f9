import HTTPExchange
import KitEnvironment
import PaymentModels
import StrictJSON
import TestSupport

@testable import ProviderSandbox

/// A fake Futa on a clock set by hand, with the calls of a merchant and of an operator.
struct FutaHarness {
  let clock = ManualClock()
  let sandbox: FutaSandbox
  static let key = FutaSandboxSettings.demoSecretKey.reveal()

  init(
    prefix: String = "", publicURL: String? = "http://sandbox.test",
    transport: any HTTPTransport = ClosureTransport { _ in HTTPResponse(status: 200) },
    _ change: (inout FutaSandboxSettings) -> Void = { _ in }
  ) {
    var settings = FutaSandboxSettings()
    change(&settings)
    sandbox = FutaSandbox(
      settings: settings, environment: .test(clock), transport: transport, publicURL: publicURL,
      prefix: prefix)
  }

  /// A call of the merchant's server.
  func call(
    _ method: String, _ path: String, _ body: String = "", idempotencyKey: String? = nil,
    key: String? = Self.key
  ) async -> HTTPResponse {
    var headers: HTTPHeaders = ["Host": "127.0.0.1:9080"]
    if let key { headers["Authorization"] = "Bearer \(key)" }
    if let idempotencyKey { headers["Idempotency-Key"] = idempotencyKey }
    return await sandbox.respond(
      to: HTTPRequest(method: method, target: path, headers: headers, body: Array(body.utf8)))
  }

  func create(_ terms: FutaOrder = FutaOrder(), key: String = "k1") async -> HTTPResponse {
    await call("POST", "/v1/payments", terms.text, idempotencyKey: key)
  }

  /// Makes a payment and gives its id.
  func created(_ terms: FutaOrder = FutaOrder(), key: String = "k1") async -> String {
    await create(terms, key: key).json["id"]?.text ?? ""
  }

  func read(_ id: String) async -> JSONValue { await call("GET", "/v1/payments/\(id)").json }

  /// A call of the control API.
  @discardableResult
  func control(_ path: String, _ body: String? = nil) async -> HTTPResponse {
    await sandbox.respond(
      to: HTTPRequest(
        method: body == nil ? "GET" : "POST", target: "/sandbox/\(path)",
        body: Array((body ?? "").utf8)))
  }

  func entry(_ id: String) async -> JSONValue { await control("payments/\(id)").json }

  func events(_ id: String) async -> [String] {
    (await entry(id)["events"]?.elements ?? []).compactMap { $0["event"]?.text }
  }

  /// The payer's browser, as the app's web view is one.
  func browser() -> Browser { Browser(sandbox) }
}

/// The body of a create as Futa's page shows it, with what tests vary. The test clock stands at
/// 2026-09-21T14:13:20Z.
struct FutaOrder {
  var amount = "2500000"
  var currency = #""CDF""#
  var reference = #""order-10482""#
  var description = #""Order 10482""#
  var returnURL = #""https://shop.example/thanks""#
  var expiresAt = #""2026-09-22T12:00:00Z""#
  var embedding: String? = #"{ "mode": "app" }"#
  var extra = ""

  var text: String {
    let members = [
      #""amount": \#(amount)"#, #""currency": \#(currency)"#,
      #""merchant_reference": \#(reference)"#, #""description": \#(description)"#,
      #""return_url": \#(returnURL)"#, #""expires_at": \#(expiresAt)"#,
      embedding.map { #""embedding": \#($0)"# }, extra.isEmpty ? nil : extra,
    ]
    return "{\(members.compactMap { $0 }.joined(separator: ", "))}"
  }

  func with(_ change: (inout FutaOrder) -> Void) -> FutaOrder {
    var order = self
    change(&order)
    return order
  }
}
