public import PaymentModels

extension Settlement {
  /// Derives an order anew from all its payments and the merchant's decisions, and writes what
  /// follows. Returns whether anything changed.
  ///
  /// Called by ``apply(_:to:startedAt:channel:)``, and after a decision of the merchant.
  ///
  /// - Parameter isRestored: a charge-back was just undone, so that the order's own money is no
  ///   late money. A refund that came to nothing is another matter: a person had wanted it.
  /// - Throws: ``StoreError``.
  @discardableResult
  public func deriveOrder(_ id: OrderID, isRestored: Bool = false) throws -> Bool {
    guard var order = try transaction.order(id) else {
      throw StoreError(.missing, "order to derive")
    }
    let before = order
    if isRestored { order.refundedAt = nil }
    let standing = try standing(of: order)
    order.state = standing.state
    switch standing.state {
    case .cancelled: order.cancelledAt = order.cancelledAt ?? now
    case .refunded: order.refundedAt = order.refundedAt ?? now
    case .pending, .authorized, .paid, .needsReview: break
    }
    let isPayable = standing.state == .paid || (standing.state == .authorized && fulfilsEarly)
    let waits = try waitsForMode(standing.payingPayment)
    // Goods of an order that the merchant wants cancelled stay where they are.
    if isPayable, !waits, !order.isFulfilled, order.cancelRequestedAt == nil {
      order.isFulfilled = true
      try append(.fulfil, to: &order, standing.payingPayment, order.total)
      #if FaultInjection
        if SeededFault.active == .fulfilsAgain { order.isFulfilled = false }
      #endif
    } else if order.isFulfilled, try isMoneyGone(standing.state, id) {
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
    try followCases(of: order, standing)
    return order != before
  }

  /// Whether what the goods went out for is proven to be gone: given back, or let go.
  private func isMoneyGone(_ state: OrderState, _ id: OrderID) throws -> Bool {
    #if FaultInjection
      if SeededFault.active == .neverCallsBack { return false }
    #endif
    return switch state {
    case .refunded, .cancelled: true
    case .pending: try transaction.payments(of: id).allSatisfy(\.status.isFinalUnpaid)
    case .authorized, .paid, .needsReview: false
    }
  }

  /// Records the merchant's decision to be content with less: a part was captured, and our own
  /// close let the rest go. A close made elsewhere, or for a cancel, is no such decision.
  func lowerDue(of payment: PaymentRow) throws {
    guard payment.status == .captured, var order = try transaction.order(payment.orderID),
      order.cancelRequestedAt == nil,
      try transaction.operations(of: payment.id).contains(where: {
        $0.kind == .close && $0.state == .done
      })
    else { return }
    let captured = try transaction.items(of: payment.id).sum(.capture)
    guard captured > 0, captured < order.loweredDue ?? order.total.minorUnits else { return }
    order.loweredDue = captured
    try transaction.updateOrder(order)
    try transaction.appendJournal(
      JournalEntry(
        at: now, orderID: order.id, paymentID: payment.id, channel: .operator, trust: .proof,
        event: "due lowered",
        change: "\(Money(minorUnits: captured, currency: order.total.currency))"))
  }

  /// The standing of an order as its rows are now.
  ///
  /// - Throws: ``StoreError``.
  public func standing(of order: OrderRow) throws -> OrderStanding {
    let reviews = try transaction.reviews(of: order.id)
    let facts = try transaction.payments(of: order.id).map { payment in
      let items = try transaction.items(of: payment.id)
      let own = reviews.filter { $0.paymentID == payment.id }
      return PaymentFacts(
        id: payment.id, status: payment.status,
        mismatches: Set(own.filter(\.forbidsPayment).map(\.kind)), captured: items.sum(.capture),
        refunded: items.sum(.refund), chargedBack: items.sum(.chargeback),
        dispute: payment.dispute, lapsed: payment.lapsed,
        isAccepted: own.contains(where: \.acceptsLateMoney),
        isSetAside: own.contains(where: \.setsAside))
    }
    return OrderStanding(
      total: order.total.minorUnits, payments: facts,
      decisions: OrderDecisions(
        cancelRequested: order.cancelRequestedAt != nil,
        cancelCompleted: order.cancelledAt != nil, refundCompleted: order.refundedAt != nil,
        loweredDue: order.loweredDue))
  }

  /// Writes the operation that is owed now, if one is: the capture of money that rightly pays
  /// the order, or the close of money held for an order that is being cancelled.
  ///
  /// - Throws: ``StoreError``.
  public func decideNext(on payment: PaymentRow) throws {
    guard payment.status == .authorized, let order = try transaction.order(payment.orderID),
      // What is held after the order had ended is late money: somebody decides first.
      order.cancelledAt == nil, order.refundedAt == nil
    else { return }
    var operations = try transaction.operations(of: payment.id)
    if order.cancelRequestedAt != nil {
      // A capture that certainly was never seen by the provider is withdrawn.
      for index in operations.indices
      where operations[index].kind == .capture && operations[index].state == .intent {
        operations[index].state = .refused
        operations[index].detail = "withdrawn: the order was cancelled"
        operations[index].nextTryAt = nil
        try transaction.updateOperation(operations[index])
      }
      guard !operations.contains(where: { $0.kind == .close || $0.isInFlight }) else { return }
      try insert(.close, .zero(payment.amount.currency), on: payment, why: "order cancelled")
      return
    }
    #if FaultInjection
      if SeededFault.active == .forgetsCapture { return }
    #endif
    let standing = try standing(of: order)
    guard policy.capture == .automatic, standing.state == .authorized,
      standing.payingPayment == payment.id, operations.isEmpty,
      try !waitsForMode(payment.id)
    else { return }
    let captured = try transaction.items(of: payment.id).sum(.capture)
    let left = Money(
      minorUnits: payment.amount.minorUnits - captured, currency: payment.amount.currency)
    guard left.minorUnits > 0 else { return }
    #if FaultInjection
      if SeededFault.active == .capturesTooMuch {
        let twice = Money(minorUnits: left.minorUnits * 2, currency: left.currency)
        return try insert(.capture, twice, on: payment, why: "automatic capture")
      }
    #endif
    try insert(.capture, left, on: payment, why: "automatic capture")
  }

  /// Writes the close of a payment that nobody has paid yet, unless something is under way.
  ///
  /// - Throws: ``StoreError``.
  public func close(_ payment: PaymentRow, why: String) throws {
    guard try transaction.operations(of: payment.id).allSatisfy({ !$0.isInFlight }) else { return }
    try insert(.close, .zero(payment.amount.currency), on: payment, why: why)
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

  private var fulfilsEarly: Bool {
    #if FaultInjection
      if SeededFault.active == .fulfilsOnHold { return true }
    #endif
    return policy.fulfilOn == .authorized
  }

  private func append(
    _ kind: MessageRow.Kind, to order: inout OrderRow, _ payment: PaymentID?, _ amount: Money
  ) throws {
    try transaction.insertMessage(
      MessageRow(
        id: MessageID(newUUID()), orderID: order.id, sequence: order.nextSequence, kind: kind,
        paymentID: payment, amount: amount, createdAt: now))
    order.nextSequence += 1
  }

  func insert(
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

  /// More than partial captures and refunds ever are. Each is compared with all that are known,
  /// while nobody else can write.
  public static var countMax: Int { 1_000 }

  /// Whether there are at most ``countMax``, and those of each kind add up to an amount that there
  /// can be: none is negative, and no sum that is made of them overflows.
  public var isCountable: Bool {
    count <= Self.countMax
      && PaymentItem.Kind.allCases.allSatisfy { kind in
        var rest = Money.minorUnitsMax
        for item in self where item.kind == kind {
          guard (0...rest).contains(item.amount.minorUnits) else { return false }
          rest -= item.amount.minorUnits
        }
        return true
      }
  }
}
