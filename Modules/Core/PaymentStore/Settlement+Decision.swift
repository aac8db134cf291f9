public import PaymentModels

/// Why a decision about a case is impossible. Nothing was written.
public struct DecisionRefused: Error, Hashable, Sendable, CustomStringConvertible {
  /// What stands against it and what to do instead, for a person.
  public let description: String

  init(_ description: String) { self.description = description }
}

extension Settlement {
  /// Records what was decided about a case, and writes all that follows: the order anew, its
  /// messages, the operation that gives money back or takes what is held.
  ///
  /// - Throws: ``DecisionRefused``, ``StoreError``; the transaction must then come to nothing.
  @discardableResult
  public func decide(_ decided: ReviewRow.Decided, on review: ReviewRow) throws -> ReviewRow {
    if let reason = try refusal(of: decided.decision, on: review) { throw DecisionRefused(reason) }
    var review = review
    review.decision = decided
    if decided.decision != .keep { review.resolvedAt = now }
    try transaction.updateReview(review)
    try transaction.appendJournal(
      JournalEntry(
        at: now, orderID: review.orderID, paymentID: review.paymentID,
        channel: decided.operatorName == nil ? .system : .operator,
        operatorName: decided.operatorName, trust: .proof, event: "review",
        change: "\(review.kind.rawValue): \(decided.decision.rawValue)", note: decided.reason))
    switch decided.decision {
    case .accept: try accept(review)
    case .refund: try giveBack(review, why: decided.reason)
    case .dismiss: try giveUpRefunds(review)
    case .keep: break
    }
    try deriveOrder(review.orderID)
    if decided.decision == .accept {
      for payment in try transaction.payments(of: review.orderID) { try decideNext(on: payment) }
    }
    return review
  }

  /// What stands against a decision now; nil if it is possible.
  ///
  /// - Throws: ``StoreError``.
  public func refusal(of decision: ReviewDecision, on review: ReviewRow) throws -> String? {
    guard review.isOpen else {
      guard let last = review.decision, let verdict = review.verdict else {
        return "The case is over: a proof has answered it."
      }
      return "It was decided already: \(verdict.rawValue), by "
        + "\(last.operatorName?.rawValue ?? "the merchant's policy")."
    }
    switch decision {
    case .keep: return nil
    case .accept: return try refusalToAccept(review)
    case .refund: return try refusalToGiveBack(review)
    case .dismiss: return try refusalToDismiss(review)
    }
  }

  private func refusalToAccept(_ review: ReviewRow) throws -> String? {
    guard review.kind.canBeAccepted, let id = review.paymentID,
      let payment = try transaction.payment(id), let order = try transaction.order(review.orderID)
    else { return "There is no money to accept in a case of kind \(review.kind.rawValue)." }
    let items = try transaction.items(of: id)
    let captured = items.sum(.capture)
    let due = order.loweredDue ?? order.total.minorUnits
    guard try keepsMoney(payment) else { return "The payment holds no money any more." }
    switch review.kind {
    case .lateMoney:
      let brought = payment.status == .authorized ? payment.amount.minorUnits : captured
      guard brought < due else { return nil }
      return "The payment brings less than is due: give the money back."
    case .modeMismatch where payment.isModeProven:
      return
        "The provider has told that it was paid as \(payment.mode == .live ? "test" : "live"): "
        + "give the money back."
    case .amountMismatch, .shortCapture:
      guard payment.status == .captured, captured > 0 else {
        return "What the payment brings in the order's currency is not known: capture what is "
          + "right, or give the money back."
      }
      return nil
    default: return nil
    }
  }

