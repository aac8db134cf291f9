public import PaymentModels
public import ProviderInterface

/// Turns what an app wants to buy into priced lines. The merchant fills this with its own cart
/// or catalogue; prices never come from the app.
public protocol OrderSource: Sendable {
  /// Prices products for a user.
  ///
  /// - Throws: ``CheckoutError`` of kind `invalid` for a product that is not sold.
  func lines(
    for items: [PurchaseItem], subject: Subject
  ) async throws(CheckoutError) -> [OrderLine]
}

/// Knows who a user is. The merchant fills this with its own accounts.
public protocol BuyerSource: Sendable {
  /// What is known of a user; fields may be empty.
  ///
  /// - Throws: ``CheckoutError`` of kind `unavailable` if it cannot be told now.
  func buyer(_ subject: Subject) async throws(CheckoutError) -> Buyer
}

/// One product and how many of it.
public struct PurchaseItem: Hashable, Sendable {
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

/// What a checkout is for.
public enum Purchase: Hashable, Sendable {
  /// A new order of these products.
  case items([PurchaseItem])
  /// Another try at an order that exists.
  case order(OrderID)
  /// The same order with another cart, before anything was paid for it.
  case edited(OrderID, [PurchaseItem])
}
