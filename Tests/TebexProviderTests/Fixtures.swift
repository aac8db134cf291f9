import HTTPExchange
import KitEnvironment
import PaymentModels
import ProviderInterface
import SystemCrypto
import TebexProvider
import TestSupport

// Ids of the examples of Tebex' own API descriptions.
let ident = ProviderPaymentID("1a-55fff4107740a1f40d844ff89607557f45bfafb3")
let transactionID = "tbx-26929122a56954-0e15be"
let publicToken = "t66x-7cd928b1e9399909e6810edac6dc1fd1eefc57cb"
let package = "6276316"

let privateKey = "priv~5d0c1f9a~key"
let webhookSecret = "test_webhook_secret"
let ourPaymentID = PaymentID("01936f5e-8a00-7000-8000-0000000000b1")
let ourOrderID = OrderID("01936f5e-8a00-7000-8000-0000000000a1")
let headless = "https://headless.tebex.io/api"
let checkoutAPI = "https://checkout.tebex.io/api"

/// Settings of a store on a desk, with access to all that there is.
func testSettings(_ settings: inout TebexSettings) {
  settings.mode = .test
  settings.privateKey = Secret(privateKey)
  settings.webhookSecrets = [Secret(webhookSecret)]
  settings.checkout = TebexCheckoutSettings(
    username: Secret("project-5d0c1f9a"), password: Secret("pass~5d0c1f9a"))
}

func makeConfiguration(
  _ change: (inout TebexSettings) -> Void = { _ in }
) throws -> TebexConfiguration {
  var settings = TebexSettings()
  testSettings(&settings)
  change(&settings)
  return try TebexConfiguration(
    account: ProviderAccount("main"), publicToken: publicToken, settings: settings)
}

/// With the real hash functions: Tebex' vectors are tests.
func makeProvider(
  _ transport: some HTTPTransport = answering(""),
  _ change: (inout TebexSettings) -> Void = { _ in }
) throws -> TebexProvider {
  var environment = KitEnvironment.test(ManualClock(start: Instant(milliseconds: 0)))
  environment.hashing = .openSSL
  return TebexProvider(
    try makeConfiguration(change), transport: transport, environment: environment)
}

/// A transport that gives the same answer to every request.
func answering(
  _ body: String, status: Int = 200, headers: HTTPHeaders = ["Content-Type": "application/json"]
) -> ClosureTransport {
  ClosureTransport { _ in
    HTTPResponse(status: status, headers: headers, body: Array(body.utf8))
  }
}

/// A provider that gets the same answer to every request.
func provider(
  _ body: String, status: Int = 200, headers: HTTPHeaders = ["Content-Type": "application/json"],
  _ change: (inout TebexSettings) -> Void = { _ in }
) throws -> TebexProvider {
  try makeProvider(answering(body, status: status, headers: headers), change)
}

/// What is answered to one request.
enum Answer: Sendable {
  case json(Int, String)
  case lost(HTTPTransportError.Kind)
}

/// Answers by method and URL; 404 to anything else.
func routes(_ answers: [String: Answer]) -> ClosureTransport {
  ClosureTransport { request throws(HTTPTransportError) in
    switch answers["\(request.method) \(request.url)"] {
    case .json(let status, let body):
      return HTTPResponse(
        status: status, headers: ["Content-Type": "application/json"], body: Array(body.utf8))
    case .lost(let kind): throw HTTPTransportError(kind, reason: "the wire")
    case nil: return HTTPResponse(status: 404, headers: [:], body: Array("Not Found".utf8))
    }
  }
}

struct FixtureError: Error {}

func money(_ decimal: String, _ code: String = "USD") throws -> Money {
  guard let currency = Currency(iso4217: code) else { throw FixtureError() }
  return try Money(decimal: decimal, currency: currency)
}

func line(_ product: String = package, _ quantity: Int64 = 1, _ price: Money) -> OrderLine {
  OrderLine(
    productID: product, title: "100 Coins", category: "coins", quantity: quantity, unitPrice: price)
}

func makeTerms(
  _ lines: [OrderLine]? = nil, total: Money? = nil, username: String? = nil,
  ipAddress: String? = nil
) throws -> CheckoutTerms {
  let total = try total ?? money("1.27")
  return CheckoutTerms(
    orderID: ourOrderID, paymentID: ourPaymentID, lines: lines ?? [line(package, 1, total)],
    total: total,
    buyer: Buyer(
      name: "Test Buyer", email: "buyer@shop.example", phone: "+15550000001", username: username,
      ipAddress: ipAddress),
    returnURLs: ReturnURLs(
      success: "tebexpay://complete", cancel: "tebexpay://cancel", failure: "tebexpay://failure"),
    language: "en", placedAt: Instant(milliseconds: 1_790_000_000_000))
}

