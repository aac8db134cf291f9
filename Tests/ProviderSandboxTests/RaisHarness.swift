import HTTPExchange
import KitEnvironment
import PaymentModels
import ProviderSandbox
import StrictJSON
import TestSupport

/// A fake Raïs on a clock set by hand, with the calls of a merchant and of an operator.
struct RaisHarness {
  let clock = ManualClock()
  let sandbox: RaisSandbox
  static let key = RaisSandboxSettings.demoSecretKey.reveal()

  init(
    prefix: String = "", publicURL: String? = "http://sandbox.test",
    transport: any HTTPTransport = ClosureTransport { _ in HTTPResponse(status: 200) },
    _ change: (inout RaisSandboxSettings) -> Void = { _ in }
  ) {
    var settings = RaisSandboxSettings()
    change(&settings)
    sandbox = RaisSandbox(
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

  func create(_ order: RaisOrder = RaisOrder(), key: String? = "k1") async -> HTTPResponse {
    await call("POST", "/v1/payments", order.text, idempotencyKey: key)
  }

  /// Makes a payment and gives its id.
  func created(_ order: RaisOrder = RaisOrder(), key: String? = "k1") async -> String {
    await create(order, key: key).json["id"]?.text ?? ""
  }

  func read(_ id: String) async -> JSONValue { await call("GET", "/v1/payments/\(id)").json }

  func status(_ id: String) async -> String { await read(id)["status"]?.text ?? "?" }

  /// A call of the control API.
  @discardableResult
  func control(_ path: String, _ body: String? = nil) async -> HTTPResponse {
    await sandbox.respond(
      to: HTTPRequest(
        method: body == nil ? "GET" : "POST", target: "/sandbox/\(path)",
        body: Array((body ?? "").utf8)))
  }

  func advance(_ milliseconds: Int) async {
    await control("clock", #"{"advance_ms":\#(milliseconds)}"#)
  }

  func entry(_ id: String) async -> JSONValue { await control("payments/\(id)").json }

  func events(_ id: String) async -> [String] {
    (await entry(id)["events"]?.elements ?? []).compactMap { $0["event"]?.text }
  }

  /// The payer's browser, at the page of a payment.
  func browser(at id: String) async -> Browser {
    var browser = Browser(sandbox)
    await browser.open("/checkout/\(id)")
    return browser
  }

  /// The payer's browser, on the result page of a payment that it has paid.
  func paid(_ id: String) async -> Browser {
    var browser = await browser(at: id)
    await browser.submit(["card_number": "4000 0000 0000 0001"])
    await browser.submit(["otp": "1234"])
    return browser
  }
}

/// The body of a create as Raïs' page shows it, with what tests vary.
struct RaisOrder {
  var amount = "500000"
  var reference = #""order-1042""#
  var success = #""myapp://pay/result""#
  var cancel = #""myapp://pay/cancelled""#
  var language: String? = #""fr""#

  var text: String {
    let members = [
      #""amount": \#(amount)"#, #""reference": \#(reference)"#, #""success_url": \#(success)"#,
      #""cancel_url": \#(cancel)"#, language.map { #""language": \#($0)"# },
    ]
    return "{\n\(members.compactMap { $0 }.joined(separator: ",\n"))\n}"
  }

  func with(_ change: (inout RaisOrder) -> Void) -> RaisOrder {
    var order = self
    change(&order)
    return order
  }
}
