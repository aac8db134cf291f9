import HTTPExchange
import KitEnvironment
import PaymentModels
import ProviderSandbox
import StrictJSON
import TestSupport

/// A fake Tebex on a clock set by hand, with the calls of a merchant and of an operator.
struct TebexHarness {
  let clock = ManualClock()
  let sandbox: TebexSandbox
  static let token = TebexSandboxSettings.demoPublicToken
  /// base64 of the demo store's token, a colon and its private key.
  static let storeKey =
    "Basic dDY2eC0wMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwM"
    + "DAwMDAxOnRlYmV4X3NhbmRib3hfMDAwMDAwMDE="
  /// The same of its project and the key.
  static let checkoutKey = "Basic MTAwMDAxOnRlYmV4X3NhbmRib3hfMDAwMDAwMDE="
  /// The same of the key and nothing.
  static let keyAlone = "Basic dGViZXhfc2FuZGJveF8wMDAwMDAwMTo="

  init(
    prefix: String = "", publicURL: String? = "http://sandbox.test",
    transport: any HTTPTransport = ClosureTransport { _ in HTTPResponse(status: 200) },
    _ change: (inout TebexSandboxSettings) -> Void = { _ in }
  ) {
    var settings = TebexSandboxSettings()
    change(&settings)
    sandbox = TebexSandbox(
      settings: settings, environment: .test(clock), transport: transport, publicURL: publicURL,
      prefix: prefix)
  }

  /// A call of the merchant's server.
  func call(
    _ method: String, _ path: String, _ body: String = "", authorization: String? = nil
  ) async -> HTTPResponse {
    var headers: HTTPHeaders = ["Host": "127.0.0.1:9080", "Content-Type": "application/json"]
    if let authorization { headers["Authorization"] = authorization }
    return await sandbox.respond(
      to: HTTPRequest(method: method, target: path, headers: headers, body: Array(body.utf8)))
  }

  func headless(
    _ method: String, _ path: String, _ body: String = "", authorization: String? = nil
  ) async -> HTTPResponse {
    await call(method, "/headless/api\(path)", body, authorization: authorization)
  }

  static let request =
    #"{"complete_url":"tebexpay://complete","cancel_url":"tebexpay://cancel","#
    + #""complete_auto_redirect":true,"custom":{"order_id":"o1"}}"#

  /// Makes a basket with one package and gives its ident.
  func created(_ request: String = Self.request, package: String = "6276316") async -> String {
    let answer = await headless("POST", "/accounts/\(Self.token)/baskets", request)
    let ident = answer.json.find("data.ident")?.text ?? ""
    _ = await add(ident, #"{"package_id":"\#(package)"}"#)
    return ident
  }

  func add(_ ident: String, _ body: String) async -> HTTPResponse {
    await headless("POST", "/baskets/\(ident)/packages", body)
  }

  func read(_ ident: String) async -> JSONValue {
    await headless("GET", "/accounts/\(Self.token)/baskets/\(ident)").json["data"] ?? .null
  }

  func transaction(
    _ id: String, _ method: String = "GET", _ suffix: String = "",
    authorization: String? = Self.checkoutKey
  ) async -> HTTPResponse {
    await call(
      method, "/checkout/api/payments/\(id)\(suffix)?type=txn_id", authorization: authorization)
  }

  /// A call of the control API.
  @discardableResult
  func control(_ path: String, _ body: String? = nil) async -> HTTPResponse {
    await sandbox.respond(
      to: HTTPRequest(
        method: body == nil ? "GET" : "POST", target: "/sandbox/\(path)",
        body: Array((body ?? "").utf8)))
  }

  func entry(_ ident: String) async -> JSONValue { await control("payments/\(ident)").json }

  func transactionID(_ ident: String) async -> String {
    await entry(ident)["transaction_id"]?.text ?? ""
  }

  func move(_ ident: String, _ status: String) async {
    await control("payments/\(ident)/status", #"{"status":"\#(status)"}"#)
  }

  /// The payer's browser, at the page of a basket.
  func browser(at ident: String) async -> Browser {
    var browser = Browser(sandbox)
    await browser.open("/pay/\(ident)")
    return browser
  }

  /// The payer's browser, on the last page of a basket that it has paid.
  @discardableResult
  func paid(_ ident: String, by method: String = "test") async -> Browser {
    var browser = await browser(at: ident)
    await browser.submit(["method": method])
    return browser
  }
}
