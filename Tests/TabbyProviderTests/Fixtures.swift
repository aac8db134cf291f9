import HTTPExchange
import KitEnvironment
import PaymentModels
import ProviderInterface
import StrictJSON
import TabbyProvider
import TestSupport

/// The payment that most tests are about.
let paymentID = ProviderPaymentID("6f1c1f0e-9d1a-4d0b-8f53-0a5b7d6c2e11")
let testKey = "sk_test_00000000-1a2b-4222-8333-444455556666"
let liveKey = "sk_00000000-1a2b-4222-8333-444455556666"
let ourPaymentID = PaymentID("01936f5e-8a00-7000-8000-0000000000b1")
let ourOrderID = OrderID("01936f5e-8a00-7000-8000-0000000000a1")

func currency(_ code: String) throws -> Currency {
  guard let currency = Currency(iso4217: code) else { throw FixtureError() }
  return currency
}

func money(_ decimal: String, _ code: String = "AED") throws -> Money {
  try isoMoney(decimal, code)
}

func makeConfiguration(
  region: TabbyRegion = .emiratesAndKuwait, header: TabbyWebhookHeader? = nil
) throws -> TabbyConfiguration {
  try TabbyConfiguration(
    account: ProviderAccount("main"), secretKey: Secret(testKey), merchantCode: "AE",
    region: region, webhookHeader: header)
}

func makeProvider(
  _ transport: some HTTPTransport, region: TabbyRegion = .emiratesAndKuwait,
  header: TabbyWebhookHeader? = nil
) throws -> TabbyProvider {
  TabbyProvider(
    try makeConfiguration(region: region, header: header), transport: transport,
    hashing: .weakForTests)
}

/// A provider that gets the same answer to every request.
func provider(
  _ body: String, status: Int = 200, headers: HTTPHeaders = ["Content-Type": "application/json"]
) throws -> TabbyProvider {
  try makeProvider(answering(body, status: status, headers: headers))
}

func makeTerms(
  total: Money, lines: [OrderLine]? = nil, language: String = "en", phone: String = "+971500000001"
) -> CheckoutTerms {
  .sample(
    total,
    lines: lines ?? [
      OrderLine(
        productID: "tea", title: "Tea “Karak”", category: "grocery", quantity: 1, unitPrice: total)
    ]
  ) {
    $0.buyer = Buyer(
      name: "Test Buyer", email: "otp.success@tabby.ai", phone: phone,
      shippingAddress: ShippingAddress(city: "Dubai", address: "1 Test Street", zip: "00000"),
      registeredSince: Instant(milliseconds: 1_566_656_122_000), successfulOrders: 3)
    $0.returnURLs = ReturnURLs(
      success: "https://shop.example/return/success?payment=b1",
      cancel: "https://shop.example/return/cancel", failure: "shop.example:/failure")
    $0.language = language
  }
}

/// A payment object with the members that a test is about.
func paymentJSON(
  id: String = paymentID.rawValue, status: String = #""AUTHORIZED""#, amount: String? = #""140""#,
  currency: String? = #""AED""#, captures: String? = "[]", refunds: String? = "[]",
  extra: String = ""
) -> String {
  let members = [
    #""id":"\#(id)","status":\#(status)"#, amount.map { #""amount":\#($0)"# },
    currency.map { #""currency":\#($0)"# }, captures.map { #""captures":\#($0)"# },
    refunds.map { #""refunds":\#($0)"# }, extra.isEmpty ? nil : extra,
  ]
  return "{\(members.compactMap { $0 }.joined(separator: ","))}"
}

/// A capture or refund.
func itemJSON(_ id: String, _ amount: String, reference: String = "") -> String {
  #"{"id":"\#(id)","amount":\#(amount),"reference_id":"\#(reference)","#
    + #""created_at":"2026-09-21T15:33:20Z"}"#
}
