public import PaymentModels

/// The first use of an idempotency key of our own API.
public struct IdempotencyRow: Hashable, Sendable {
  /// Who used it for which route.
  public var scope: String
  /// The caller's key.
  public var key: String
  /// Hash of the decoded terms; the same key with other terms is a conflict.
  public var termsHash: String
  /// The order that came of it.
  public var orderID: OrderID
  /// The payment that came of it.
  public var paymentID: PaymentID
  /// When.
  public var createdAt: Instant

  /// Builds a row.
  public init(
    scope: String, key: String, termsHash: String, orderID: OrderID, paymentID: PaymentID,
    createdAt: Instant
  ) {
    self.scope = scope
    self.key = key
    self.termsHash = termsHash
    self.orderID = orderID
    self.paymentID = paymentID
    self.createdAt = createdAt
  }
}
