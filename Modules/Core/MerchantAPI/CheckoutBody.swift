public import PaymentModels
public import StrictJSON

/// Body of `POST /v1/checkouts`: a new order from products, or another try at an order.
public struct CheckoutBody: Hashable, Sendable {
  /// What is to be paid.
  public enum Purchase: Hashable, Sendable {
    /// A new order; prices are the server's.
    case items([Item])
    /// An order that exists.
    case order(OrderID)
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
    switch purchase {
    case .items(let items):
      .object([
        "provider": .string(provider.rawValue),
        "items": .array(
          items.map {
            .object([
              "product_id": .string($0.productID), "quantity": .integer($0.quantity),
            ])
          }),
      ])
    case .order(let id):
      .object(["provider": .string(provider.rawValue), "order_id": .string(id.rawValue)])
    }
  }

  /// Reads and checks a body; unknown members are refused, so that a misspelt one is noticed.
  ///
  /// - Throws: ``BodyError``, which names the member.
  public init(json: JSONValue) throws(BodyError) {
    let body = try BodyReader(json, allowed: ["provider", "items", "order_id"])
    let provider = try body.text("provider", bytesMax: 32)
    if let id = try body.optionalText("order_id", bytesMax: 36) {
      guard json["items"] == nil else {
        throw BodyError(path: "items", "must not stand beside order_id")
      }
      guard isCanonicalUUID(id) else { throw BodyError(path: "order_id", "is not an order id") }
      self.init(provider: ProviderName(provider), purchase: .order(OrderID(id)))
      return
    }
    guard let elements = json["items"]?.elements, (1...Self.itemsMax).contains(elements.count)
    else { throw BodyError(path: "items", "must be an array of 1 to \(Self.itemsMax) items") }
    var items: [Item] = []
    for (index, element) in elements.enumerated() {
      let path = "items[\(index)]"
      let item = try BodyReader(element, allowed: ["product_id", "quantity"], path: path)
      guard let quantity = element["quantity"]?.int64, (1...Self.quantityMax).contains(quantity)
      else {
        throw BodyError(
          path: path + ".quantity", "must be a whole number from 1 to \(Self.quantityMax)")
      }
      items.append(Item(productID: try item.text("product_id", bytesMax: 64), quantity: quantity))
    }
    guard Set(items.map(\.productID)).count == items.count else {
      throw BodyError(path: "items", "names a product twice")
    }
    self.init(provider: ProviderName(provider), purchase: .items(items))
  }
}
