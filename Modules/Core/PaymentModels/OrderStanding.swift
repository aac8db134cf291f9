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

/// A case that follows from an order's payments as they are now.
public struct OrderCase: Hashable, Sendable {
  /// What it is.
  public let kind: ReviewKind
  /// About which payment.
  public let paymentID: PaymentID

  /// Names a case.
  public init(_ kind: ReviewKind, _ paymentID: PaymentID) {
    self.kind = kind
    self.paymentID = paymentID
  }
}

/// An order's state, sums and cases: a pure function of all its payments and the merchant's
/// recorded decisions.
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
  /// Cases of sound payments, by kind and payment.
  public let cases: [OrderCase]
  /// The kinds of all cases, those of mismatched money included.
  public let reviews: Set<ReviewKind>
  /// The payment that pays the order or holds its amount; the earliest by id if several do, and
  /// one whose money went back only if no other holds any.
  public let payingPayment: PaymentID?

  /// Derives the standing of an order over `total` minor units.
  public init(total: Int64, payments: [PaymentFacts], decisions: OrderDecisions) {
    precondition(total >= 0, "an order's total is not negative")
    let sound = payments.filter(\.isSound).sorted { $0.id < $1.id }
    let due = decisions.loweredDue ?? total
    self.due = due
    captured = sound.reduce(0) { $0 + $1.captured }
    returned = sound.reduce(0) { $0 + $1.refunded + $1.chargedBack }
    payingPayment = Self.payer(of: due, sound)

    let isMismatched = payments.contains {
      !$0.mismatches.isEmpty && !$0.isSetAside && $0.keepsMoney
    }
    let (state, kind) = Self.state(
      due: due, sound: sound, all: payments, decisions: decisions, isMismatched: isMismatched)
    self.state = state
    cases = Self.cases(kind, sound, payingPayment)
    reviews = payments.reduce(into: Set(cases.map(\.kind))) { found, payment in
      if !payment.isSetAside, payment.keepsMoney { found.formUnion(payment.mismatches) }
    }
  }

  private static func payer(of due: Int64, _ sound: [PaymentFacts]) -> PaymentID? {
    let keeping = sound.filter(\.keepsMoney)
    let payer =
      keeping.first { $0.captured >= due } ?? keeping.first { $0.status == .authorized }
      ?? keeping.first ?? sound.first { $0.status.holdsMoney }
    return payer?.id
  }

  /// The state, and what is the matter with the money that keeps it from being paid.
  ///
  /// A payment whose captures went back as a whole counts for nothing but `refunded`: else a
  /// returned surplus would make up for what another payment lacks.
  private static func state(
    due: Int64, sound: [PaymentFacts], all: [PaymentFacts], decisions: OrderDecisions,
    isMismatched: Bool
  ) -> (OrderState, ReviewKind?) {
    let keeping = sound.filter(\.keepsMoney)
    let isAccepted = keeping.contains(where: \.isAccepted)
    let kept = sound.reduce(0) { $0 + $1.keptCapture }
    if !isAccepted, decisions.cancelCompleted || decisions.refundCompleted {
      guard keeping.isEmpty else { return (.needsReview, .lateMoney) }
      return (decisions.cancelCompleted ? .cancelled : .refunded, nil)
    }
    if !isAccepted, kept == 0, sound.contains(where: { $0.captured > 0 }) {
      // Whether the held amount came late or the refund was of a surplus, a person must tell.
      return keeping.isEmpty ? (.refunded, nil) : (.needsReview, .lateMoney)
    }
    let isHeld = sound.contains { $0.status == .authorized }
    #if FaultInjection
      if SeededFault.active == .paysFromPart, kept > 0 { return (.paid, nil) }
    #endif
    if kept >= due, kept > 0 {
      // The merchant wanted it cancelled, and the money was taken all the same.
      let isLate = decisions.cancelRequested && !isAccepted
      return isLate ? (.needsReview, .lateMoney) : (.paid, nil)
    }
    if isHeld { return (.authorized, nil) }
    if !keeping.isEmpty { return (.needsReview, .shortCapture) }
    if isMismatched { return (.needsReview, nil) }
    let isOver = all.allSatisfy { $0.status.isFinalUnpaid || $0.lapsed || $0.isSetAside }
    return (decisions.cancelRequested && isOver ? .cancelled : .pending, nil)
  }

  private static func cases(
    _ kind: ReviewKind?, _ sound: [PaymentFacts], _ payer: PaymentID?
  ) -> [OrderCase] {
    let keeping = sound.filter(\.keepsMoney)
    var cases = sound.filter(\.isDisputed).map { OrderCase(.disputed, $0.id) }
    if let kind {
      cases += keeping.map { OrderCase(kind, $0.id) }
    } else {
      cases += keeping.filter { $0.id != payer }.map { OrderCase(.extraPayment, $0.id) }
    }
    return cases.sorted { ($0.kind.rawValue, $0.paymentID) < ($1.kind.rawValue, $1.paymentID) }
  }
}
