import HTTPExchange
import KitEnvironment
import PaymentModels
import StrictJSON

/// What happens to payments at the fake Futa, and how they look in answers.
extension FutaLedger {
  /// The next thing that time does to a payment.
  func nextChange(of payment: FutaPayment) -> (change: FutaState, at: Instant)? {
    let expiry = (change: FutaState.expired, at: payment.terms.expiresAt)
    switch payment.state {
    case .created: return payment.pendingOutcome ?? expiry
    // The money is on its way: the payer's time cannot run out any more.
    case .processing: return payment.pendingOutcome
    case .expired: return settings.allowsLatePayment ? payment.pendingOutcome : nil
    case .paid, .failed, .cancelled, .refunded: return nil
    }
  }

  /// Moves a payment and tells the merchant.
  func setStatus(_ index: Int, _ state: FutaState, at instant: Instant) {
    payments[index].state = state
    payments[index].trail.note(state.rawValue, at: instant)
    if state != .processing { payments[index].pendingOutcome = nil }
    if state.isFinal, state != .expired { payments[index].waitsForBank = false }
    book(index)
    environment.log(
      .info, "payment moved", ("payment", payments[index].id), ("status", word(state)))
    notify(index, at: instant)
  }

  /// The payer's part is done: the outcome comes now, or later if a fault says so.
  func conclude(_ index: Int, _ state: FutaState) {
    let delay = faults(of: index).outcomeDelayMs
    payments[index].waitsForBank = false
    guard delay > 0 else { return setStatus(index, state, at: now) }
    payments[index].pendingOutcome = (state, now + .milliseconds(delay))
    setStatus(index, .processing, at: now)
  }

  func isPageOpen(_ index: Int) -> Bool {
    payments[index].isOpen(at: now)
  }

  func finishPage(_ index: Int, pays: Bool) {
    conclude(index, pays ? .paid : .failed)
  }

  /// Mobile money: the sandbox's own test numbers, by their last two digits.
  func payByPhone(_ index: Int, _ msisdn: String) {
    note(index, "phone_entered")
    switch msisdn.filter(\.isNumber).suffix(2) {
    case "02":
      // A refused try is no end: the payer may try again until expires_at.
      payments[index].lastTryFailed = true
      note(index, "try_failed")
    case "03": conclude(index, .failed)
    case "04": setStatus(index, .processing, at: now)
    default: conclude(index, .paid)
    }
  }

  // MARK: JSON

  /// A payment as a read shows it, spoilt where a fault says so.
  func readJSON(_ index: Int) -> JSONValue {
    let faults = faults(of: index)
    return paymentJSON(payments[index])
      .replacing("amount", with: faults.readAmount.map { .number($0) })
      .replacing("currency", with: faults.readCurrency.map { .string($0) })
  }

  /// The whole payment: the request's members, id, page, `state` and `final`.
  func paymentJSON(_ payment: FutaPayment) -> JSONValue {
    .object([
      "id": .string(payment.id),
      "state": .string(word(payment.state)),
      "final": .bool(payment.state.isFinal),
      "amount": .integer(payment.terms.amount),
      "currency": .string(payment.terms.currency),
      "merchant_reference": .string(payment.terms.reference),
      "description": .string(payment.terms.description),
      "return_url": .string(payment.terms.returnURL),
      "created_at": .string(payment.createdAt.description),
      "expires_at": .string(payment.terms.expiresAt.description),
      "embedding": payment.terms.embedding.map { .object(["mode": .string($0)]) } ?? .null,
      "checkout_url": payment.terms.msisdn == nil ? .string(pageURL(payment)) : .null,
    ])
  }

  func pageURL(_ payment: FutaPayment) -> String { "\(payment.base)/pay/\(payment.id)" }

  /// The word of a state as the API writes it.
  func word(_ state: FutaState) -> String {
    switch state {
    case .paid: settings.paidWord ?? state.rawValue
    case .failed: settings.failedWord ?? state.rawValue
    case .created, .processing, .expired, .cancelled, .refunded: state.rawValue
    }
  }
}
