import HTTPExchange
import KitEnvironment
import PaymentModels
import ProviderInterface
import SEBProvider
import TestSupport

let paymentID = ProviderPaymentID("d7f0c2a4-3b1e-4f6a-9c58-2e1b7a6d9f03")
let ourPaymentID = PaymentID("01936f5e-8a00-7000-8000-0000000000b1")
let ourOrderID = OrderID("01936f5e-8a00-7000-8000-0000000000a1")
let clientSecret = "client~secret!5d0c1f9a"
let accessToken = "eyJ.token-a7c3.sig"
let verificationKey = "vk_9b2e71c4"
let apiBase = "https://sandbox-api.ecomm.api.tietoevry.com"
let tokenURL =
  "https://ecomm.api.tietoevry.com/auth/realms/participants-tietoevry"
  + "/protocol/openid-connect/token"
let now = Instant(milliseconds: 1_792_407_600_000)

/// Settings with which a live account starts.
func liveSettings(_ settings: inout SEBSettings) {
  settings.baseURL = "https://api.example"
  settings.tokenURL = "https://login.example/token"
  settings.currencies = ["EUR"]
  settings.capture = .separate
  settings.states = SEBStates(authorized: ["HELD"], captured: ["PAID"])
}

func makeCredentials() -> SEBCredentials {
  SEBCredentials(
    clientID: "shop-client", clientSecret: Secret(clientSecret), participantID: "participant-1",
    shopAgreementID: "shop-1")
}

func makeConfiguration(
  mode: PaymentMode = .test, _ change: (inout SEBSettings) -> Void = { _ in }
) throws -> SEBConfiguration {
  var settings = SEBSettings()
  // Else it would refuse to capture.
  settings.capture = .separate
  change(&settings)
  return try SEBConfiguration(
    account: ProviderAccount("main"), mode: mode, credentials: makeCredentials(),
    settings: settings)
}

func makeProvider(
  _ transport: some HTTPTransport, mode: PaymentMode = .test,
  clock: ManualClock = ManualClock(start: now),
  _ change: (inout SEBSettings) -> Void = { _ in }
) throws -> SEBProvider {
  SEBProvider(
    try makeConfiguration(mode: mode, change), transport: transport, environment: .test(clock))
}

func response(
  _ body: String, status: Int = 200, headers: HTTPHeaders = ["Content-Type": "application/json"]
) -> HTTPResponse {
  HTTPResponse(status: status, headers: headers, body: Array(body.utf8))
}

/// OAuth 2's own example members (RFC 6749, section 4.4.3).
func tokenJSON(_ token: String = accessToken, expiresIn: String? = "300") -> String {
  let life = expiresIn.map { #","expires_in":\#($0)"# } ?? ""
  return #"{"access_token":"\#(token)","token_type":"Bearer"\#(life)}"#
}

extension HTTPOutgoing {
  var isTokenRequest: Bool { url.hasSuffix("/token") }
}

extension ClosureTransport {
  /// What was sent but for tokens.
  var calls: [HTTPOutgoing] { sent.filter { !$0.isTokenRequest } }
}

/// A transport that gives out tokens and the same answer to every other request.
func answering(
  _ body: String, status: Int = 200, headers: HTTPHeaders = ["Content-Type": "application/json"]
) -> ClosureTransport {
  ClosureTransport { request in
    request.isTokenRequest
      ? response(tokenJSON()) : response(body, status: status, headers: headers)
  }
}

/// A provider that gets the same answer to every request but those for tokens.
func provider(
  _ body: String, status: Int = 200, headers: HTTPHeaders = ["Content-Type": "application/json"],
  _ change: (inout SEBSettings) -> Void = { _ in }
) throws -> SEBProvider {
  try makeProvider(answering(body, status: status, headers: headers), change)
}

func money(_ decimal: String, _ code: String = "EUR") throws -> Money {
  try isoMoney(decimal, code)
}

func makeTerms(
  total: Money, lines: [OrderLine]? = nil, returnURL: String = "myapp://checkout/return",
  language: String = "en", phone: String = "+37255500001"
) -> CheckoutTerms {
  .sample(total, lines: lines) {
    $0.buyer.phone = phone
    $0.returnURLs = ReturnURLs(
      success: returnURL, cancel: "myapp://checkout/cancel", failure: "myapp://checkout/failure")
    $0.language = language
  }
}

/// A payment as the EGW's *Payments* page shows the beginning of one (`createdAt` to
/// `instructedAmount`, amount as in its example), with the three members that SEB's *Hosted
/// checkout* has the app read.
func paymentJSON(
  id: String = paymentID.rawValue, status: String? = #""INITIALIZED""#,
  amount: String? = #"{"amount":"5768.2","currency":"EUR"}"#,
  redirect: String? =
    #""checkoutRedirect":"https://checkout.ecomm.tietoevry.com/p/9?x=%66""#,
  extra: String = #""verificationKey":"\#(verificationKey)","orderNumber":"\#(ourPaymentID)""#
) -> String {
  let members = [
    #""createdAt":"2026-10-19T12:00:00.000Z","environment":"SANDBOX""#,
    #""participantId":"participant-1""#, #""paymentId":"\#(id)""#,
    status.map { #""paymentStatus":\#($0)"# }, amount.map { #""instructedAmount":\#($0)"# },
    redirect, extra.isEmpty ? nil : extra,
  ]
  return "{\(members.compactMap(\.self).joined(separator: ","))}"
}
