import HTTPExchange
import KitEnvironment
import PaymentModels
import ProviderSandbox
import StrictJSON
import TestSupport

/// A fake SEB on a clock set by hand, with the calls of a merchant and of an operator.
struct SEBHarness {
  let clock = ManualClock()
  let sandbox: SEBSandbox
  private let random = seededRandom(99)
  static let tokenPath = "/auth/realms/participants-tietoevry/protocol/openid-connect/token"

  init(
    prefix: String = "", publicURL: String? = "http://sandbox.test",
    transport: any HTTPTransport = ClosureTransport { _ in HTTPResponse(status: 200) },
    _ change: (inout SEBSandboxSettings) -> Void = { _ in }
  ) {
    var settings = SEBSandboxSettings()
    change(&settings)
    sandbox = SEBSandbox(
      settings: settings, environment: .test(clock), transport: transport, publicURL: publicURL,
      prefix: prefix)
  }

  func send(
    _ method: String, _ path: String, _ headers: HTTPHeaders = [:], _ body: String = ""
  ) async -> HTTPResponse {
    var headers = headers
    headers["Host"] = "127.0.0.1:9080"
    return await sandbox.respond(
      to: HTTPRequest(method: method, target: path, headers: headers, body: Array(body.utf8)))
  }

  /// A token for the demo client, whose secret stands in the form.
  func token() async -> String {
    let answer = await send(
      "POST", Self.tokenPath, ["Content-Type": "application/x-www-form-urlencoded"],
      "grant_type=client_credentials&client_id=till-demo&client_secret=till-demo-secret-0001")
    return answer.json["access_token"]?.text ?? ""
  }

  /// A call of the merchant's server, with a token and an id of its own unless told.
  func call(
    _ method: String, _ path: String, _ body: String = "", token: String? = nil,
    requestID: String? = nil
  ) async -> HTTPResponse {
    let given: String
    if let token { given = token } else { given = await self.token() }
    let digits = String(random.next(), radix: 16)
    let ending = String(repeating: "0", count: 12) + digits
    let id = requestID ?? "00000000-0000-4000-8000-\(ending.suffix(12))"
    return await send(
      method, path, ["Authorization": "Bearer \(given)", "X-Request-Id": id], body)
  }

  func create(_ order: SEBOrder = SEBOrder()) async -> HTTPResponse {
    await call("POST", "/egw/v1/payments/cit", order.text)
  }

  /// Makes a payment and gives its id.
  func created(_ order: SEBOrder = SEBOrder()) async -> String {
    await create(order).json["paymentId"]?.text ?? ""
  }

  func read(_ id: String) async -> JSONValue { await call("GET", "/egw/v1/payments/\(id)").json }

  func status(_ id: String) async -> String { await read(id)["paymentStatus"]?.text ?? "?" }

  /// A capture, cancel or refund of so much.
  func operate(_ path: String, _ id: String, _ amount: String = "100.00") async -> HTTPResponse {
    await call(
      "POST", path,
      #"{"paymentId":"\#(id)","instructedAmount":{"amount":"\#(amount)","currency":"EUR"}}"#)
  }

  /// A call of the control API.
  @discardableResult
  func control(_ path: String, _ body: String? = nil) async -> HTTPResponse {
    await send(body == nil ? "GET" : "POST", "/sandbox/\(path)", [:], body ?? "")
  }

  func advance(_ milliseconds: Int) async {
    await control("clock", #"{"advance_ms":\#(milliseconds)}"#)
  }

  func entry(_ id: String) async -> JSONValue { await control("payments/\(id)").json }

  func events(_ id: String) async -> [String] {
    (await entry(id)["events"]?.elements ?? []).compactMap { $0["event"]?.text }
  }

  /// Methods and outcomes of the tries, in their order.
  func tries(_ id: String) async -> [String] {
    (await entry(id).find("page.tries")?.elements ?? []).map {
      "\($0["method"]?.text ?? "?") \($0["status"]?.text ?? "?")"
    }
  }

  /// The payer's browser, at the page of a payment.
  func browser(at id: String, query: String = "") async -> Browser {
    var browser = Browser(sandbox)
    await browser.open("/checkout/\(id)\(query)")
    return browser
  }

  /// The payer's browser after a card and the bank's code.
  func paid(_ id: String) async -> Browser {
    var browser = await browser(at: id)
    await browser.follow("card")
    await browser.submit(["card_number": "5186 0000 0000 0005"])
    await browser.submit(["otp": "1234"])
    return browser
  }

  /// The payer's browser after the mock bank was told to pay.
  func paidByBank(_ id: String) async -> Browser {
    var browser = await browser(at: id)
    await browser.follow("bank")
    await browser.submit()
    await browser.submit()
    return browser
  }
}

/// The body of a create as the EGW's *Payments* lists its members, with what tests vary.
struct SEBOrder {
  var channel = #""BROWSER""#
  var orderNumber = #""order-1042""#
  var participant = #""till-participant""#
  var shop = #""till-shop""#
  var redirect = #""myapp://checkout/return""#
  var amount = #"{"amount":"100.00","currency":"EUR"}"#
  var extra = #""preferredLocale":"en""#

  var text: String {
    """
    {"channel":\(channel),"orderNumber":\(orderNumber),"participantId":\(participant),\
    "shopAgreementId":\(shop),"shopRedirectUrl":\(redirect),"instructedAmount":\(amount)\
    \(extra.isEmpty ? "" : ",\(extra)")}
    """
  }

  func with(_ change: (inout SEBOrder) -> Void) -> SEBOrder {
    var order = self
    change(&order)
    return order
  }
}
