public import PaymentModels

extension Settlement {
  /// Derives an order anew from all its payments and writes what follows. Returns whether
  /// anything changed.
  ///
  /// Called by ``apply(_:to:startedAt:channel:)``, and after a decision of the merchant.
  ///
  /// - Throws: ``StoreError``.
  @discardableResult
  public func deriveOrder(_ id: OrderID) throws -> Bool {
    guard var order = try transaction.order(id) else {
      throw StoreError(.missing, "order to derive")
    }
    let before = order
    let standing = try standing(of: order)
    order.state = standing.state
    if standing.state == .cancelled, order.cancelRequestedAt != nil, order.cancelledAt == nil {
      order.cancelledAt = now
    }
    let isPayable = standing.state == .paid || (standing.state == .authorized && fulfilsEarly)
    if isPayable, !order.isFulfilled {
      order.isFulfilled = true
      try append(.fulfil, to: &order, standing.payingPayment, order.total)
    } else if order.isFulfilled, [.refunded, .cancelled].contains(standing.state) {
      order.isFulfilled = false
      try append(.revoke, to: &order, standing.payingPayment, order.total)
    }
    if order != before {
      try transaction.updateOrder(order)
      if order.state != before.state {
        try transaction.appendJournal(
          JournalEntry(
            at: now, orderID: id, paymentID: standing.payingPayment, channel: .system,
            trust: .proof, event: "order",
            change: "\(before.state.rawValue) → \(order.state.rawValue)"))
      }
    }
    // Mismatches of one payment were opened, with both values, when its answer was applied.
    for kind in standing.reviews.subtracting(Self.mismatches).sorted(by: {
      $0.rawValue < $1.rawValue
    }) {
      try open(kind, id, nil, "found when the order was derived")
    }
    return order != before
  }

  /// The standing of an order as its rows are now.
  ///
  /// - Throws: ``StoreError``.
  public func standing(of order: OrderRow) throws -> OrderStanding {
    let open = try transaction.reviews(of: order.id).filter { $0.resolvedAt == nil }
    let facts = try transaction.payments(of: order.id).map { payment in
      let items = try transaction.items(of: payment.id)
      let mismatches = open.filter { $0.paymentID == payment.id }.map(\.kind)
      return PaymentFacts(
        id: payment.id, status: payment.status,
        mismatches: Set(mismatches).intersection(Self.mismatches),
        captured: items.sum(.capture), refunded: items.sum(.refund),
        chargedBack: items.sum(.chargeback), lapsed: payment.lapsed)
    }
    return OrderStanding(
      total: order.total.minorUnits, payments: facts,
      decisions: OrderDecisions(
        cancelRequested: order.cancelRequestedAt != nil,
        cancelCompleted: order.cancelledAt != nil, loweredDue: order.loweredDue))
  }

  /// Writes the operation that is owed now, if one is: the capture of money that rightly pays
  /// the order, or the close of money held for an order that is being cancelled.
  ///
  /// - Throws: ``StoreError``.
  public func decideNext(on payment: PaymentRow) throws {
    guard payment.status == .authorized, let order = try transaction.order(payment.orderID)
    else { return }
    let operations = try transaction.operations(of: payment.id)
    if order.cancelRequestedAt != nil {
      guard !operations.contains(where: { $0.kind == .close || $0.isInFlight }) else { return }
      try insert(.close, .zero(payment.amount.currency), on: payment, why: "order cancelled")
      return
    }
    let standing = try standing(of: order)
    guard policy.capture == .automatic, standing.state == .authorized,
      standing.payingPayment == payment.id, operations.isEmpty
    else { return }
    try insert(.capture, payment.amount, on: payment, why: "automatic capture")
  }

  /// Opens a review, and tells the merchant's systems if it is new.
  ///
  /// - Throws: ``StoreError``.
  public func open(
    _ kind: ReviewKind, _ order: OrderID, _ payment: PaymentID?, _ detail: String
  ) throws {
    let review = ReviewRow(
      orderID: order, paymentID: payment, kind: kind, detail: detail, openedAt: now)
    guard try transaction.openReview(review) else { return }
    try transaction.appendJournal(
      JournalEntry(
        at: now, orderID: order, paymentID: payment, channel: .system, trust: .proof,
        event: "review", change: kind.rawValue, note: detail))
    guard let row = try transaction.order(order) else { return }
    try send(.needsReview, order, payment, row.total)
  }

  func send(
    _ kind: MessageRow.Kind, _ id: OrderID, _ payment: PaymentID?, _ amount: Money
  ) throws {
    guard var order = try transaction.order(id) else {
      throw StoreError(.missing, "order of a message")
    }
    try append(kind, to: &order, payment, amount)
    try transaction.updateOrder(order)
  }

  private static let mismatches: Set<ReviewKind> = [.amountMismatch, .wrongOrder, .modeMismatch]

  private var fulfilsEarly: Bool { policy.fulfilOn == .authorized }

  private func append(
    _ kind: MessageRow.Kind, to order: inout OrderRow, _ payment: PaymentID?, _ amount: Money
  ) throws {
    try transaction.insertMessage(
      MessageRow(
        id: MessageID(newUUID()), orderID: order.id, sequence: order.nextSequence, kind: kind,
        paymentID: payment, amount: amount, createdAt: now))
    order.nextSequence += 1
  }

  private func insert(
    _ kind: OperationRow.Kind, _ amount: Money, on payment: PaymentRow, why: String
  ) throws {
    let operation = OperationRow(
      id: OperationID(newUUID()), paymentID: payment.id, kind: kind, amount: amount, reason: why,
      createdAt: now)
    try transaction.insertOperation(operation)
    try transaction.appendJournal(
      JournalEntry(
        at: now, orderID: payment.orderID, paymentID: payment.id, channel: .system, trust: .proof,
        event: kind.rawValue, note: why))
  }
}

extension [PaymentItem] {
  /// Sum of the movements of one kind, minor units.
  public func sum(_ kind: PaymentItem.Kind) -> Int64 {
    filter { $0.kind == kind }.reduce(0) { $0 + $1.amount.minorUnits }
  }
}
