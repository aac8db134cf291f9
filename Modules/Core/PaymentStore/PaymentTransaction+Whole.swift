public import PaymentModels

extension PaymentTransaction {
  /// The whole order, unless the store knows better.
  public func orderWithoutLines(_ id: OrderID) throws -> OrderRow? { try order(id) }

  /// Payments that are due, of whatever account.
  public func paymentsDue(at now: Instant, limit: Int) throws -> [PaymentRow] {
    try paymentsDue(of: nil, at: now, limit: limit)
  }

  /// Deliveries that are due, of whatever account.
  public func webhooksDue(at now: Instant, limit: Int) throws -> [WebhookRow] {
    try webhooksDue(of: nil, at: now, limit: limit)
  }
}
