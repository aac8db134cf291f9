public import PaymentModels

extension Settlement {
  /// Learns whether real money moved; or has the goods wait for that, where the provider tells it
  /// apart from the payment.
  func learnMode(from reading: PaymentReading, of payment: inout PaymentRow) throws {
    if let mode = reading.mode {
      // Nobody had told a mode before, so what is open is the wait that ended without one.
      if !payment.isModeProven, mode == payment.mode {
        try resolve(.modeMismatch, of: payment, "the provider says \(mode.rawValue)")
      }
      payment.isModeProven = true
    }
    guard let wait = reading.modeWait, !payment.isModeProven, payment.status.holdsMoney,
      payment.fulfilmentHeldUntil == nil
    else { return }
    let end = now + wait
    payment.fulfilmentHeldUntil = end
    payment.schedule.nextReadAt = min(payment.schedule.nextReadAt ?? end, end)
  }

  /// Whether the goods wait until the provider has told whether real money moved.
  func waitsForMode(_ id: PaymentID?) throws -> Bool {
    guard let id, let payment = try transaction.payment(id) else { return false }
    guard payment.fulfilmentHeldUntil != nil, !payment.isModeProven else { return false }
    // A person may know it from elsewhere.
    return try transaction.reviews(of: payment.orderID).allSatisfy {
      $0.kind != .modeMismatch || $0.paymentID != id || $0.verdict != .accept
    }
  }

  /// Asks a person about a payment of which the provider has not told in time whether real money
  /// moved. Until somebody knows, it pays nothing.
  ///
  /// - Throws: ``StoreError``.
  public func endModeWait(of id: PaymentID) throws {
    guard let payment = try transaction.payment(id), let end = payment.fulfilmentHeldUntil,
      !payment.isModeProven, end <= now
    else { return }
    let isNew = try open(
      .modeMismatch, payment.orderID, id,
      "made as \(payment.mode.rawValue), and the provider never told how it was paid")
    if isNew { try deriveOrder(payment.orderID) }
  }
}
