public import PaymentModels

/// What the signed body of a delivery says, where the provider's document lets it prove that.
public struct SignedEvent: Hashable, Sendable {
  /// What it says about the payment.
  public var reading: PaymentReading
  /// The account whose secret it fits.
  public var account: ProviderAccount
  /// Whether that account's keys move real money.
  public var mode: PaymentMode
  /// When it happened, as the body says; nil if it does not say.
  public var occurredAt: Instant?
  /// Whether a read cannot tell what it says.
  public var supplementsRead: Bool
  /// Whether the provider's document lets a body prove that a payment is paid.
  public var provesPaid: Bool
  /// Whether it lets a body prove that paid money went back.
  public var provesUndone: Bool

  /// Collects what is known of a delivery.
  public init(
    reading: PaymentReading, account: ProviderAccount, mode: PaymentMode, occurredAt: Instant?,
    supplementsRead: Bool, provesPaid: Bool, provesUndone: Bool
  ) {
    self.reading = reading
    self.account = account
    self.mode = mode
    self.occurredAt = occurredAt
    self.supplementsRead = supplementsRead
    self.provesPaid = provesPaid
    self.provesUndone = provesUndone
  }
}

extension SignedEvent {
  /// Whether only a read may tell what it says of a payment in that state: that it is paid. Once
  /// a read has told, the rest of the body may count.
  public func awaitsRead(_ status: PaymentStatus) -> Bool {
    !provesPaid && reading.status.holdsMoney && status != .captured && reading.status != status
  }

  /// Whether it tells that money went back, or may go.
  fileprivate func undoes(_ status: PaymentStatus) -> Bool {
    reading.items.contains { $0.kind != .capture } || reading.dispute != nil
      || (status.holdsMoney && !reading.status.holdsMoney)
  }

  fileprivate func isOlder(than other: Instant?) -> Bool {
    guard let occurredAt, let other else { return false }
    return occurredAt < other
  }
}

extension Settlement {
  /// Applies a signed body, if it proves anything about this payment.
  ///
  /// It must come from the payment's own account, name the payment, carry a known state and the
  /// exact amount that was asked for, or was proven to be taken, lead on in the table of edges, and
  /// not be older than what was applied. What a read cannot tell has no other way to reach us, so
  /// an old body of that kind still adds what nobody has told; it changes nothing that is known.
  ///
  /// - Returns: ``Outcome/unusable(reason:)`` if it stays a notification.
  /// - Throws: ``StoreError``.
  public func apply(_ event: SignedEvent, to id: PaymentID) throws -> Outcome {
    guard let payment = try transaction.payment(id) else {
      throw StoreError(.missing, "payment to settle")
    }
    let event = try withoutKnown(event, payment)
    if event.supplementsRead, event.isOlder(than: payment.lastEventAt),
      !tellsNews(event.reading, payment)
    {
      return .unusable(reason: "it is older than what was applied")
    }
    if let reason = try reasonAgainst(event, payment) { return .unusable(reason: reason) }
    if let told = event.reading.transactionID, event.reading.status.holdsMoney,
      let known = payment.transactionID, known != told
    {
      // Its money is not this payment's, and what goes back of it takes nothing from this one.
      try open(
        .extraPayment, payment.orderID, nil, "transactions \(known) and \(told) both hold money")
      return .unusable(reason: "it is about another transaction than the one that paid")
    }
    return try settle(
      event.reading, on: payment, .webhook, event: "signed webhook", occurredAt: event.occurredAt)
  }

  /// The event without what is known better.
  ///
  /// Captures come from reads where a body proves no payment. One that cannot be shown to be newer
  /// than the last body changes no movement and no dispute that is known, but for the end of a
  /// dispute that is open: of two that bear one time, the end came last.
  private func withoutKnown(_ event: SignedEvent, _ payment: PaymentRow) throws -> SignedEvent {
    var event = event
    if !event.provesPaid { event.reading.items.removeAll { $0.kind == .capture } }
    let isNewer = event.occurredAt.map { at in payment.lastEventAt.map { at > $0 } ?? true }
    if isNewer ?? false { return event }
    let isOlder = event.isOlder(than: payment.lastEventAt)
    let endsDispute =
      payment.dispute == .opened && event.reading.dispute.map { $0 != .opened } ?? false
    if isOlder, event.supplementsRead { event.reading.status = payment.status }
    if endsDispute, !isOlder { return event }
    if payment.dispute != nil { event.reading.dispute = nil }
    let known = try transaction.items(of: payment.id)
    event.reading.items.removeAll { item in
      known.contains { $0.kind == item.kind && $0.providerItemID == item.providerItemID }
    }
    return event
  }

  /// Whether it tells anything that nobody has told before.
  private func tellsNews(_ reading: PaymentReading, _ payment: PaymentRow) -> Bool {
    !reading.items.isEmpty || reading.dispute != nil
      || (reading.mode != nil && !payment.isModeProven)
      || (reading.transactionID != nil && payment.transactionID == nil)
  }

  private func reasonAgainst(_ event: SignedEvent, _ payment: PaymentRow) throws -> String? {
    let reading = event.reading
    guard event.account == payment.account, event.mode == payment.mode else {
      return "it came to another account"
    }
    let owner = try transaction.payment(payment.provider, reading.providerPaymentID)
    guard owner?.id == payment.id else {
      return "it names a payment that no read has shown to be this one"
    }
    guard reading.paymentReference.map({ $0 == payment.id.rawValue }) ?? true,
      reading.orderReference.map({ $0 == payment.orderID.rawValue }) ?? true
    else { return "it names another order" }
    if case .unknown(let word) = reading.status { return "it carries an unknown state, \(word)" }
    guard let amount = reading.amount else { return "it carries no amount" }
    let taken = try transaction.items(of: payment.id).sum(.capture)
    guard
      amount == payment.amount
        || amount == Money(minorUnits: taken, currency: payment.amount.currency)
    else { return "asked \(payment.amount), it says \(amount)" }
    if event.awaitsRead(payment.status) { return "only a read proves here that it is paid" }
    guard payment.status.allows(reading.status) else {
      return "only a read may tell \(payment.status) → \(reading.status)"
    }
    if !event.provesUndone, event.undoes(payment.status) {
      return "only a read proves here that money went back"
    }
    if !event.supplementsRead {
      let isStale = [payment.lastEventAt, payment.schedule.lastProofAt].contains {
        event.isOlder(than: $0)
      }
      if isStale { return "it is older than what was applied" }
    }
    // It may be from before the end, sent again.
    if event.occurredAt == nil, payment.status.isFinalUnpaid, reading.status != payment.status {
      return "it bears no time, and the payment had ended"
    }
    return nil
  }
}
