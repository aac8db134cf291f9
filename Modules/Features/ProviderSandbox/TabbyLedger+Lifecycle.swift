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
  func nextChange(of payment: SandboxPayment) -> (change: Change, at: Instant)? {
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

  /// Lets all that is due happen, each at its own time.
  func settle() {
    let now = now
    guard let agenda, agenda <= now else { return }
    for index in payments.indices {
      while let (change, instant) = nextChange(of: payments[index]), instant <= now {
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
    }
    reviseAgenda()
  }

  /// Notes when time next does something to this payment.
  func book(_ index: Int) {
    guard let instant = nextChange(of: payments[index])?.at else { return }
    agenda = min(agenda ?? instant, instant)
  }

  /// Looks at every payment anew, after time or settings have moved.
  func reviseAgenda() {
    agenda = payments.compactMap { nextChange(of: $0)?.at }.min()
  }

  /// Moves a payment and tells the merchant, as the provider does for that status.
  func setStatus(_ index: Int, _ status: TabbyStatus, at instant: Instant) {
    payments[index].status = status
    payments[index].note(.status(status), at: instant)
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

  /// Adds a capture; the one that completes the amount also closes the payment. The notice of a
  /// capture says `authorized` even then.
  func addCapture(
    _ index: Int, _ amount: Money, reference: String, details: [JSONMember], at instant: Instant
  ) {
    payments[index].captures.append(
      SandboxPayment.Item(
        id: environment.newUUID(), createdAt: instant, amount: amount, reference: reference,
        reason: nil, details: details))
    payments[index].note(.captured, at: instant)
    notify(index, status: .authorized, at: instant)
    if payments[index].capturedMinorUnits == payments[index].amount.minorUnits {
      setStatus(index, .closed, at: instant)
    }
  }
}