/// What our baskets carry.
func customJSON(
  packages: String = "6276316:1", price: String = "1.27", currency: String = "USD"
) -> String {
  #"{"order_id":"\#(ourOrderID)","payment_id":"\#(ourPaymentID)","packages":"\#(packages)","#
    + #""base_price":"\#(price)","currency":"\#(currency)"}"#
}

/// The basket of Tebex' Headless API description (OpenAPI 2.0.0, `Basket`), with our package in it.
func basketJSON(
  id: String = ident.rawValue, complete: String = "false", price: String? = "1.27",
  currency: String = "USD", packages: String? = nil, custom: String? = nil,
  links: String = #"{"checkout":"https://checkout.tebex.io/checkout/1a-55fff410"}"#
) -> String {
  let listed = packages ?? packageJSON()
  let base = price.map { #""base_price":\#($0),"# } ?? ""
  return #"{"id":"244127617","ident":"\#(id)","complete":\#(complete),"email":"support@tebex.io","#
    + #""username":null,"coupons":[{"code":"Academy10"}],"giftcards":[],"creator_code":"","#
    + #""cancel_url":"tebexpay://cancel","complete_url":"tebexpay://complete","#
    + #""complete_auto_redirect":true,"country":"US","ip":"127.0.0.1","username_id":127244,"#
    + base + #""sales_tax":0.11,"total_price":1.38,"currency":"\#(currency)","#
    + #""packages":[\#(listed)],"custom":\#(custom ?? customJSON()),"links":\#(links)}"#
}

func packageJSON(_ id: String = package, quantity: String = "1") -> String {
  #"{"id":\#(id),"description":"100 coins added to your character","name":"100 Coins","#
    + #""slug":"100-coins","image":null,"type":"single","#
    + #""in_basket":{"quantity":\#(quantity),"price":1.27,"gift_username_id":null,"#
    + #""gift_username":null},"revenue_share":[]}"#
}

/// The payment of Tebex' Checkout API description (OpenAPI 1.1.4, `Payment`), for our package.
func paymentJSON(
  id: String = transactionID, status: String = #"{"id":1,"description":"Complete"}"#,
  price: String? = #"{"amount":1.38,"currency":"USD"}"#, method: String = "Test Payments",
  products: String? = nil, custom: String? = nil
) -> String {
  let stated = price.map { #""price":\#($0),"price_paid":\#($0),"# } ?? ""
  let listed = products ?? productJSON()
  return #"{"transaction_id":"\#(id)","status":\#(status),"payment_sequence":"oneoff","#
    + #""created_at":"2022-10-19T15:49:15.000000Z",\#(stated)"#
    + #""payment_method":{"name":"\#(method)","refundable":true},"revenue_share":[],"#
    + #""decline_reason":null,"fees":{"tax":{"amount":0.11,"currency":"USD"},"#
    + #""gateway":{"amount":0.45,"currency":"USD"}},"customer":{"first_name":"Test","#
    + #""last_name":"Test","email":"test@test.com","ip":"1.2.3.4","username":null,"#
    + #""marketing_consent":false,"country":"TS","postal_code":null},"#
    + #""products":[\#(listed)],"coupons":[],"gift_cards":[],"#
    + #""recurring_payment_reference":null,"custom":\#(custom ?? customJSON())}"#
}

func productJSON(
  _ id: String = package, quantity: String = "1", base: String = "1.27"
) -> String {
  #"{"id":\#(id),"name":"100 Coins","quantity":\#(quantity),"#
    + #""base_price":{"amount":\#(base),"currency":"USD"},"#
    + #""paid_price":{"amount":1.38,"currency":"USD"},"variables":[],"expires_at":null,"#
    + #""custom":null,"username":null}"#
}

/// A delivery with a subject, signed as Tebex signs.
func delivery(
  _ type: String, _ subject: String = paymentJSON(), id: String = "2f1c0a7e-6a0b-4d0e",
  date: String = "2026-11-30T10:00:00+00:00", secret: String = webhookSecret
) -> HTTPRequest {
  signed(
    Array(#"{"id":"\#(id)","type":"\#(type)","date":"\#(date)","subject":\#(subject)}"#.utf8),
    secret: secret)
}

func signed(_ body: [UInt8], secret: String = webhookSecret) -> HTTPRequest {
  let digest = Array(hexText(Hashing.openSSL.sha256(body)).utf8)
  return request(body, hexText(Hashing.openSSL.hmacSHA256(Array(secret.utf8), digest)))
}

func request(_ body: [UInt8], _ signature: String) -> HTTPRequest {
  HTTPRequest(
    method: "POST", target: "/webhooks/tebex", headers: ["X-Signature": signature], body: body)
}

/// Runs a call that must fail and gives its error.
func failure(_ call: () async throws -> some Sendable) async -> ProviderError? {
  do {
    _ = try await call()
    return nil
  } catch {
    return error as? ProviderError
  }
}
