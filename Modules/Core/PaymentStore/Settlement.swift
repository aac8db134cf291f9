public import PaymentModels

/// The one place where a proof changes money state.
///
/// Everything that follows from a proof (the payment's new state, items, finished operations,
/// the order's state, outbox messages, reviews, a capture that is now owed, the journal) is
/// written in the transaction that it is given, so all of it is there or none.
public struct Settlement {
  let transaction: any PaymentTransaction
  let policy: SettlementPolicy
  let now: Instant
  let lease: Duration
  let newUUID: () -> String

  /// Prepares to work in one transaction.
  ///
  /// - Parameter lease: how long one process keeps an operation to itself.
  public init(
    _ transaction: any PaymentTransaction, policy: SettlementPolicy, now: Instant,
    lease: Duration = OperationRow.lease, newUUID: @escaping () -> String
  ) {
    self.transaction = transaction
    self.policy = policy
    self.now = now
    self.lease = lease
    self.newUUID = newUUID
  }

  /// What became of a proof.
  public enum Outcome: Hashable, Sendable {
    /// It was applied; `changed` tells whether it said anything new.
    case applied(changed: Bool)
    /// The payment changed after the read had begun: the answer may be old, so read again.
    case overtaken
    /// It lacks what a proof needs; nothing was changed. Read again later.
    case unusable(reason: String)
    /// It is about an earlier provider payment of this payment and holds no money.
    case superseded
    /// It names another order or payment and was not adopted.
    case notOurs
  }

  /// Applies what an authenticated answer says about a payment.
  ///
  /// - Parameters:
  ///   - startedAt: the payment's version when the call began; nil if the caller has compared it
  ///     in this transaction, or there is nothing to compare.
  ///   - channel: which way the proof came, for the journal.
  /// - Throws: ``StoreError``.
  public func apply(
    _ reading: PaymentReading, to id: PaymentID, startedAt: Int64?, channel: Channel
  ) throws -> Outcome {
    guard let payment = try transaction.payment(id) else {
      throw StoreError(.missing, "payment to settle")
    }
    if let startedAt, payment.version != startedAt { return .overtaken }
    let reading = policy.completed(reading, of: payment)
    #if FaultInjection
      if SeededFault.active == .believesOpenPayment {
        return try settle(reading.asPaid, on: payment, channel, event: "read")
      }
      if SeededFault.active == .countsRefundsAnew {
        let reading = reading.withNewRefunds(payment.version)
        return try settle(reading, on: payment, channel, event: "read")
      }
    #endif
    return try settle(reading, on: payment, channel, event: channel == .call ? "answer" : "read")
  }

