public import PaymentModels
public import StrictJSON

/// Body of `POST /v1/checkouts`: a new order from products, another try at an order, or one
/// with another cart.
public struct CheckoutBody: Hashable, Sendable {
  /// What is to be paid.
  public enum Purchase: Hashable, Sendable {
    /// A new order; prices are the server's.
    case items([Item])
    /// An order that exists.
    case order(OrderID)
    /// The same order with another cart.
    case edited(OrderID, [Item])
  }

  /// One product and how many.
  public struct Item: Hashable, Sendable {
    /// The merchant's product id.
    public var productID: String
    /// Pieces, 1 to ``quantityMax``.
    public var quantity: Int64

    /// Builds an item.
    public init(productID: String, quantity: Int64) {
      self.productID = productID
      self.quantity = quantity
    }
  }

  /// Most pieces of one product in an order.
  public static let quantityMax: Int64 = 1_000
  /// Most items in an order.
  public static let itemsMax = 100
  /// Longest product id.
  public static let productIDMax = 64

  /// At which provider.
  public var provider: ProviderName
  /// What is to be paid.
  public var purchase: Purchase

  /// Builds a body.
  public init(provider: ProviderName, purchase: Purchase) {
    self.provider = provider
    self.purchase = purchase
  }

  /// The JSON that ``init(json:)`` reads.
  public var json: JSONValue {
    let provider = JSONValue.string(provider.rawValue)
    return switch purchase {
    case .items(let items): .object(["provider": provider, "items": Self.json(items)])
    case .order(let id): .object(["provider": provider, "order_id": .string(id.rawValue)])
    case .edited(let id, let items):
      .object([
        "provider": provider, "order_id": .string(id.rawValue), "items": Self.json(items),
      ])
    }
  }

  private static func json(_ items: [Item]) -> JSONValue {
    .array(
      items.map {
        .object(["product_id": .string($0.productID), "quantity": .integer($0.quantity)])
      })
  }

  /// Reads and checks a body; unknown members are refused, so that a misspelt one is noticed.
  ///
  /// - Throws: ``BodyError``, which names the member.
  public init(json: JSONValue) throws(BodyError) {
    let body = try BodyReader(json, allowed: ["provider", "items", "order_id"])
    let provider = try body.text("provider", lengthMax: BodyReader.nameMax)
    let id = try body.optionalText("order_id", lengthMax: 36)
    if let id, !isCanonicalUUID(id) {
      throw BodyError(path: "order_id", "is not an order id")
    }
    let purchase: Purchase =
      switch id.map({ OrderID($0) }) {
      case nil: .items(try Self.items(of: json))
      case let id? where json["items"] == nil: .order(id)
      case let id?: .edited(id, try Self.items(of: json))
      }
    self.init(provider: ProviderName(provider), purchase: purchase)
  }

  private static func items(of json: JSONValue) throws(BodyError) -> [Item] {
    guard let elements = json["items"]?.elements, (1...itemsMax).contains(elements.count)
    else { throw BodyError(path: "items", "must be an array of 1 to \(itemsMax) items") }
    var items: [Item] = []
    for (index, element) in elements.enumerated() {
      let path = "items[\(index)]"
      let item = try BodyReader(element, allowed: ["product_id", "quantity"], path: path)
      guard let quantity = element["quantity"]?.int64, (1...quantityMax).contains(quantity)
      else {
        throw BodyError(
          path: path + ".quantity", "must be a whole number from 1 to \(quantityMax)")
      }
      items.append(
        Item(
          productID: try item.text("product_id", lengthMax: Self.productIDMax), quantity: quantity))
    }
    guard Set(items.map(\.productID)).count == items.count else {
      throw BodyError(path: "items", "names a product twice")
    }
    return items
  }
}

extension CheckoutBody {
  /// What ``init(json:)`` takes; that no product comes twice is beyond a schema.
  static var schema: JSONSchema {
    let item = JSONSchema.object(
      [
        JSONSchema.Member("product_id", .text(1...productIDMax).example("lamp")),
        JSONSchema.Member("quantity", .integer(from: 1, to: quantityMax)),
      ], isClosed: true)
    let items = JSONSchema.array(of: item, 1...itemsMax)
      .described("No product twice. Prices are the server's.")
    let members = [
      JSONSchema.Member("provider", .providerName.example("tabby")),
      JSONSchema.Member("items", items, isRequired: false),
      JSONSchema.Member("order_id", .uuid.orNull, isRequired: false),
    ]
    return .all(of: [
      .object(members, isClosed: true),
      .any(of: [
        .object([JSONSchema.Member("items", .anything)]),
        .object([JSONSchema.Member("order_id", .uuid)]),
      ]),
    ])
  }
}
