import HTTPExchange
import KitEnvironment
import PaymentModels
import StrictJSON

/// What happens to payments at the fake Raïs, and how they look in answers.
extension RaisLedger {
  /// The next thing that time does to a payment.
  func nextChange(of payment: RaisPayment) -> (change: RaisStatus, at: Instant)? {
    guard payment.status == .pending else { return nil }
    // The payer has paid: the time cannot run out any more.
    if let paidAt = payment.paidAt { return (.paid, paidAt) }
    return (.expired, payment.expiresAt)
  }

  /// Moves a payment and tells the merchant.
  func setStatus(_ index: Int, _ status: RaisStatus, at instant: Instant) {
    payments[index].status = status
    payments[index].challenge = nil
    payments[index].paidAt = nil
    payments[index].trail.note(status.rawValue, at: instant)
    book(index)
    environment.log(
      .info, "payment moved", ("payment", payments[index].id), ("status", word(status)))
    notify(index, at: instant)
  }

  /// The bank said yes: paid now, or later if a fault says so.
  func pay(_ index: Int) {
    let delay = faults(of: index).paidDelayMs
    guard delay > 0 else { return setStatus(index, .paid, at: now) }
    payments[index].challenge = nil
    payments[index].paidAt = now + .milliseconds(delay)
    book(index)
  }

  /// The bank said no: the payment stays pending, and the payer may try another card.
  func decline(_ index: Int) {
    payments[index].challenge = nil
    payments[index].lastCardDeclined = true
    note(index, "card_declined")
  }

  func isPageOpen(_ index: Int) -> Bool {
    payments[index].isOpen(at: now)
  }

  func finishPage(_ index: Int, pays: Bool) {
    if pays { pay(index) } else { decline(index) }
  }

  // MARK: JSON

  /// A payment as a read shows it, spoilt where a fault says so.
  func readJSON(_ index: Int) -> JSONValue {
    paymentJSON(payments[index])
      .replacing("amount", with: faults(of: index).readAmount.map { .number($0) })
  }

  /// The whole payment: what the page reads of it, what its return link carries, and what was
  /// sent.
  func paymentJSON(_ payment: RaisPayment) -> JSONValue {
    var members = [
      JSONMember(name: "id", value: .string(payment.id)),
      JSONMember(name: "status", value: .string(word(payment.status))),
      JSONMember(name: "amount", value: .integer(payment.terms.amount)),
      JSONMember(name: "reference", value: .string(payment.terms.reference)),
      JSONMember(name: "order_number", value: .string(payment.orderNumber)),
      JSONMember(name: "success_url", value: .string(payment.terms.successURL)),
      JSONMember(name: "cancel_url", value: .string(payment.terms.cancelURL)),
      JSONMember(name: "language", value: .string(payment.terms.language)),
      JSONMember(name: "checkout_url", value: .string(pageURL(payment))),
      JSONMember(name: "created_at", value: .string(payment.createdAt.description)),
      JSONMember(name: "expires_at", value: .string(payment.expiresAt.description)),
    ]
    if settings.showsCurrency {
      members.insert(JSONMember(name: "currency", value: .string(settings.currency)), at: 3)
    }
    return .object(members)
  }

  func pageURL(_ payment: RaisPayment) -> String { "\(payment.base)/checkout/\(payment.id)" }

  /// The word of a status as the API writes it.
  func word(_ status: RaisStatus) -> String {
    switch status {
    case .pending, .paid: status.rawValue
    case .failed: settings.failedWord ?? status.rawValue
    case .expired: settings.expiredWord ?? status.rawValue
    case .cancelled: settings.cancelledWord ?? status.rawValue
    }
  }
}
