import HTTPExchange
import KitEnvironment
import PaymentModels
import ProviderInterface
import RaisProvider
import TestSupport

/// The payment of the document's example link.
let paymentID = ProviderPaymentID("5b1c2f4e-9d3a-4c61-8a7e-0f2d6b9e1a33")
let testKey = "rais_sk_test_00000000-5d0c1f9a"
let liveKey = "rais_sk_live_0000-5d0c1f9a"
let webhookSecret = "hook~secret!0001"
let ourPaymentID = PaymentID("01936f5e-8a00-7000-8000-0000000000b1")
let ourOrderID = OrderID("01936f5e-8a00-7000-8000-0000000000a1")
let now = Instant(milliseconds: 1_792_407_600_000)

/// Settings with which a live key starts.
func liveSettings(_ settings: inout RaisSettings) {
  settings.currency = "GNF"
  settings.exponent = 0
  settings.webhook = PaymentDeliverySettings.rais(secrets: [Secret(webhookSecret)])
}

func makeConfiguration(
  key: String = testKey, _ change: (inout RaisSettings) -> Void = { _ in }
) throws -> RaisConfiguration {
  var settings = RaisSettings()
  change(&settings)
  return try RaisConfiguration(
    account: ProviderAccount("main"), secretKey: Secret(key), settings: settings)
}

func makeProvider(
  _ transport: some HTTPTransport, key: String = testKey,
  _ change: (inout RaisSettings) -> Void = { _ in }
) throws -> RaisProvider {
  RaisProvider(
    try makeConfiguration(key: key, change), transport: transport,
    environment: .test(ManualClock(start: now)))
}

/// A provider that gets the same answer to every request.
func provider(
  _ body: String, status: Int = 200, headers: HTTPHeaders = ["Content-Type": "application/json"],
  _ change: (inout RaisSettings) -> Void = { _ in }
) throws -> RaisProvider {
  try makeProvider(answering(body, status: status, headers: headers), change)
}

func money(_ decimal: String, _ code: String = "GNF") throws -> Money {
  try isoMoney(decimal, code)
}

func makeTerms(
  total: Money, lines: [OrderLine]? = nil, success: String = "myapp://pay/result",
  cancel: String = "myapp://pay/cancelled", language: String = "en"
) -> CheckoutTerms {
  .sample(total, lines: lines) {
    $0.returnURLs.success = success
    $0.returnURLs.cancel = cancel
    $0.language = language
  }
}

/// The answer to the document's example request. `id`, `checkout_url` and `expires_at` are the
/// members that its page reads; `status`, `reference` and `order_number` ride on its return link;
/// the rest is assumed to come back as it was sent.
func paymentJSON(
  id: String = paymentID.rawValue, status: String? = #""pending""#, amount: String? = "500000",
  checkoutURL: String? = #""https://pay.rais.app/c/5b1c2f4e?l=%66r""#,
  extra: String = #""reference":"order-1042","order_number":"RS12AB34CD""#
) -> String {
  let members = [
    #""id":"\#(id)""#, status.map { #""status":\#($0)"# }, amount.map { #""amount":\#($0)"# },
    checkoutURL.map { #""checkout_url":\#($0)"# },
    #""expires_at":"2026-10-19T14:00:00Z""#, extra.isEmpty ? nil : extra,
  ]
  return "{\(members.compactMap { $0 }.joined(separator: ","))}"
}
