import CheckoutService
import FulfilmentOutbox
import KitEnvironment
import MerchantServer
import PaymentModels
import ProviderInterface
import StrictJSON
import TabbyProvider
import TestSupport
import Testing

@testable import Bootstrap

@Suite("Data files of the demo shop")
struct DataFileTests {
  private func product(
    id: String = "\"tee\"", price: String = "\"85.00\"", currency: String = "\"AED\"",
    extra: String = ""
  ) -> String {
    "{\"id\": \(id), \"title\": \"Shirt\", \"price\": \(price), \"currency\": \(currency)\(extra)}"
  }

  private func refusal(_ rows: String...) -> ConfigurationError? {
    let text = "{\"products\": [\(rows.joined(separator: ","))]}"
    do {
      _ = try FileCatalogue(json: JSONValue(parsing: Array(text.utf8)))
      return nil
    } catch {
      return error as? ConfigurationError
    }
  }

  @Test(
    arguments: [
      ("\"1.005\"", "AED"), ("1.005", "AED"), ("\"0.00\"", "AED"), ("0", "AED"),
      ("\"-1.00\"", "AED"), ("-1", "AED"), ("\"1e3\"", "AED"), ("1e3", "AED"), ("\"10,50\"", "AED"),
      ("\" 10.50\"", "AED"), ("\"٥\"", "AED"), ("\"1.0001\"", "KWD"), ("true", "AED"),
      ("null", "AED"), ("\"99999999999999.99\"", "AED"),
    ])
  func `FB-09, FB-10 a price that would be rounded or paid out is refused`(
    price: String, currency: String
  ) {
    #expect(
      refusal(product(price: price, currency: "\"\(currency)\""))?.setting
        == "catalogue.products[0].price")
  }

  @Test(
    arguments: [
      ("\"19.99\"", "AED", 1_999), ("8.20", "AED", 820), ("0.29", "AED", 29),
      ("\"1.005\"", "KWD", 1_005), ("140", "AED", 14_000), ("\"500\"", "JPY", 500),
    ] as [(String, String, Int64)])
  func `a price is read exactly, from text or number`(
    price: String, currency: String, minorUnits: Int64
  ) async throws {
    let text = "{\"products\": [\(product(price: price, currency: "\"\(currency)\""))]}"
    let catalogue = try FileCatalogue(json: JSONValue(parsing: Array(text.utf8)))
    let lines = try await catalogue.lines(
      for: [PurchaseItem(productID: "tee", quantity: 2)], subject: Subject("u1"))
    #expect(lines.map(\.unitPrice.minorUnits) == [minorUnits])
    #expect(lines.map(\.quantity) == [2])
  }

  @Test func `a product is whole, known by one id, in a currency that exists`() {
    #expect(refusal(product()) == nil)
    #expect(
      refusal(product(), product())
        == ConfigurationError("catalogue.products[1].id", "stands twice"))
    #expect(refusal(product(currency: "\"XXQ\""))?.setting == "catalogue.products[0].currency")
    #expect(refusal(product(currency: "\"aed\""))?.setting == "catalogue.products[0].currency")
    #expect(refusal(product(id: "\"\""))?.setting == "catalogue.products[0].id")
    #expect(refusal(product(id: "7"))?.setting == "catalogue.products[0].id")
    let long = { (count: Int) in "\"" + String(repeating: "x", count: count) + "\"" }
    #expect(refusal(product(id: long(64))) == nil)
    #expect(refusal(product(id: long(65)))?.setting == "catalogue.products[0].id")
    #expect(
      refusal(product(extra: ", \"prise\": \"1\""))?.setting == "catalogue.products[0].prise")
    #expect(refusal()?.setting == "catalogue.products")
  }

  @Test func `a product that is not there is named by its place in the cart`() async throws {
    let text = "{\"products\": [\(product())]}"
    let catalogue = try FileCatalogue(json: JSONValue(parsing: Array(text.utf8)))
    let cart = ["tee", "gone"].map { PurchaseItem(productID: $0, quantity: 1) }
    do {
      _ = try await catalogue.lines(for: cart, subject: Subject("u1"))
      Issue.record("a product that is not there was sold")
    } catch {
      #expect(
        error
          == CheckoutError(.invalid, "There is no such product.", path: "items[1].product_id"))
    }
  }

  @Test func `a token opens its user's door and no other`() throws {
    let (token, key) = (Secret("app_token-1"), Secret("op_key-0123456789"))
    let hash = FileAuthenticator.hash(token)
    let text = "{\"tokens\": [{\"subject\": \"u1\", \"token_sha256\": \"\(hash)\"}]}"
    let authenticator = try FileAuthenticator(
      json: JSONValue(parsing: Array(text.utf8)),
      operatorKeys: [OperatorKey(name: OperatorName("anna"), key: key)])
    #expect(authenticator.caller(of: token, at: Instant(milliseconds: 0)) == .user(Subject("u1")))
    #expect(
      authenticator.caller(of: key, at: Instant(milliseconds: 0)) == .operator(OperatorName("anna"))
    )
    for stranger in ["", "app_token-2", "app_token-1 ", FileAuthenticator.hash(token)] {
      #expect(authenticator.caller(of: Secret(stranger), at: Instant(milliseconds: 0)) == nil)
    }
  }

  @Test(
    arguments: [
      "{}", "{\"tokens\": []}", "{\"tokens\": [{\"subject\": \"u1\"}]}",
      "{\"tokens\": [{\"subject\": \"u1\", \"token_sha256\": \"app_token\"}]}",
      "{\"tokens\": [{\"subject\": \"\", \"token_sha256\": \"\(ShopFiles.hash)\"}]}",
      "{\"tokens\": [{\"subject\": \"u1\", \"token_sha256\": \"\(ShopFiles.hash.uppercased())\"}]}",
      "{\"tokens\": [{\"subject\": \"u1\", \"token_sha256\": \"\(ShopFiles.hash)\"},"
        + "{\"subject\": \"u2\", \"token_sha256\": \"\(ShopFiles.hash)\"}]}",
    ])
  func `a token file that would let nobody or the wrong one in is refused`(text: String) throws {
    let json = try JSONValue(parsing: Array(text.utf8))
    let error = #expect(throws: ConfigurationError.self) {
      try FileAuthenticator(json: json, operatorKeys: [])
    }
    #expect(error?.setting.hasPrefix("app_tokens") == true)
  }

  @Test(
    arguments: [
      ("{\"subject\": \"u1\", \"name\": \"N\", \"email\": \"e\"}", "buyers.buyers[0].phone"),
      (Self.buyer(", \"city\": \"Dubai\""), "buyers.buyers[0]"),
      (Self.buyer(", \"zip\": \"1\""), "buyers.buyers[0]"),
      (
        Self.buyer(", \"registered_since\": \"15.01.2024\""), "buyers.buyers[0].registered_since"
      ),
      (Self.buyer(", \"successful_orders\": -1"), "buyers.buyers[0].successful_orders"),
      (Self.buyer("") + "," + Self.buyer(""), "buyers.buyers[1].subject"),
    ])
  func `a wrong buyer is named`(rows: String, setting: String) throws {
    let json = try JSONValue(parsing: Array("{\"buyers\": [\(rows)]}".utf8))
    let error = #expect(throws: ConfigurationError.self) { try FileBuyers(json: json) }
    #expect(error?.setting == setting)
  }

  private static func buyer(_ extra: String) -> String {
    "{\"subject\": \"u1\", \"name\": \"N\", \"email\": \"e\", \"phone\": \"p\"\(extra)}"
  }

  @Test func `a buyer may have a username`() async throws {
    let json = try JSONValue(
      parsing: Array("{\"buyers\": [\(Self.buyer(", \"username\": \"Steve\""))]}".utf8))
    #expect(try await FileBuyers(json: json).buyer(Subject("u1")).username == "Steve")
  }

  @Test func `the demo shop writes files that the server takes`() async throws {
    try await withTemporaryDirectory { directory in
      let shop = DemoShop(directory: directory, environment: .test(ManualClock()))
      try shop.write(
        sandbox: "http://127.0.0.1:4010", fulfilment: "http://127.0.0.1:4011", port: 0)
      let configuration = try ServerConfiguration(
        file: shop.configurationFile, environment: shop.environment)
      #expect(configuration.tabby.map(\.baseURL) == ["http://127.0.0.1:4010"])
      #expect(configuration.fulfilment?.url == "http://127.0.0.1:4011")
      #expect(configuration.fulfilment?.deadline == .seconds(5))
      #expect(configuration.fulfilment?.lease == .seconds(10))
      for payer in DemoShop.Payer.allCases {
        let caller = configuration.authenticator.caller(
          of: shop.token(payer), at: Instant(milliseconds: 0))
        #expect(caller == .user(Subject(payer.rawValue)))
        let buyer = try await configuration.buyers.buyer(Subject(payer.rawValue))
        #expect(buyer.email == payer.email && buyer.phone == payer.phone)
      }
    }
  }
}
