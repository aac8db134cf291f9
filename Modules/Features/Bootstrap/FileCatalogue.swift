import CheckoutService
import PaymentModels
import StrictJSON

/// An `OrderSource` over a file of products: enough for a demo and a small shop. Replace it by
/// your own cart.
struct FileCatalogue: OrderSource {
  private struct Product: Sendable {
    let title: String
    let category: String
    let price: Money
  }

  /// As long as the API takes.
  private static let idBytesMax = 64
  /// As long as providers show.
  private static let titleBytesMax = 255

  private var products: [String: Product] = [:]

  /// Reads `{"products": [{"id", "title", "category", "price", "currency"}]}`.
  init(json: JSONValue) throws(ConfigurationError) {
    let rows = try SettingsReader.rows(
      json, file: "catalogue", member: "products",
      allowed: ["id", "title", "category", "price", "currency"])
    for row in rows {
      let id = try row.text("id")
      guard id.utf8.count <= Self.idBytesMax else {
        throw ConfigurationError(row.name("id"), "is longer than \(Self.idBytesMax) bytes")
      }
      let title = try row.text("title")
      guard title.utf8.count <= Self.titleBytesMax else {
        throw ConfigurationError(row.name("title"), "is longer than \(Self.titleBytesMax) bytes")
      }
      let product = Product(
        title: title, category: try row.optionalText("category") ?? "general",
        price: try Self.price(row))
      guard products.updateValue(product, forKey: id) == nil else {
        throw ConfigurationError(row.name("id"), "stands twice")
      }
    }
  }

  private static func price(_ row: SettingsReader) throws(ConfigurationError) -> Money {
    guard let currency = Currency(iso4217: try row.text("currency")) else {
      throw ConfigurationError(row.name("currency"), "must be an ISO 4217 code such as AED")
    }
    let text = try row.decimal("price")
    let price: Money
    do {
      price = try Money(decimal: text, currency: currency)
    } catch {
      throw ConfigurationError(row.name("price"), "\(error)")
    }
    guard price.minorUnits > 0 else {
      throw ConfigurationError(row.name("price"), "must be more than zero")
    }
    return price
  }

  /// Each product's id and price, by id.
  var prices: [(id: String, price: Money)] {
    products.map { ($0.key, $0.value.price) }.sorted { $0.id < $1.id }
  }

  func lines(
    for items: [PurchaseItem], subject: Subject
  ) async throws(CheckoutError) -> [OrderLine] {
    var lines: [OrderLine] = []
    for (index, item) in items.enumerated() {
      guard let product = products[item.productID] else {
        throw CheckoutError(
          .invalid, "There is no such product.", path: "items[\(index)].product_id")
      }
      lines.append(
        OrderLine(
          productID: item.productID, title: product.title, category: product.category,
          quantity: item.quantity, unitPrice: product.price))
    }
    return lines
  }
}
