public import PaymentModels

/// Something that a person should decide.
public struct ReviewRow: Hashable, Sendable {
  /// About which order.
  public var orderID: OrderID
  /// About which payment, if about one.
  public var paymentID: PaymentID?
  /// What it is.
  public var kind: ReviewKind
  /// Both values, where two disagree.
  public var detail: String
  /// Since when.
  public var openedAt: Instant
  /// When a person closed it.
  public var resolvedAt: Instant?

  /// A new, open review.
  public init(
    orderID: OrderID, paymentID: PaymentID?, kind: ReviewKind, detail: String, openedAt: Instant
  ) {
    self.orderID = orderID
    self.paymentID = paymentID
    self.kind = kind
    self.detail = detail
    self.openedAt = openedAt
  }
}
