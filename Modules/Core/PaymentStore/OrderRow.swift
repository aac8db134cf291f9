public import PaymentModels

/// An order as stored.
public struct OrderRow: Hashable, Sendable {
  /// The key.
  public var id: OrderID
  /// Whose order it is.
  public var subject: Subject
  /// The priced lines, as they were when the order was placed.
  public var lines: [OrderLine]
  /// The sum of the lines.
  public var total: Money
  /// Where the order stands, as last derived.
  public var state: OrderState
  /// When the merchant asked to cancel it.
  public var cancelRequestedAt: Instant?
  /// When the cancel was complete.
  public var cancelledAt: Instant?
  /// When all that was captured had gone back: money that comes later is late.
  public var refundedAt: Instant?
  /// The amount due if the merchant lowered it, minor units.
  public var loweredDue: Int64?
  /// Sequence that the order's next outbox message gets, from 1.
  public var nextSequence: Int64
  /// Whether `fulfil` was sent, and since then no `revoke`.
  public var isFulfilled: Bool
  /// When it was placed.
  public var createdAt: Instant
  /// Changes so far; an update must hold the stored one.
  public var version: Int64

  /// A new order, pending.
  public init(
    id: OrderID, subject: Subject, lines: [OrderLine], total: Money, createdAt: Instant
  ) {
    self.id = id
    self.subject = subject
    self.lines = lines
    self.total = total
    self.createdAt = createdAt
    state = .pending
    nextSequence = 1
    isFulfilled = false
    version = 1
  }
}
