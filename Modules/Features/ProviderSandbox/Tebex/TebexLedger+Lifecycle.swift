import KitEnvironment
import PaymentModels
import StrictJSON

/// What happens to baskets and their payments at the fake Tebex.
extension TebexLedger {
  /// The next thing that time does to a basket.
  func nextChange(of basket: TebexBasket) -> (change: TebexStatus, at: Instant)? {
    basket.completeAt.map { (.complete, $0) }
  }

  /// Moves a basket and tells the merchant. What cannot follow is left alone: nothing is refunded
  /// or disputed that was not paid.
  func setStatus(_ index: Int, _ status: TebexStatus, at instant: Instant) {
    guard let last = payments[index].transactions.indices.last, canFollow(index, status) else {
      return
    }
    payments[index].status = status
    payments[index].completeAt = nil
    payments[index].transactions[last].status = paymentStatus(status)
    payments[index].trail.note(status.rawValue, at: instant)
    environment.log(
      .info, "payment moved", ("basket", payments[index].id), ("status", status.rawValue))
    if let type = status.eventType { notify(index, type, at: instant) }
  }

  private func canFollow(_ index: Int, _ status: TebexStatus) -> Bool {
    let basket = payments[index]
    guard let payment = basket.payment else { return false }
    switch status {
    case .open: return false
    case .complete: return payment.status == .pendingCheckout
    case .refunded: return payment.status == .complete || payment.status == .refundPending
    case .refundPending: return payment.status == .complete
    case .disputeOpened: return basket.status == .complete
    case .disputeWon, .disputeLost, .disputeClosed: return basket.status == .disputeOpened
    }
  }

  private func paymentStatus(_ status: TebexStatus) -> TebexPaymentStatus {
    switch status {
    case .open: .pendingCheckout
    case .complete, .disputeWon, .disputeClosed: .complete
    case .refunded: .refund
    case .refundPending: .refundPending
    case .disputeOpened: settings.opensAsChargeback ? .chargeback : .complete
    case .disputeLost: .chargeback
    }
  }

  /// The payer pays by a method that works: complete now, or later if a fault says so.
  func pay(_ index: Int, by method: TebexMethod) {
    begin(index, by: method, .pendingCheckout)
    let delay = faults(of: index).completeDelayMs
    guard delay > 0 else { return setStatus(index, .complete, at: now) }
    payments[index].completeAt = now + .milliseconds(delay)
    book(index)
  }

  /// The bank said no: the basket stays open, and the payer may try again.
  func decline(_ index: Int) {
    begin(index, by: .declined, .declined)
    note(index, "declined")
    notify(index, "payment.declined", at: now)
  }

  func isPageOpen(_ index: Int) -> Bool {
    payments[index].isOpen && !payments[index].lines.isEmpty
  }

  func finishPage(_ index: Int, pays: Bool) {
    if pays { pay(index, by: .test) } else { decline(index) }
  }

  private func begin(_ index: Int, by method: TebexMethod, _ status: TebexPaymentStatus) {
    guard payments[index].transactions.count < SandboxLimits.itemsMax else { return }
    let id = "tbx-\(hexID(14))-\(hexID(6))"
    payments[index].transactions.append(
      TebexTransaction(id: id, method: method, createdAt: now, status: status))
    positions[id] = index
  }
}
