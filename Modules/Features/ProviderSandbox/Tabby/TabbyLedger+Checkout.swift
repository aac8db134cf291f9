import HTTPExchange
import KitEnvironment
import PaymentModels
import StrictJSON

/// `/api/v2/checkout`
extension TabbyLedger {
  func create(_ request: HTTPRequest) throws(TabbyError) -> JSONValue {
    let body = try decoded(request)
    if settings.isStrict {
      let problems = PublishedSchema.checkout.problems(of: body, at: "$")
      if !problems.isEmpty { throw .fields(problems) }
    }
    let checkout = try CheckoutRequest(body)
    guard let merchant = settings.merchants.first(where: { $0.code == checkout.merchantCode })
    else { throw .notAuthorized("merchant is null") }
    guard checkout.currency == merchant.currency else {
      throw .badData(
        "only \(merchant.currency) is supported, got \(checkout.currency.prefix(3))")
    }
    let amount = try amount(checkout.amountText, merchant.currency, field: "$.payment.amount")
    guard payments.count < SandboxLimits.paymentsMax else { throw .full }
    let rejection = prescore(checkout, amount)
    let now = now
    append(
      TabbyPayment(
        id: environment.newUUID(), sessionID: environment.newUUID(), merchant: merchant,
        createdAt: now, sessionExpiresAt: now + .milliseconds(settings.sessionLifeMs),
        amount: amount, request: checkout, rejection: rejection,
        status: rejection == nil ? .created : settings.prescoreRejectedStatus.status,
        reference: checkout.reference, origin: links.base(for: request)))
    environment.log(
      .info, "checkout created", ("payment", payments[payments.count - 1].id),
      ("rejected", rejection?.rawValue ?? "no"))
    return sessionJSON(payments[payments.count - 1])
  }

  func readSession(_ id: String) throws(TabbyError) -> JSONValue {
    let index = try knownSession(id)
    return sessionJSON(payments[index])
  }

  func cancel(_ id: String) throws(TabbyError) -> JSONValue {
    let index = try knownSession(id)
    switch payments[index].status {
    case .created: setStatus(index, .expired, at: now)
    case .expired: break
    case .authorized, .closed, .rejected: throw .badData("could not cancel the session")
    }
    return sessionJSON(payments[index])
  }

  /// What pre-scoring says, by the documented test phones and the sandbox's own amount limits.
  private func prescore(_ checkout: CheckoutRequest, _ amount: Money) -> RejectionReason? {
    let digits = checkout.buyerPhone.filter(\.isNumber)
    if digits.hasSuffix("500000002") || digits.hasSuffix("90000002") { return .notAvailable }
    func exceeds(_ left: String?, _ right: String?) -> Bool {
      guard let scale = Currency(code: amount.currency.code, exponent: 3), let left, let right,
        let left = try? Money(decimal: left, currency: scale),
        let right = try? Money(decimal: right, currency: scale)
      else { return false }
      return left.minorUnits > right.minorUnits
    }
    if exceeds(amount.decimal, settings.amountMax) { return .amountTooHigh }
    return exceeds(settings.amountMin, amount.decimal) ? .amountTooLow : nil
  }

  private func knownSession(_ id: String) throws(TabbyError) -> Int {
    guard isCanonicalUUID(id.lowercased()) else { throw .badData("could not decode request") }
    guard let index = position(id.lowercased()), payments[index].sessionID == id.lowercased()
    else { throw .notFound("no such session") }
    return index
  }
}
