import HTTPExchange
import KitEnvironment
import PaymentModels
import StrictJSON

/// What time does to a payment of the fake SEB.
enum SEBChange: Sendable {
  /// The bank has done, or not done, what it was told.
  case settle
  /// The oldest refund that waits counts now.
  case refund
  /// The payer's time ran out.
  case expire
}

/// What happens to payments at the fake SEB, and how they look in answers.
extension SEBLedger {
  func nextChange(of payment: SEBPayment) -> (change: SEBChange, at: Instant)? {
    if let refund = payment.pendingRefunds.first { return (.refund, refund.at) }
    if payment.status == .sentForProcessing { return payment.settlesAt.map { (.settle, $0) } }
    return payment.status == .initialized ? (.expire, payment.expiresAt) : nil
  }

  func apply(_ change: SEBChange, to index: Int, at instant: Instant) {
    switch change {
    case .settle: settleBank(index, isPaid: !faults(of: index).bankFails, at: instant)
    case .refund:
      giveBack(index, payments[index].pendingRefunds.removeFirst().amount, at: instant)
    case .expire: setStatus(index, .expired, at: instant)
    }
  }

  /// Moves a payment and tells the merchant. A try that is under way ends with it.
  func setStatus(_ index: Int, _ status: SEBStatus, at instant: Instant) {
    payments[index].status = status
    payments[index].settlesAt = nil
    let amount = payments[index].terms.amount
    switch status {
    case .authorized: endSession(index, .completed)
    case .captured:
      endSession(index, .completed)
      if payments[index].captured.minorUnits == 0 { payments[index].captured = amount }
    case .refunded:
      if payments[index].captured.minorUnits == 0 { payments[index].captured = amount }
      payments[index].refunded = payments[index].captured
    case .failed, .cancelled, .expired: endSession(index, .failed)
    case .initialized, .sentForProcessing: break
    }
    payments[index].trail.note(status.rawValue, at: instant)
    book(index)
    environment.log(
      .info, "payment moved", ("payment", payments[index].id), ("status", word(status)))
    notify(index, at: instant)
  }

  // MARK: Tries

  func begin(_ index: Int, _ method: SEBMethod, _ status: SEBSessionStatus) {
    endSession(index, .failed)
    guard payments[index].sessions.count < SandboxLimits.itemsMax else { return }
    payments[index].sessions.append(
      SEBSession(id: environment.newUUID(), method: method, status: status))
    note(index, "\(method.rawValue) \(status.rawValue)")
  }

  func endSession(_ index: Int, _ status: SEBSessionStatus) {
    guard let session = payments[index].session else { return }
    payments[index].sessions[payments[index].sessions.count - 1].status = status
    note(index, "\(session.method.rawValue) \(status.rawValue)")
  }

  /// The payer has paid: the money is taken, or held.
  func succeed(_ index: Int, at instant: Instant) {
    setStatus(index, settings.capturesAtOnce ? .captured : .authorized, at: instant)
  }

  func isPageOpen(_ index: Int) -> Bool {
    payments[index].isOpen(at: now)
  }

  func finishPage(_ index: Int, pays: Bool) {
    begin(index, .card, pays ? .waitingChallenge : .initialized)
    if pays { succeed(index, at: now) } else { endSession(index, .failed) }
  }

  /// The bank was told to pay, and does so later.
  func sendForProcessing(_ index: Int) {
    payments[index].sessions[payments[index].sessions.count - 1].status = .sentForProcessing
    setStatus(index, .sentForProcessing, at: now)
    payments[index].settlesAt = now + .milliseconds(faults(of: index).settleDelayMs)
    book(index)
  }

  /// A bank that does not pay leaves the payment open for another try.
  private func settleBank(_ index: Int, isPaid: Bool, at instant: Instant) {
    if isPaid { return succeed(index, at: instant) }
    endSession(index, .failed)
    setStatus(index, .initialized, at: instant)
  }

  // MARK: JSON

  /// A payment as a read shows it, spoilt where a fault says so.
  func readJSON(_ index: Int) -> JSONValue {
    let json = paymentJSON(index)
    guard let wrong = faults(of: index).readAmount else { return json }
    let amount = json["instructedAmount"]?.replacing("amount", with: .string(wrong))
    return json.replacing("instructedAmount", with: amount)
  }

  func paymentJSON(_ index: Int) -> JSONValue {
    let payment = payments[index]
    var members = [
      JSONMember(name: "createdAt", value: .string(payment.createdAt.description)),
      JSONMember(name: "environment", value: "SANDBOX"),
      JSONMember(name: "orderNumber", value: .string(payment.terms.orderNumber)),
      JSONMember(name: "participantId", value: .string(payment.terms.participantID)),
      JSONMember(name: "paymentId", value: .string(payment.id)),
      JSONMember(name: "paymentStatus", value: .string(word(payment.status))),
      JSONMember(name: "instructedAmount", value: amountJSON(payment.terms.amount)),
    ]
    if let reference = payment.terms.merchantReference {
      members.append(JSONMember(name: "merchantReference", value: .string(reference)))
    }
    if settings.showsSums {
      members += [
        JSONMember(name: "capturedAmount", value: amountJSON(payment.captured)),
        JSONMember(name: "refundedAmount", value: amountJSON(payment.refunded)),
      ]
    }
    return .object(members)
  }

  private func amountJSON(_ amount: Money) -> JSONValue {
    .object([
      "amount": settings.showsNumbers ? .number(amount.decimal) : .string(amount.decimal),
      "currency": .string(amount.currency.code),
    ])
  }

  func pageURL(_ payment: SEBPayment) -> String { "\(payment.base)/checkout/\(payment.id)" }

  /// The word of a status as the API writes it.
  func word(_ status: SEBStatus) -> String {
    let word =
      switch status {
      case .initialized, .sentForProcessing: String?.none
      case .authorized: settings.authorizedWord
      case .captured: settings.capturedWord
      case .refunded: settings.refundedWord
      case .failed: settings.failedWord
      case .cancelled: settings.cancelledWord
      case .expired: settings.expiredWord
      }
    return word ?? status.rawValue
  }

  // MARK: Callbacks

  /// Queues what the document says of a callback: type, id and status, and nothing more.
  func notify(_ index: Int, at instant: Instant) {
    guard let url = settings.webhookURL else { return }
    let payment = payments[index]
    let body = JSONValue.object([
      "type": "PAYMENT", "paymentId": .string(payment.id),
      "paymentStatus": .string(word(payment.status)),
    ]).serialized()
    post(
      WebhookDelivery(
        paymentID: payment.id, url: url, header: nil, body: body, status: word(payment.status),
        captureCount: payment.captured.minorUnits > 0 ? 1 : 0,
        refundCount: payment.refunded.minorUnits > 0 ? 1 : 0,
        due: instant + .milliseconds(faults(of: index).webhookDelayMs)), about: index)
  }

  /// Every request has an id of its own, a callback too. Nothing signs it.
  func header(for delivery: WebhookDelivery) -> WebhookHeader? {
    WebhookHeader(title: "X-Request-Id", value: environment.newUUID())
  }
}