  /// Applies what a proof says, whatever brought it.
  ///
  /// - Parameters:
  ///   - event: what happened, for the journal.
  ///   - occurredAt: when it happened, as a delivery's body says.
  func settle(
    _ reading: PaymentReading, on payment: PaymentRow, _ channel: Channel, event: String,
    occurredAt: Instant? = nil
  ) throws -> Outcome {
    var payment = payment
    if reading.status.holdsMoney || reading.listsCapture, reading.amount == nil {
      // A read is noted by who asked for it; it may come again and again.
      if channel == .call {
        try note(payment, channel, "the answer names no amount; nothing was changed")
      }
      return .unusable(reason: "no amount in the answer")
    }
    guard try isCountable(reading, on: payment) else {
      return .unusable(reason: "its movements are too many or too large to be added up")
    }
    if let outcome = try adopt(reading, by: &payment, channel: channel) { return outcome }

    let before = payment
    try openMismatches(of: reading, with: payment)
    try move(&payment, to: reading.status)
    try learnMode(from: reading, of: &payment)
    payment.dispute = reading.dispute ?? payment.dispute
    payment.createState = .created
    // It names the buyer, and nobody sends it again.
    payment.createRequest = []
    payment.expiresAt = reading.expiresAt ?? payment.expiresAt
    // The app needs it to pay, and nobody needs it afterwards.
    if payment.status.isFinalForPayer { payment.verificationKey = nil }
    try adoptTransaction(of: reading, by: &payment)
    if let occurredAt { payment.lastEventAt = max(occurredAt, payment.lastEventAt ?? occurredAt) }
    let itemsBefore = try transaction.items(of: payment.id)
    let takenBefore = itemsBefore.sum(.chargeback)
    // A dispute that was told when it opened is not told again when its money goes.
    let isDisputeTold = takenBefore == 0 && [.opened, .lost].contains(before.dispute)
    let itemsChanged = try putItems(of: reading, on: payment, isDisputeTold: isDisputeTold)
    let items = try transaction.items(of: payment.id)
    let takenBack = items.sum(.chargeback)
    let isChanged = payment != before || itemsChanged
    if isChanged { try transaction.updatePayment(payment) }
    try finishOperations(of: payment)
    try lowerDue(of: payment)
    try followExcess(of: payment, asked: reading.amount)
    if isChanged {
      try transaction.appendJournal(
        JournalEntry(
          at: now, orderID: payment.orderID, paymentID: payment.id, channel: channel,
          trust: .proof, event: event,
          change: changeText(
            before, payment, itemsChanged ? items.movements(since: itemsBefore) : [])))
    }
    let isMoneyTold = takenBack > takenBefore || (before.dispute == nil && takenBack > 0)
    try followDispute(of: payment, from: before.dispute, isMoneyTold: isMoneyTold)
    if before.status == .authorized, payment.status != .authorized {
      try resolve(.uncapturedHold, of: payment, "it is held no more")
    }
    let orderChanged = try deriveOrder(payment.orderID, isRestored: takenBack < takenBefore)
    try decideNext(on: payment)
    return .applied(changed: isChanged || orderChanged)
  }

  /// Makes the reading's provider id the payment's own where that is right; an outcome if the
  /// reading must not be applied.
  private func adopt(
    _ reading: PaymentReading, by payment: inout PaymentRow, channel: Channel
  ) throws -> Outcome? {
    let owner = try transaction.payment(payment.provider, reading.providerPaymentID)
    if let owner, owner.id != payment.id { return .notOurs }
    if owner == nil {
      // An id that we do not know is adopted from an authenticated answer alone, and only if
      // that answer carries our own reference or answers our own create.
      let namesUs = reading.paymentReference == payment.id.rawValue
      guard namesUs || (channel == .call && payment.providerPaymentID == nil) else {
        try note(payment, channel, "the provider's payment does not name this one; not adopted")
        return .notOurs
      }
      try transaction.link(payment.provider, reading.providerPaymentID, to: payment.id)
    }
    if payment.createState == .intent, channel != .call, !reading.status.holdsMoney {
      // Its create is still under way, and the answer to that brings the page to pay on.
      return .superseded
    }
    guard let current = payment.providerPaymentID, current != reading.providerPaymentID else {
      payment.providerPaymentID = reading.providerPaymentID
      return nil
    }
    // A create whose answer was lost left a twin at the provider. Only money on it counts.
    guard reading.status.holdsMoney else { return .superseded }
    if payment.status.holdsMoney {
      try open(
        .extraPayment, payment.orderID, nil,
        "provider payments \(current) and \(reading.providerPaymentID) both hold money")
      return .superseded
    }
    payment.providerPaymentID = reading.providerPaymentID
    return nil
  }

  /// Keeps which transaction paid, once and for good. One that paid nothing is a failed try.
  private func adoptTransaction(
    of reading: PaymentReading, by payment: inout PaymentRow
  ) throws {
    guard let told = reading.transactionID, reading.status.holdsMoney else { return }
    if let known = payment.transactionID, known != told {
      try open(
        .extraPayment, payment.orderID, nil, "transactions \(known) and \(told) both hold money")
    } else {
      payment.transactionID = told
    }
  }

