public import PaymentModels

/// A capture, refund or close as stored.
public struct OperationRow: Hashable, Sendable {
  /// What is asked of the provider.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Take held money.
    case capture
    /// Give captured money back.
    case refund
    /// End the payment.
    case close
  }
  /// How far it has come.
  public enum State: String, Hashable, Sendable, CaseIterable {
    /// Stored, and certainly not seen by the provider yet.
    case intent
    /// Sent, or perhaps sent: the next step is a read.
    case unknown
    /// Done, by proof.
    case done
    /// Not done and never will be.
    case refused
  }

  /// The key, also the reference that the provider dedupes by.
  public var id: OperationID
  /// On which payment.
  public var paymentID: PaymentID
  /// What is asked.
  public var kind: Kind
  /// How much; zero for a close.
  public var amount: Money
  /// Why.
  public var reason: String?
  /// How far it has come.
  public var state: State
  /// When the provider took it on without showing it as done: it is never sent again, and a read
  /// will tell. Refunds alone; a bank may take days over one.
  public var acceptedAt: Instant?
  /// What the provider said when it refused.
  public var detail: String?
  /// Sends so far.
  public var tries: Int
  /// When to work on it next; nil once it has an end.
  public var nextTryAt: Instant?
  /// When it was decided.
  public var createdAt: Instant

  /// A new operation, due at once.
  public init(
    id: OperationID, paymentID: PaymentID, kind: Kind, amount: Money, reason: String?,
    createdAt: Instant
  ) {
    self.id = id
    self.paymentID = paymentID
    self.kind = kind
    self.amount = amount
    self.reason = reason
    self.createdAt = createdAt
    state = .intent
    tries = 0
    nextTryAt = createdAt
  }

  /// Whether the money that it names must be counted as on its way.
  public var isInFlight: Bool { state == .intent || state == .unknown }
}
