/// What the order derivation needs to know of one payment.
public struct PaymentFacts: Hashable, Sendable {
  /// Which payment.
  public var id: PaymentID
  /// Its present state.
  public var status: PaymentStatus
  /// Reviews that its own readings opened and that nobody has answered: a payment with one of
  /// `amountMismatch`, `wrongOrder` or `modeMismatch` pays nothing.
  public var mismatches: Set<ReviewKind>
  /// Sum of captures, minor units.
  public var captured: Int64
  /// Sum of refunds, minor units.
  public var refunded: Int64
  /// Sum of charge-backs, minor units.
  public var chargedBack: Int64
  /// Where a dispute about it stands; nil if the provider spoke of none.
  public var dispute: DisputeStanding?
  /// Whether the merchant has decided, by policy, to wait for it no longer.
  public var lapsed: Bool
  /// Whether the merchant has decided that its money pays the order, though it came late.
  public var isAccepted: Bool
  /// Whether the merchant has decided that its money is settled elsewhere: it counts for nothing.
  public var isSetAside: Bool

  /// Collects the facts of one payment.
  public init(
    id: PaymentID, status: PaymentStatus, mismatches: Set<ReviewKind> = [], captured: Int64 = 0,
    refunded: Int64 = 0, chargedBack: Int64 = 0, dispute: DisputeStanding? = nil,
    lapsed: Bool = false, isAccepted: Bool = false, isSetAside: Bool = false
  ) {
    self.id = id
    self.status = status
    self.mismatches = mismatches
    self.captured = captured
    self.refunded = refunded
    self.chargedBack = chargedBack
    self.dispute = dispute
    self.lapsed = lapsed
    self.isAccepted = isAccepted
    self.isSetAside = isSetAside
  }

  var isSound: Bool { mismatches.isEmpty && !isSetAside }

  /// Whether a dispute is open: by the provider's word, or by the money where it has no word.
  var isDisputed: Bool { dispute.map { $0 == .opened } ?? (chargedBack > 0) }

  /// Captured, and not all of it has gone back.
  var keptCapture: Int64 { captured > refunded + chargedBack ? captured : 0 }

  /// Whether the payer's money is still there: held, or taken and not all given back.
  public var keepsMoney: Bool {
    status == .authorized || keptCapture > 0 || (status == .captured && captured == 0)
  }
}

/// The merchant's own recorded decisions about an order, and what ended it.
public struct OrderDecisions: Hashable, Sendable {
  /// The merchant asked to cancel the order.
  public var cancelRequested: Bool
  /// The cancel was completed: at some moment no payment held money and each was final.
  public var cancelCompleted: Bool
  /// All that was captured had gone back at some moment.
  public var refundCompleted: Bool
  /// A lower amount due that the merchant accepted.
  public var loweredDue: Int64?

  /// Collects the decisions; without arguments, none.
  public init(
    cancelRequested: Bool = false, cancelCompleted: Bool = false, refundCompleted: Bool = false,
    loweredDue: Int64? = nil
  ) {
    self.cancelRequested = cancelRequested
    self.cancelCompleted = cancelCompleted
    self.refundCompleted = refundCompleted
    self.loweredDue = loweredDue
  }
}