  /// Tells a person of more money than the payment is for. It pays the order all the same, and the
  /// payer is owed the rest.
  private func followExcess(of payment: PaymentRow, asked: Money?) throws {
    // Another amount is a case of its own.
    guard asked ?? payment.amount == payment.amount else { return }
    let captured = Money(
      minorUnits: try transaction.items(of: payment.id).sum(.capture),
      currency: payment.amount.currency)
    guard captured.minorUnits > payment.amount.minorUnits else { return }
    try open(
      .unexpectedTransition, payment.orderID, payment.id,
      "captured \(captured), asked \(payment.amount)")
  }

  private func openMismatches(of reading: PaymentReading, with payment: PaymentRow) throws {
    #if FaultInjection
      if SeededFault.active == .ignoresAmount { return }
    #endif
    if let amount = reading.amount, amount != payment.amount {
      try open(
        .amountMismatch, payment.orderID, payment.id, "asked \(payment.amount), provider \(amount)")
    }
    // Its order was given another cart meanwhile.
    if reading.status.holdsMoney, let total = try transaction.order(payment.orderID)?.total,
      total != payment.amount
    {
      try open(
        .amountMismatch, payment.orderID, payment.id, "asked \(payment.amount), order \(total)")
    }
    let isOtherOrder = reading.orderReference.map { $0 != payment.orderID.rawValue } ?? false
    let isOtherPayment = reading.paymentReference.map { $0 != payment.id.rawValue } ?? false
    if isOtherOrder || isOtherPayment {
      try open(.wrongOrder, payment.orderID, payment.id, "the provider names another order")
    }
    if reading.isForOtherGoods {
      try open(.wrongOrder, payment.orderID, payment.id, "the provider lists other goods")
    }
    if let contradiction = reading.contradiction {
      try open(.unexpectedTransition, payment.orderID, payment.id, contradiction)
    }
    // It counts, since the provider lists it, and the word beside it may be a new one.
    if reading.listsCapture, !reading.status.holdsMoney {
      try open(
        .unexpectedTransition, payment.orderID, payment.id,
        "\(reading.status), and money was captured")
    }
    if let mode = reading.mode, mode != payment.mode {
      try open(
        .modeMismatch, payment.orderID, payment.id,
        "made as \(payment.mode.rawValue), provider says \(mode.rawValue)")
    }
  }

  /// Stores the provider's state. A step outside the table is stored as well, and reviewed; only
  /// a word that the kit does not know never replaces one that says that money is there.
  private func move(_ payment: inout PaymentRow, to next: PaymentStatus) throws {
    #if FaultInjection
      if SeededFault.active == .booksNoLateMoney, payment.status.isFinalUnpaid { return }
    #endif
    // Refused without a page to pay on: the payment behind it may still call itself created or
    // expired (Tabby's does), which takes nothing back. Only money or an unknown word is news.
    let isRefusedForGood =
      payment.status == .rejected && payment.checkoutURL == nil && payment.rejectionReason != nil
    if isRefusedForGood, next.isFinalUnpaid || next == .created || next == .pending { return }
    if !payment.status.allows(next) {
      try open(
        .unexpectedTransition, payment.orderID, payment.id, "\(payment.status) → \(next)",
        isEvent: true)
    }
    if case .unknown = next, payment.status.holdsMoney { return }
    payment.status = next
  }

  /// Adds or advances movements of money; none is ever removed.
  ///
  /// - Parameter isDisputeTold: the dispute that takes money back was told already.
  private func putItems(
    of reading: PaymentReading, on payment: PaymentRow, isDisputeTold: Bool
  ) throws -> Bool {
    let known = try transaction.items(of: payment.id)
    var isChanged = false
    for item in reading.items where !known.contains(item) {
      #if FaultInjection
        if SeededFault.active == .booksNoForeignRefund, item.kind == .refund, item.reference == nil
        {
          continue
        }
        if SeededFault.active == .booksNoChargeback, item.kind == .chargeback { continue }
      #endif
      if item.amount.currency != payment.amount.currency {
        try open(
          .amountMismatch, payment.orderID, payment.id,
          "\(item.kind.rawValue) in \(item.amount.currency), asked in \(payment.amount.currency)")
        continue
      }
      try transaction.putItem(item, of: payment.id, learnedAt: now)
      isChanged = true
      let isTold = known.contains {
        $0.kind == item.kind && $0.providerItemID == item.providerItemID
          && $0.amount.minorUnits >= item.amount.minorUnits
      }
      if item.kind == .refund,
        let old = known.first(where: {
          $0.kind == .refund && $0.providerItemID == item.providerItemID
        }), old.amount.minorUnits > item.amount.minorUnits
      {
        try open(
          .operationFailed, payment.orderID, payment.id,
          "a refund of \(old.amount) came back: \(item.amount) of it stands", isEvent: true)
      }
      // What comes back after a dispute that was won is told by the order.
      if isTold || item.amount.minorUnits == 0 { continue }
      let message: MessageRow.Kind? =
        switch item.kind {
        case .capture: nil
        case .refund: .refunded
        case .chargeback: isDisputeTold ? nil : .disputed
        }
      if let message { try send(message, payment.orderID, payment.id, item.amount) }
    }
    return isChanged
  }

