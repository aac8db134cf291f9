import CheckoutLifecycle
import CheckoutService
import FulfilmentOutbox
import HTTPExchange
import KitEnvironment
import MerchantServer
import PaymentModels
import ProviderInterface
import StrictJSON

/// The merchant's own part of a world: what it sells, to whom, and its secrets, which open nothing
/// outside a world.
enum WorldShop {
  static let sandboxURL = "http://127.0.0.1:4010"
  static let serverURL = "http://127.0.0.1:4020"
  static let receiverURL = "http://127.0.0.1:4030"
  static let returnBase = "tillshop://checkout"
  /// Stands in every key and secret that is no device's, so that one is known wherever it turns up.
  static let keyMark = "worldkey"
  static let fulfilmentSecret = Secret("world-fulfilment-\(keyMark)")
  static let operatorName = OperatorName("world")

  static func subject(_ payer: Int) -> Subject { Subject("payer-\(payer)") }

  /// What is sold by which provider. Tebex knows a product by its package's id.
  static let products: [(provider: ProviderName, ids: [String], price: Money)] = [
    (.tabby, ["tee", "mug"], money(4_250, "AED")), (.futa, ["solar"], money(2_500_000, "CDF")),
    (.rais, ["radio"], money(500_000, "GNF")), (.tebex, ["6276316"], money(535, "USD")),
    (.seb, ["sauna"], money(12_990, "EUR")),
  ]

  private static func money(_ minorUnits: Int64, _ code: String) -> Money {
    guard let currency = Currency(iso4217: code) else { preconditionFailure("a code of ISO 4217") }
    return Money(minorUnits: minorUnits, currency: currency)
  }
}

struct WorldCatalogue: OrderSource {
  func lines(
    for items: [PurchaseItem], subject: Subject
  ) async throws(CheckoutError) -> [OrderLine] {
    var lines: [OrderLine] = []
    for item in items {
      guard let row = WorldShop.products.first(where: { $0.ids.contains(item.productID) }) else {
        throw CheckoutError(.invalid, "There is no such product.")
      }
      lines.append(
        OrderLine(
          productID: item.productID, title: item.productID, category: "home",
          quantity: item.quantity, unitPrice: row.price))
    }
    return lines
  }
}

/// Payers who stand for the providers' documented test cases.
struct WorldBuyers: BuyerSource {
  /// By payer: whether Tabby refuses them before the page, or on it.
  let refusals: [Refusal]

  enum Refusal: Sendable, Hashable { case none, beforePage, onPage }

  func buyer(_ subject: Subject) async throws(CheckoutError) -> Buyer {
    let payer = refusals.indices.first { WorldShop.subject($0) == subject } ?? 0
    return Buyer(
      name: "Test Payer",
      email: refusals[payer] == .onPage ? "otp.rejected@tabby.ai" : "otp.success@tabby.ai",
      phone: refusals[payer] == .beforePage ? "+971500000002" : "+971500000001")
  }
}

/// The shop's own system behind the outbox: checks the signature, writes the message down and
/// acknowledges it; now and then it is out of order.
struct WorldReceiver: HTTPHandler {
  let party: Party
  let world: WorldRun

  func respond(to request: HTTPRequest) async -> HTTPResponse {
    let signature = MessageSignature(
      secret: WorldShop.fulfilmentSecret, hashing: party.environment.hashing)
    guard
      signature.isValid(
        request.headers, body: request.body, now: party.environment.clock.now()),
      let id = request.headers["webhook-id"],
      let json = try? JSONValue(parsing: request.body),
      let type = json["type"]?.text, let order = json["order_id"]?.text
    else { return HTTPResponse(status: 400) }
    if world.hasFaults, party.random.below(4) == 0 { return HTTPResponse(status: 503) }
    world.received(id, type, order)
    return HTTPResponse(status: 204)
  }
}
