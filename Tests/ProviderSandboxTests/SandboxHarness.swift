import HTTPExchange
import KitEnvironment
import PaymentModels
import StrictJSON
import TestSupport

@testable import ProviderSandbox

/// A sandbox on a clock set by hand, with the calls of a merchant and of an operator.
struct SandboxHarness {
  let clock = ManualClock()
  let sandbox: TabbySandbox
  static let key = TabbySandboxSettings.demoSecretKey.reveal()

  init(
    _ settings: TabbySandboxSettings = TabbySandboxSettings(),
    transport: any HTTPTransport = ClosureTransport { _ in HTTPResponse(status: 200) }
  ) {
    sandbox = TabbySandbox(
      settings: settings, environment: .test(clock), transport: transport,
      publicURL: "http://sandbox.test")
  }

  /// A call of the merchant's server.
  func call(
    _ method: String, _ path: String, _ body: JSONValue? = nil, key: String? = Self.key,
    headers: HTTPHeaders = [:]
  ) async -> HTTPResponse {
    var headers = headers
    if let key { headers["Authorization"] = "Bearer \(key)" }
    return await sandbox.respond(
      to: HTTPRequest(
        method: method, target: path, headers: headers, body: body?.serialized() ?? []))
  }

  /// A call of the control API.
  @discardableResult
  func control(_ path: String, _ body: String? = nil) async -> HTTPResponse {
    await sandbox.respond(
      to: HTTPRequest(
        method: body == nil ? "GET" : "POST", target: "/sandbox/\(path)",
        body: Array((body ?? "").utf8)))
  }

  func advance(_ duration: Duration) async {
    await control("clock", #"{"advance_ms":\#(duration.wholeMilliseconds)}"#)
  }

  /// Makes a session and gives its JSON.
  func create(_ checkout: Checkout = Checkout()) async -> JSONValue {
    await call("POST", "/api/v2/checkout", checkout.json).json
  }

  /// Makes a session and takes the payer through the page; gives the payment's id.
  func pay(_ checkout: Checkout = Checkout()) async -> String {
    let session = await create(checkout)
    var browser = Browser(sandbox)
    await browser.pay(session.webURL)
    return session.paymentID
  }

  func payment(_ id: String) async -> JSONValue {
    await call("GET", "/api/v2/payments/\(id)").json
  }

  func entry(_ id: String) async -> JSONValue { await control("payments/\(id)").json }

  func register(_ url: String = "https://shop.test/webhooks/tabby") async -> JSONValue {
    await call(
      "POST", "/api/v1/webhooks",
      .object([
        "url": .string(url),
        "header": .object(["title": .string("X-Shop"), "value": .string("s3cret")]),
      ]), headers: ["X-Merchant-Code": "AE"]
    ).json
  }
}

/// The body of a create, with what tests vary.
struct Checkout {
  var amount = "100.00"
  var currency = "AED"
  var code = "AE"
  var phone = "+971500000001"
  var email = "otp.success@tabby.ai"
  var name = "Otp Success"
  var reference = "order-1"
  var language = "en"
  var urls: JSONValue = .object([
    "success": .string("https://shop.test/ok"),
    "cancel": .string("https://shop.test/back?order=7"),
    "failure": .string("shop-app://pay/failed"),
  ])

  var json: JSONValue {
    .object([
      "payment": .object([
        "amount": .string(amount), "currency": .string(currency),
        "description": .string("Two things"),
        "buyer": .object([
          "name": .string(name), "email": .string(email), "phone": .string(phone),
        ]),
        "order": .object(["reference_id": .string(reference)]),
        "meta": .object(["order_id": .string("o-7")]),
      ]),
      "lang": .string(language), "merchant_code": .string(code), "merchant_urls": urls,
    ])
  }
}

extension HTTPResponse {
  var text: String { String(decoding: body, as: UTF8.self) }

  var json: JSONValue { (try? JSONValue(parsing: body)) ?? .null }

  var location: String? { headers["Location"] }
}

extension JSONValue {
  var webURL: String {
    self["configuration"]?["available_products"]?["installments"]?[0]?["web_url"]?.text ?? ""
  }
  var paymentID: String { self["payment"]?["id"]?.text ?? "" }
  var status: String { self["status"]?.text ?? "" }
}
