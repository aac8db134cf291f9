public import PaymentModels

extension PaymentTransaction {
  /// Payments that are due, of whatever account.
  public func paymentsDue(at now: Instant, limit: Int) throws -> [PaymentRow] {
    try paymentsDue(of: nil, at: now, limit: limit)
  }

  /// Deliveries that are due, of whatever account.
  public func webhooksDue(at now: Instant, limit: Int) throws -> [WebhookRow] {
    try webhooksDue(of: nil, at: now, limit: limit)
  }
}
