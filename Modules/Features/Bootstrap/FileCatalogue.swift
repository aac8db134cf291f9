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

  private var products: [String: Product] = [:]

  /// Reads `{"products": [{"id", "title", "category", "price", "currency"}]}`.
  init(json: JSONValue) throws(ConfigurationError) {
    guard let elements = json["products"]?.elements, !elements.isEmpty else {
      throw ConfigurationError("catalogue", "must hold an array “products”")
    }
    for (index, element) in elements.enumerated() {
      let path = "catalogue.products[\(index)]"
      guard let id = element["id"]?.text, !id.isEmpty, id.utf8.count <= 64,
        let title = element["title"]?.text, !title.isEmpty, title.utf8.count <= 255,
        let code = element["currency"]?.text, let currency = Currency(iso4217: code),
        let text = element["price"]?.text ?? element["price"]?.numberText
      else {
        throw ConfigurationError(path, "needs id, title, price and an ISO 4217 currency")
      }
      do {
        let price = try Money(decimal: text, currency: currency)
        guard price.minorUnits > 0 else { throw ConfigurationError(path, "has a price of zero") }
        let product = Product(
          title: title, category: element["category"]?.text ?? "general", price: price)
        guard products.updateValue(product, forKey: id) == nil else {
          throw ConfigurationError(path, "has an id that stands twice")
        }
      } catch let error as MoneyError {
        throw ConfigurationError(path, "price: \(error)")
      } catch let error as ConfigurationError {
        throw error
      } catch {
        throw ConfigurationError(path, "\(error)")
      }
    }
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
