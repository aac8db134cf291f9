public import PaymentModels

extension Settlement {
  /// Opens a review, and tells the merchant's systems if it is new. Returns whether it is.
  ///
  /// Facts that somebody has decided already open no review again, unless they are an event that
  /// may happen twice.
  ///
  /// - Throws: ``StoreError``.
  @discardableResult
  public func open(
    _ kind: ReviewKind, _ order: OrderID, _ payment: PaymentID?, _ detail: String,
    isEvent: Bool = false
  ) throws -> Bool {
    let review = ReviewRow(
      orderID: order, paymentID: payment, kind: kind, detail: detail, openedAt: now)
    guard let (row, isNew) = try record(review, isEvent: isEvent), isNew else { return false }
    try tell(row)
    return true
  }

  /// Opens the cases that follow from an order's payments, and ends those that are over.
  func followCases(of order: OrderRow, _ standing: OrderStanding) throws {
    for row in try transaction.reviews(of: order.id) where row.isOpen && row.kind.isDerived {
      guard let payment = row.paymentID,
        !standing.cases.contains(OrderCase(row.kind, payment))
      else { continue }
      try end(row, "it is so no more")
    }
    for found in standing.cases {
      guard let payment = try transaction.payment(found.paymentID) else { continue }
      let review = ReviewRow(
        orderID: order.id, paymentID: payment.id, kind: found.kind,
        detail: try detail(of: found.kind, payment, due: standing.due), openedAt: now)
      guard let (row, isNew) = try record(review) else { continue }
      if let decision = try policyDecision(on: row, order) {
        try decide(
          ReviewRow.Decided(
            decision, by: nil, because: "late_money is \(policy.lateMoney.rawValue)"), on: row)
        // That derived the order anew, and its cases with it.
        return
      }
      if isNew { try tell(row) }
    }
  }

  /// Ends a review that a proof has answered.
  func resolve(
    _ kind: ReviewKind, of payment: PaymentRow, _ why: String
  ) throws {
    let row = try transaction.reviews(of: payment.orderID).first {
      $0.isOpen && $0.kind == kind && $0.paymentID == payment.id
    }
    if let row { try end(row, why) }
  }

  func end(_ row: ReviewRow, _ why: String) throws {
    var row = row
    row.resolvedAt = now
    try transaction.updateReview(row)
    try transaction.appendJournal(
      JournalEntry(
        at: now, orderID: row.orderID, paymentID: row.paymentID, channel: .system, trust: .proof,
        event: "review", change: "\(row.kind.rawValue) resolved", note: why))
  }

  /// The open review of these facts, opened if need be; nil if they were decided before.
  private func record(
    _ review: ReviewRow, isEvent: Bool = false
  ) throws -> (row: ReviewRow, isNew: Bool)? {
    #if FaultInjection
      if SeededFault.active == .opensNoCase { return nil }
    #endif
    let known = try transaction.reviews(of: review.orderID).filter {
      $0.kind == review.kind && $0.paymentID == review.paymentID
    }
    if let row = known.first(where: \.isOpen) { return (row, false) }
    if !isEvent, known.contains(where: { $0.verdict != nil && $0.detail == review.detail }) {
      return nil
    }
    guard try transaction.openReview(review) else { return nil }
    let opened = try transaction.reviews(of: review.orderID).first {
      $0.isOpen && $0.kind == review.kind && $0.paymentID == review.paymentID
    }
    return opened.map { ($0, true) }
  }

  private func tell(_ row: ReviewRow) throws {
    try transaction.appendJournal(
      JournalEntry(
        at: now, orderID: row.orderID, paymentID: row.paymentID, channel: .system, trust: .proof,
        event: "review", change: row.kind.rawValue, note: row.detail))
    guard let order = try transaction.order(row.orderID) else { return }
    try send(.needsReview, order.id, row.paymentID, order.total)
  }

  /// What the merchant's policy says of money that came late, if it is for the policy at all:
  /// exact, and nothing else is the matter with it.
  private func policyDecision(on row: ReviewRow, _ order: OrderRow) throws -> ReviewDecision? {
    let wish: ReviewDecision? =
      switch (policy.lateMoney, row.kind) {
      case (.revive, .lateMoney): .accept
      case (.refund, .lateMoney): .refund
      // While the other payment is only held, or is being refunded, it may yet come to nothing.
      case (.refund, .extraPayment):
        try order.state == .paid && !isBeingRefunded(order) ? .refund : nil
      default: nil
      }
    guard let wish, row.decision == nil, let id = row.paymentID,
      let payment = try transaction.payment(id), try isExact(payment, order),
      try !wasRefused(payment),
      try refusal(of: wish, on: row) == nil
    else { return nil }
    return wish
  }

  /// Whether the money was to go back and did not: doing the same again is nobody's policy.
  private func wasRefused(_ payment: PaymentRow) throws -> Bool {
    let kind: OperationRow.Kind = payment.status == .captured ? .refund : .close
    return try transaction.operations(of: payment.id).contains {
      $0.kind == kind && $0.state == .refused
    }
  }

  private func isBeingRefunded(_ order: OrderRow) throws -> Bool {
    try transaction.payments(of: order.id).contains { payment in
      try transaction.operations(of: payment.id).contains { $0.kind == .refund && $0.isInFlight }
    }
  }

  private func isExact(_ payment: PaymentRow, _ order: OrderRow) throws -> Bool {
    let items = try transaction.items(of: payment.id)
    let due = order.loweredDue ?? order.total.minorUnits
    // Money that has gone back once and is here again is no late payment.
    guard items.allSatisfy({ $0.kind == .capture }) else { return false }
    let captured = items.sum(.capture)
    return payment.status == .authorized
      ? captured == 0 && payment.amount.minorUnits == due : captured == due
  }

  /// The facts of a case in words, the same for the same facts.
  private func detail(
    of kind: ReviewKind, _ payment: PaymentRow, due: Int64
  ) throws -> String {
    let items = try transaction.items(of: payment.id)
    func money(_ minorUnits: Int64) -> Money {
      Money(minorUnits: minorUnits, currency: payment.amount.currency)
    }
    let there =
      payment.status == .authorized
      ? "\(payment.amount) held" : "\(money(items.sum(.capture))) captured"
    switch kind {
    case .lateMoney: return "\(there) for an order that the merchant had ended"
    case .extraPayment: return "\(there) beside the payment that pays the order"
    case .shortCapture: return "\(there) of \(money(due))"
    case .disputed:
      // The money says more than the word for it, and is the same whichever is told first.
      let taken = items.sum(.chargeback)
      return taken > 0 || payment.dispute != .opened
        ? "\(money(taken)) charged back" : "the payer disputes the payment"
    case .amountMismatch, .wrongOrder, .modeMismatch, .unexpectedTransition, .operationFailed,
      .uncapturedHold:
      return there
    }
  }
}

extension ReviewKind {
  /// Whether it follows from the payments as they are, and ends when it does so no more.
  fileprivate var isDerived: Bool {
    switch self {
    case .lateMoney, .extraPayment, .shortCapture, .disputed: true
    case .amountMismatch, .wrongOrder, .modeMismatch, .unexpectedTransition, .operationFailed,
      .uncapturedHold:
      false
    }
  }
}
