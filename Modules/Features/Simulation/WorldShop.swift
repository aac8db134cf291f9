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
  static let tabbyKey = Secret("sk_test_world")
  static let webhookHeader = "X-Webhook-Token"
  static let webhookSecret = Secret("world-webhook-secret")
  static let fulfilmentSecret = Secret("world-fulfilment-secret")
  static let appToken = Secret("world-app-token")
  static let payer = Subject("payer")
  static let products = ["tee", "mug"]
}

struct WorldCatalogue: OrderSource {
  func lines(
    for items: [PurchaseItem], subject: Subject
  ) async throws(CheckoutError) -> [OrderLine] {
    var lines: [OrderLine] = []
    for item in items {
      guard WorldShop.products.contains(item.productID),
        let currency = Currency(iso4217: "AED")
      else { throw CheckoutError(.invalid, "There is no such product.") }
      lines.append(
        OrderLine(
          productID: item.productID, title: item.productID, category: "home",
          quantity: item.quantity, unitPrice: Money(minorUnits: 4_250, currency: currency)))
    }
    return lines
  }
}

struct WorldBuyers: BuyerSource {
  let email: String
  let phone: String

  func buyer(_ subject: Subject) async throws(CheckoutError) -> Buyer {
    Buyer(name: "Test Payer", email: email, phone: phone)
  }
}

struct WorldTokens: CallerAuthenticator {
  func caller(of token: Secret) async -> Caller? {
    token == WorldShop.appToken ? .user(WorldShop.payer) : nil
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
