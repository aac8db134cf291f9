import FutaProvider
import HTTPExchange
import KitEnvironment
import PaymentModels
import ProviderInterface
import TestSupport

/// The payment that most tests are about.
let paymentID = ProviderPaymentID("pay_7Q2m-01")
let secretKey = "futa_test_5d0c1f9a77aa40"
let ourPaymentID = PaymentID("01936f5e-8a00-7000-8000-0000000000b1")
let ourOrderID = OrderID("01936f5e-8a00-7000-8000-0000000000a1")
let api = "https://api.futa.example"

/// Test settings; `change` makes the choice that a test is about.
func makeConfiguration(
  _ change: (inout FutaSettings) -> Void = { _ in }
) throws -> FutaConfiguration {
  var settings = FutaSettings(baseURL: api)
  settings.mode = .test
  change(&settings)
  return try FutaConfiguration(
    account: ProviderAccount("main"), secretKey: Secret(secretKey), settings: settings)
}

/// A clock at the seed's order: a day before the instant of its example.
func exampleClock() -> ManualClock {
  ManualClock(start: Instant(milliseconds: 1_792_407_600_000))
}

func makeProvider(
  _ transport: some HTTPTransport, clock: ManualClock = exampleClock(),
  _ change: (inout FutaSettings) -> Void = { _ in }
) throws -> FutaProvider {
  FutaProvider(
    try makeConfiguration(change), transport: transport, environment: .test(clock))
}

/// A provider that gets the same answer to every request.
func provider(
  _ body: String, status: Int = 200, headers: HTTPHeaders = ["Content-Type": "application/json"],
  _ change: (inout FutaSettings) -> Void = { _ in }
) throws -> FutaProvider {
  try makeProvider(answering(body, status: status, headers: headers), change)
}

func money(_ decimal: String, _ code: String = "CDF") throws -> Money {
  try isoMoney(decimal, code)
}

func makeTerms(
  total: Money, lines: [OrderLine]? = nil, returnURL: String = "https://shop.example/thanks"
) -> CheckoutTerms {
  .sample(total, lines: lines) { $0.returnURLs.success = returnURL }
}

/// A payment as Futa is assumed to answer: the request's own members (seed, *Create the payment
/// for an app*), the id and `checkout_url` that the page names, and `state` and `final` as its
/// `onState` has them.
func paymentJSON(
  id: String = paymentID.rawValue, state: String = #""created""#, final: String? = "false",
  amount: String? = "2500000", currency: String? = #""CDF""#,
  checkoutURL: String? = #""https://checkout.sandbox.futa-app.com/c/7Q2m?l=%66r""#,
  extra: String = ""
) -> String {
  let members = [
    #""id":"\#(id)","state":\#(state)"#, final.map { #""final":\#($0)"# },
    amount.map { #""amount":\#($0)"# }, currency.map { #""currency":\#($0)"# },
    checkoutURL.map { #""checkout_url":\#($0)"# }, extra.isEmpty ? nil : extra,
  ]
  return "{\(members.compactMap { $0 }.joined(separator: ","))}"
}
