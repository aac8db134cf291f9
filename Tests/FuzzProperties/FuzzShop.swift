import HTTPExchange
import KitEnvironment
import PaymentModels
import PaymentStore
import ProviderInterface
import Simulation
import SystemCrypto

/// One order of the merchant's, and its accounts at all five providers, with the real hash
/// functions and a clock that stands still.
enum FuzzShop {
  static let now = Instant(milliseconds: 1_790_000_000_000)
  static let orderID = OrderID("01995000-0001-7000-8000-000000000001")
  static let paymentID = PaymentID("01995000-0002-7000-8000-000000000001")
  private static let returnURLs = ReturnURLs(
    success: "https://shop.example/done", cancel: "https://shop.example/cancel",
    failure: "https://shop.example/failure")

  /// What a provider answers to whatever it is asked next, but for a token.
  @TaskLocal static var answer = HTTPResponse(status: 500)

  private struct Transport: HTTPTransport {
    func send(_ request: HTTPOutgoing) async throws(HTTPTransportError) -> HTTPResponse {
      guard request.url.hasSuffix("/auth/token") else { return FuzzShop.answer }
      return HTTPResponse(
        status: 200, headers: ["Content-Type": "application/json"],
        body: Array(#"{"access_token":"t0ken","expires_in":300,"token_type":"Bearer"}"#.utf8))
    }
  }

  /// Made once, since that takes longer than any call.
  static let providers = WorldProviders().providers(
    transport: Transport(),
    environment: KitEnvironment(
      clock: KitClock(now: { now }, uptime: { .zero }, sleep: { _ in }),
      random: RandomSource { 1 }, log: .silent, hashing: .openSSL))

  /// Terms that a provider takes: 150 in its first currency.
  static func terms(_ provider: any PaymentProvider) -> CheckoutTerms? {
    guard let code = provider.capabilities.currencies.min(), let currency = Currency(iso4217: code)
    else { return nil }
    let order = order(currency)
    return CheckoutTerms(
      orderID: orderID, paymentID: paymentID, lines: order.lines, total: order.total,
      buyer: Buyer(name: "Test Buyer", email: "buyer@shop.example", phone: "+971500000001"),
      returnURLs: returnURLs, language: "en", placedAt: now)
  }

  static func order(_ currency: Currency) -> OrderRow {
    let total = Money(minorUnits: 150 * currency.minorUnitsPerMajor, currency: currency)
    let line = OrderLine(
      productID: "6276316", title: "Lamp", category: "home", quantity: 1, unitPrice: total)
    return OrderRow(
      id: orderID, subject: Subject("u1"), lines: [line], total: total, createdAt: now)
  }

  /// The order's payment, asked for and not answered.
  static func payment(_ provider: ProviderName, _ currency: Currency) -> PaymentRow {
    PaymentRow(
      id: paymentID, orderID: orderID, attempt: 1, provider: provider,
      account: ProviderAccount("world"), mode: .test, amount: order(currency).total,
      createKey: "key", createRequest: [], returnURLs: returnURLs, createdAt: now)
  }
}
