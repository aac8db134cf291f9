public import PaymentModels

/// Something that a person should decide.
public struct ReviewRow: Hashable, Sendable {
  /// The key, given by the store, growing in the order of opening; 0 before.
  public var number: Int64
  /// About which order.
  public var orderID: OrderID
  /// About which payment, if about one.
  public var paymentID: PaymentID?
  /// What it is.
  public var kind: ReviewKind
  /// Both values, where two disagree. The same text is the same case: once it is decided, it does
  /// not open again.
  public var detail: String
  /// Since when.
  public var openedAt: Instant
  /// When it was closed, by a decision or because a proof answered it.
  public var resolvedAt: Instant?
  /// What was decided last; nil if nobody has.
  public var decision: Decided?

  /// A decision as stored.
  public struct Decided: Hashable, Sendable {
    /// What was decided.
    public var decision: ReviewDecision
    /// By whom; nil for the merchant's own policy.
    public var operatorName: OperatorName?
    /// Why.
    public var reason: String
    /// The caller's own key: the same key and terms are the same decision.
    public var idempotencyKey: String?

    /// Collects a decision.
    public init(
      _ decision: ReviewDecision, by operatorName: OperatorName?, because reason: String,
      idempotencyKey: String? = nil
    ) {
      self.decision = decision
      self.operatorName = operatorName
      self.reason = reason
      self.idempotencyKey = idempotencyKey
    }
  }

  /// A new, open review.
  public init(
    orderID: OrderID, paymentID: PaymentID?, kind: ReviewKind, detail: String, openedAt: Instant
  ) {
    number = 0
    self.orderID = orderID
    self.paymentID = paymentID
    self.kind = kind
    self.detail = detail
    self.openedAt = openedAt
  }

  /// Whether nobody has closed it yet.
  public var isOpen: Bool { resolvedAt == nil }

  /// The decision that closed it; nil if it is open, or a proof has answered it.
  public var verdict: ReviewDecision? {
    guard !isOpen, decision?.decision != .keep else { return nil }
    return decision?.decision
  }

  /// Whether it keeps its payment from paying: a mismatch that no proof has answered and nobody
  /// has accepted.
  public var forbidsPayment: Bool {
    kind.isMismatch && (isOpen || verdict == .refund || verdict == .dismiss)
  }

  /// Whether it says that the money of its payment is settled elsewhere.
  var setsAside: Bool { kind.setsAsideOnceDismissed && verdict == .dismiss }

  /// Whether it says that money that came late pays the order.
  var acceptsLateMoney: Bool { kind == .lateMoney && verdict == .accept }
}
