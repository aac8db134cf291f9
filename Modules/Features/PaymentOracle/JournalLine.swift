public import PaymentModels

/// One line of the merchant's journal, as its store has it.
public struct JournalLine: Sendable, Hashable {
  /// 1 for the first line of the store.
  public var sequence: Int64
  /// When, by the clock of who wrote it.
  public var at: Instant
  /// About which order, if one.
  public var orderID: String?
  /// About which payment, if one.
  public var paymentID: String?
  /// What happened.
  public var event: String
  /// What it changed; nil if nothing.
  public var change: String?

  /// Collects the values.
  public init(
    sequence: Int64, at: Instant, orderID: String?, paymentID: String?, event: String,
    change: String?
  ) {
    self.sequence = sequence
    self.at = at
    self.orderID = orderID
    self.paymentID = paymentID
    self.event = event
    self.change = change
  }
}
