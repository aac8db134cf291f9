/// Where an order stands.
public enum OrderState: String, Hashable, Sendable, CaseIterable {
  /// Not paid yet, and nothing says that it will not be.
  case pending
  /// The exact amount is held; capture is owed.
  case authorized
  /// Captured at least what is due.
  case paid
  /// All that was captured has gone back.
  case refunded
  /// Cancelled by the merchant, with proof that no payment holds money.
  case cancelled
  /// Money is there that does not rightly pay the order; a person must decide.
  case needsReview = "needs_review"
}

/// Something about an order that a person should look at, beside its state.
public enum ReviewKind: String, Hashable, Sendable, CaseIterable {
  /// A second payment holds money for an order that another one pays.
  case extraPayment = "extra_payment"
  /// The provider reports another amount or currency than the order's.
  case amountMismatch = "amount_mismatch"
  /// The provider's payment names another order, or was not made for this one.
  case wrongOrder = "wrong_order"
  /// A test payment on a live order, or the reverse.
  case modeMismatch = "mode_mismatch"
  /// Money came for an order that was already cancelled.
  case lateMoney = "late_money"
  /// Closed elsewhere after only a part was captured.
  case shortCapture = "short_capture"
  /// The provider reported a step that is not in the table of legal edges.
  case unexpectedTransition = "unexpected_transition"
  /// An operation was refused, or its end cannot be told.
  case operationFailed = "operation_failed"
  /// The payer's bank or the provider took money back.
  case disputed

  /// Whether it says that a payment is not the one that was asked for, so that it pays nothing.
  public var isMismatch: Bool {
    switch self {
    case .amountMismatch, .wrongOrder, .modeMismatch: true
    case .extraPayment, .lateMoney, .shortCapture, .unexpectedTransition, .operationFailed,
      .disputed:
      false
    }
  }
}

/// What the order derivation needs to know of one payment.
public struct PaymentFacts: Hashable, Sendable {
  /// Which payment.
  public var id: PaymentID
  /// Its present state.
  public var status: PaymentStatus
  /// Reviews that its own readings opened and that nobody has resolved: a payment with one of
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

  /// Collects the facts of one payment.
  public init(
    id: PaymentID, status: PaymentStatus, mismatches: Set<ReviewKind> = [], captured: Int64 = 0,
    refunded: Int64 = 0, chargedBack: Int64 = 0, dispute: DisputeStanding? = nil,
    lapsed: Bool = false
  ) {
    self.id = id
    self.status = status
    self.mismatches = mismatches
    self.captured = captured
    self.refunded = refunded
    self.chargedBack = chargedBack
    self.dispute = dispute
    self.lapsed = lapsed
  }

  var isSound: Bool { mismatches.isEmpty }

  /// Whether a dispute is open: by the provider's word, or by the money where it has no word.
  var isDisputed: Bool { dispute.map { $0 == .opened } ?? (chargedBack > 0) }

  /// Captured, and not all of it has gone back.
  var keptCapture: Int64 { captured > refunded + chargedBack ? captured : 0 }

  /// Whether the payer's money is still there: held, or taken and not all given back.
  var keepsMoney: Bool {
    status == .authorized || keptCapture > 0 || (status == .captured && captured == 0)
  }
}

/// The merchant's own recorded decisions about an order.
public struct OrderDecisions: Hashable, Sendable {
  /// The merchant asked to cancel the order.
  public var cancelRequested: Bool
  /// The cancel was completed: at some moment no payment held money and each was final.
  public var cancelCompleted: Bool
  /// A lower amount due that the merchant accepted by closing after a partial capture.
  public var loweredDue: Int64?

  /// Collects the decisions; without arguments, none.
  public init(
    cancelRequested: Bool = false, cancelCompleted: Bool = false, loweredDue: Int64? = nil
  ) {
    self.cancelRequested = cancelRequested
    self.cancelCompleted = cancelCompleted
    self.loweredDue = loweredDue
  }
}

/// An order's state and sums: a pure function of all its payments and the merchant's decisions.
///
/// Because every payment counts, the failure of one never lowers an order that another pays, and
/// the order in which news arrived does not matter.
public struct OrderStanding: Hashable, Sendable {
  /// Where the order stands.
  public let state: OrderState
  /// What the order asks for, minor units.
  public let due: Int64
  /// Captured on sound payments, minor units.
  public let captured: Int64
  /// Refunded and charged back on sound payments, minor units.
  public let returned: Int64
  /// Reviews that follow from the payments as they are now.
  public let reviews: Set<ReviewKind>
  /// The payment that pays the order or holds its amount; the earliest by id if several do, and
  /// one whose money went back only if no other holds any.
  public let payingPayment: PaymentID?

  /// Derives the standing of an order over `total` minor units.
  public init(total: Int64, payments: [PaymentFacts], decisions: OrderDecisions) {
    precondition(total >= 0, "an order's total is not negative")
    let sound = payments.filter(\.isSound)
    let holding = sound.filter(\.status.holdsMoney).sorted { $0.id < $1.id }
    let due = decisions.loweredDue ?? total
    captured = sound.reduce(0) { $0 + $1.captured }
    returned = sound.reduce(0) { $0 + $1.refunded + $1.chargedBack }
    self.due = due
    let keeping = holding.filter(\.keepsMoney)
    payingPayment =
      keeping.first { $0.captured >= due }?.id
      ?? keeping.first { $0.status == .authorized }?.id ?? keeping.first?.id ?? holding.first?.id

    var reviews = payments.reduce(into: Set<ReviewKind>()) { found, payment in
      if payment.status.holdsMoney || payment.captured > 0 { found.formUnion(payment.mismatches) }
    }
    if keeping.count > 1 { reviews.insert(.extraPayment) }
    if sound.contains(where: \.isDisputed) { reviews.insert(.disputed) }

    state = Self.state(
      due: due, sound: sound, all: payments, decisions: decisions, reviews: &reviews)
    self.reviews = reviews
  }

  /// The state, and the reviews that belong to it.
  ///
  /// A payment whose captures went back as a whole counts for nothing but `refunded`: else a
  /// returned surplus would make up for what another payment lacks.
  private static func state(
    due: Int64, sound: [PaymentFacts], all: [PaymentFacts], decisions: OrderDecisions,
    reviews: inout Set<ReviewKind>
  ) -> OrderState {
    let kept = sound.reduce(0) { $0 + $1.keptCapture }
    let isHeld = sound.contains { $0.status == .authorized }
    if decisions.cancelCompleted {
      guard sound.contains(where: \.keepsMoney) else { return .cancelled }
      reviews.insert(.lateMoney)
      return .needsReview
    }
    if kept == 0, sound.contains(where: { $0.captured > 0 }) {
      // Whether the held amount came late or the refund was of a surplus, a person must tell.
      if sound.contains(where: { $0.keepsMoney && $0.captured == 0 }) {
        reviews.insert(.lateMoney)
      }
      return .refunded
    }
    if kept >= due, kept > 0 { return .paid }
    if isHeld { return .authorized }
    if sound.contains(where: \.keepsMoney) {
      reviews.insert(.shortCapture)
      return .needsReview
    }
    if !reviews.isEmpty { return .needsReview }
    let isOver = all.allSatisfy { $0.status.isFinalUnpaid || $0.lapsed }
    return decisions.cancelRequested && isOver ? .cancelled : .pending
  }
}