  private func refusalToGiveBack(_ review: ReviewRow) throws -> String? {
    guard review.kind.canBeGivenBack, let id = review.paymentID,
      let payment = try transaction.payment(id)
    else {
      return "A case of kind \(review.kind.rawValue) names no payment whose money could go back."
    }
    let operations = try transaction.operations(of: id)
    guard operations.allSatisfy({ !$0.isInFlight }) else {
      return "An operation is under way on the payment: wait for its end."
    }
    if payment.status == .authorized { return nil }
    guard payment.status == .captured else { return "The payment holds no money any more." }
    let limit = OperationLimit(payment, try transaction.items(of: id), operations)
    return limit.refundable > 0
      ? nil : "Nothing is left to refund as far as the kit knows: see to it at the provider."
  }

  private func refusalToDismiss(_ review: ReviewRow) throws -> String? {
    if review.kind.setsAsideOnceDismissed {
      guard let id = review.paymentID, let payment = try transaction.payment(id),
        payment.status == .authorized
      else { return nil }
      return "The money is still held: take it or give it back first."
    }
    if let reason = try refusalToGiveUp(review) { return reason }
    guard try transaction.order(review.orderID)?.state == .needsReview,
      try !isAskedElsewhere(review)
    else { return nil }
    let others = try transaction.reviews(of: review.orderID).filter {
      $0.isOpen && $0.number != review.number
    }
    return others.isEmpty
      ? "The order is under review, and this is its last open case: keep it until the money is "
        + "where it belongs." : nil
  }

  private func keepsMoney(_ payment: PaymentRow) throws -> Bool {
    let items = try transaction.items(of: payment.id)
    return PaymentFacts(
      id: payment.id, status: payment.status, captured: items.sum(.capture),
      refunded: items.sum(.refund), chargedBack: items.sum(.chargeback)
    ).keepsMoney
  }

  private func accept(_ review: ReviewRow) throws {
    guard let id = review.paymentID, var order = try transaction.order(review.orderID) else {
      return
    }
    let before = order
    switch review.kind {
    case .lateMoney:
      order.cancelRequestedAt = nil
      order.cancelledAt = nil
      order.refundedAt = nil
    case .amountMismatch, .shortCapture:
      let captured = try transaction.items(of: id).sum(.capture)
      if captured < order.loweredDue ?? order.total.minorUnits { order.loweredDue = captured }
    case .extraPayment, .wrongOrder, .modeMismatch, .unexpectedTransition, .operationFailed,
      .disputed, .uncapturedHold:
      break
    }
    if order != before { try transaction.updateOrder(order) }
  }

  /// Opens cases again whose money was to go back and did not: somebody has to decide anew.
  ///
  /// - Throws: ``StoreError``.
  public func reopenCases(of payment: PaymentRow) throws {
    for last in try casesToReopen(of: payment) {
      try open(last.kind, payment.orderID, payment.id, last.detail, isEvent: true)
    }
  }

  func casesToReopen(of payment: PaymentRow) throws -> [ReviewRow] {
    guard try keepsMoney(payment) else { return [] }
    let own = try transaction.reviews(of: payment.orderID).filter { $0.paymentID == payment.id }
    return ReviewKind.allCases.filter(\.setsAsideOnceDismissed).compactMap { kind in
      let rows = own.filter { $0.kind == kind }
      guard let last = rows.last, last.verdict == .refund, !rows.contains(where: \.isOpen) else {
        return nil
      }
      return last
    }
  }

  private func giveBack(_ review: ReviewRow, why: String) throws {
    guard let id = review.paymentID, let payment = try transaction.payment(id) else { return }
    let currency = payment.amount.currency
    guard payment.status == .captured else {
      return try insert(.close, .zero(currency), on: payment, why: why)
    }
    let limit = OperationLimit(
      payment, try transaction.items(of: id), try transaction.operations(of: id))
    try insert(
      .refund, Money(minorUnits: limit.refundable, currency: currency), on: payment, why: why)
  }
}

extension ReviewKind {
  fileprivate var canBeAccepted: Bool { isMismatch || self == .lateMoney || self == .shortCapture }

  fileprivate var canBeGivenBack: Bool {
    setsAsideOnceDismissed || self == .uncapturedHold
  }
}