  /// Whether the movements that would stand in the book can be added up.
  private func isCountable(_ reading: PaymentReading, on payment: PaymentRow) throws -> Bool {
    // One that is told anew takes the place of what is known of it.
    let told = Set(reading.items.map { "\($0.kind.rawValue) \($0.providerItemID)" })
    let known = try transaction.items(of: payment.id).filter {
      !told.contains("\($0.kind.rawValue) \($0.providerItemID)")
    }
    return (known + reading.items).isCountable
  }

  /// Marks operations done that the payment now proves.
  private func finishOperations(of payment: PaymentRow) throws {
    let items = try transaction.items(of: payment.id)
    for var operation in try transaction.operations(of: payment.id) where operation.isInFlight {
      let isProven =
        switch operation.kind {
        case .capture: items.contains { $0.reference == operation.id.rawValue }
        case .refund: try isShown(operation, items)
        case .close: payment.status == .captured || payment.status.isFinalUnpaid
        }
      guard isProven else { continue }
      operation.state = .done
      operation.nextTryAt = nil
      try transaction.updateOperation(operation)
    }
  }

  /// Whether a refund is among the movements; one that was accepted also by their sum, where they
  /// carry no reference of ours.
  private func isShown(_ refund: OperationRow, _ items: [PaymentItem]) throws -> Bool {
    if items.contains(where: { $0.reference == refund.id.rawValue }) { return true }
    guard refund.acceptedAt != nil else { return false }
    let earlier = try transaction.operations(of: refund.paymentID).filter {
      $0.kind == .refund && $0.state == .done
    }
    let shown = earlier.reduce(refund.amount.minorUnits) { $0 + $1.amount.minorUnits }
    return items.sum(.refund) >= shown
  }

  private func changeText(
    _ before: PaymentRow, _ after: PaymentRow, _ movements: [String]
  ) -> String {
    #if FaultInjection
      if SeededFault.active == .blursJournal { return "details" }
    #endif
    var changes: [String] = []
    if before.createState == .intent { changes.append("made at the provider") }
    if before.status != after.status { changes.append("\(before.status) → \(after.status)") }
    changes += movements
    if before.providerPaymentID != after.providerPaymentID { changes.append("provider id") }
    if before.dispute != after.dispute, let dispute = after.dispute {
      changes.append("dispute \(dispute.rawValue)")
    }
    if before.isModeProven != after.isModeProven { changes.append("mode told") }
    if before.transactionID != after.transactionID { changes.append("transaction id") }
    return changes.isEmpty ? "details" : changes.joined(separator: ", ")
  }

  private func note(_ payment: PaymentRow, _ channel: Channel, _ text: String) throws {
    try transaction.appendJournal(
      JournalEntry(
        at: now, orderID: payment.orderID, paymentID: payment.id, channel: channel, trust: .proof,
        event: "read", note: text))
  }
}

extension PaymentReading {
  /// Whether money that was taken is among its movements, whatever its state says.
  fileprivate var listsCapture: Bool {
    items.contains { $0.kind == .capture && $0.amount.minorUnits > 0 }
  }
}
