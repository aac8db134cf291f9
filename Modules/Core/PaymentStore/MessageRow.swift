public import PaymentModels

/// A message to the merchant's own systems as stored.
public struct MessageRow: Hashable, Sendable {
  /// What it tells.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Hand out the goods.
    case fulfil
    /// Take them back: the money is gone again.
    case revoke
    /// Money went back.
    case refunded
    /// The payer's bank disputes.
    case disputed
    /// A person must decide.
    case needsReview = "needs_review"
  }

  /// How far it has come.
  public enum State: String, Hashable, Sendable, CaseIterable {
    /// To be sent, or to be sent again.
    case waiting
    /// A receiver acknowledged it.
    case delivered
    /// Given up after its last try, until a person has it sent again. Those of its order that
    /// follow wait behind it.
    case dead
  }

  /// The key; receivers dedupe by it.
  public var id: MessageID
  /// About which order.
  public var orderID: OrderID
  /// Position among the order's messages, from 1.
  public var sequence: Int64
  /// What it tells.
  public var kind: Kind
  /// The payment that caused it.
  public var paymentID: PaymentID?
  /// The amount that it is about.
  public var amount: Money
  /// When the change behind it was committed.
  public var createdAt: Instant
  /// When a receiver acknowledged it.
  public var deliveredAt: Instant?
  /// Tries so far.
  public var tries: Int
  /// When to try next; nil once delivered, or given up.
  public var nextTryAt: Instant?

  /// A new message, due at once.
  public init(
    id: MessageID, orderID: OrderID, sequence: Int64, kind: Kind, paymentID: PaymentID?,
    amount: Money, createdAt: Instant
  ) {
    self.id = id
    self.orderID = orderID
    self.sequence = sequence
    self.kind = kind
    self.paymentID = paymentID
    self.amount = amount
    self.createdAt = createdAt
    tries = 0
    nextTryAt = createdAt
  }

  /// How far it has come.
  public var state: State {
    if deliveredAt != nil { return .delivered }
    return nextTryAt == nil ? .dead : .waiting
  }
}
