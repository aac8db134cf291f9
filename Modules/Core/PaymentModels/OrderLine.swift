/// One line of an order: a product, how many, and what one costs.
public struct OrderLine: Hashable, Sendable {
  /// The merchant's product id.
  public var productID: String
  /// What the payer reads.
  public var title: String
  /// The merchant's category, which some providers want.
  public var category: String
  /// Pieces, 1 or more.
  public var quantity: Int64
  /// Price of one piece, tax included.
  public var unitPrice: Money

  /// Builds a line.
  public init(
    productID: String, title: String, category: String, quantity: Int64, unitPrice: Money
  ) {
    self.productID = productID
    self.title = title
    self.category = category
    self.quantity = quantity
    self.unitPrice = unitPrice
  }
}

/// Where the hosted page sends the payer; the device matches what comes back against these.
public struct ReturnURLs: Hashable, Sendable {
  /// After paying.
  public var success: String
  /// After giving up.
  public var cancel: String
  /// After a refusal.
  public var failure: String

  /// Builds the set.
  public init(success: String, cancel: String, failure: String) {
    self.success = success
    self.cancel = cancel
    self.failure = failure
  }
}
