import KitEnvironment
import PaymentModels
import StrictJSON

/// What happens to payments: by the payer, by the merchant, by time.
extension TabbyLedger {
  /// Something that happens by itself.
  enum Change: Hashable {
    case outcome(TabbyStatus)
    case expiry
    /// Nobody captured or closed for three weeks, so the provider captures the rest.
    case ownCapture
  }

  private static let ownCaptureAfter = Duration.seconds(21 * 86_400)

  /// The next thing that time does to the payment.
  func nextChange(of payment: TabbyPayment) -> (change: Change, at: Instant)? {
    let pending = payment.pendingOutcome.map { (change: Change.outcome($0.status), at: $0.at) }
    switch payment.status {
    case .created:
      let expiry = payment.sessionExpiresAt + .milliseconds(settings.expiryDelayMs)
      if let pending, pending.at <= expiry { return pending }
      return (.expiry, expiry)
    case .expired: return settings.allowsLateAuthorization ? pending : nil
    case .authorized: return payment.authorizedAt.map { (.ownCapture, $0 + Self.ownCaptureAfter) }
    case .closed, .rejected: return nil
    }
  }

  func apply(_ change: Change, to index: Int, at instant: Instant) {
    switch change {
    case .outcome(let status): setStatus(index, status, at: instant)
    case .expiry: setStatus(index, .expired, at: instant)
    case .ownCapture:
      let payment = payments[index]
      let rest = payment.amount.minorUnits - payment.capturedMinorUnits
      addCapture(
        index, Money(minorUnits: rest, currency: payment.amount.currency), reference: "",
        details: [], at: instant)
    }
  }

  /// Moves a payment and tells the merchant, as the provider does for that status.
  func setStatus(_ index: Int, _ status: TabbyStatus, at instant: Instant) {
    payments[index].status = status
    payments[index].trail.note(TabbyEvent.status(status).name, at: instant)
    // An expired payment keeps both: the bank may still say yes, see `allowsLateAuthorization`.
    if status != .expired {
      payments[index].page.waitsForBank = false
      payments[index].pendingOutcome = nil
    }
    payments[index].expiredAt = status == .expired ? instant : nil
    if status == .authorized { payments[index].authorizedAt = instant }
    if status == .closed { payments[index].closedAt = instant }
    book(index)
    environment.log(
      .info, "payment moved", ("payment", payments[index].id), ("status", status.rawValue))
    switch status {
    case .authorized, .closed, .rejected: notify(index, status: status, at: instant)
    case .expired where settings.sendsExpireEvent: notify(index, status: status, at: instant)
    case .created, .expired: break
    }
  }

  /// The payer's part is done: the outcome comes now, or later if a fault says so.
  func conclude(_ index: Int, _ status: TabbyStatus) {
    payments[index].page.isConfirmed = true
    let delay = faults(of: index).authorizeDelayMs
    if delay > 0 {
      payments[index].page.waitsForBank = false
      payments[index].pendingOutcome = (status, now + .milliseconds(delay))
      book(index)
    } else {
      setStatus(index, status, at: now)
    }
  }

  func isPageOpen(_ index: Int) -> Bool {
    payments[index].isSessionOpen(at: now) && !payments[index].page.isConfirmed
  }

  func finishPage(_ index: Int, pays: Bool) {
    conclude(index, pays ? .authorized : .rejected)
  }

  /// Adds a capture; the one that completes the amount also closes the payment. The notice of a
  /// capture says `authorized` even then.
  func addCapture(
    _ index: Int, _ amount: Money, reference: String, details: [JSONMember], at instant: Instant
  ) {
    payments[index].captures.append(
      TabbyPayment.Item(
        id: environment.newUUID(), createdAt: instant, amount: amount, reference: reference,
        reason: nil, details: details))
    payments[index].trail.note(TabbyEvent.captured.name, at: instant)
    notify(index, status: .authorized, at: instant)
    if payments[index].capturedMinorUnits == payments[index].amount.minorUnits {
      setStatus(index, .closed, at: instant)
    }
  }
}
