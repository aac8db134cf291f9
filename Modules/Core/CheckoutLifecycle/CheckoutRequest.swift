public import PaymentModels

/// The app's own name for one checkout, and the idempotency key of its create.
///
/// It is made and stored before the create is sent, so that a repeat after a lost answer, a
/// second tap or a killed process is recognised as the same checkout.
public struct CheckoutKey: TextIdentifier {
  /// A lower-case UUID of version 7, so that keys sort by the time of their making.
  public let rawValue: String
  /// Wraps a checked text.
  public init(_ rawValue: String) { self.rawValue = rawValue }
}

/// What the app asks its backend to have paid; prices are the server's.
public struct CheckoutRequest: Hashable, Sendable {
  /// What is to be paid.
  public enum Purchase: Hashable, Sendable {
    /// A new order.
    case items([Item])
    /// Another try at an order that exists.
    case order(OrderID)
    /// The same order with another cart, before it was paid.
    case edited(OrderID, [Item])
  }

  /// One product and how many.
  public struct Item: Hashable, Sendable {
    /// The merchant's product id.
    public var productID: String
    /// Pieces, 1 or more.
    public var quantity: Int64

    /// Builds an item.
    public init(productID: String, quantity: Int64) {
      self.productID = productID
      self.quantity = quantity
    }
  }

  /// At which provider.
  public var provider: ProviderName
  /// What is to be paid.
  public var purchase: Purchase

  /// Builds a request.
  public init(provider: ProviderName, purchase: Purchase) {
    self.provider = provider
    self.purchase = purchase
  }
}
