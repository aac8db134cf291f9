public import PaymentModels

extension PaymentTransaction {
  /// The whole order, unless the store knows better.
  public func orderWithoutLines(_ id: OrderID) throws -> OrderRow? { try order(id) }

  /// Put together from whole rows, unless the store knows better.
  public func shownPayment(_ id: PaymentID) throws -> ShownPayment? {
    guard let row = try payment(id), let order = try orderWithoutLines(row.orderID) else {
      return nil
    }
    return ShownPayment(row, of: order, items: try items(of: id))
  }

  /// Payments that are due, of whatever account.
  public func paymentsDue(at now: Instant, limit: Int) throws -> [PaymentRow] {
    try paymentsDue(of: nil, at: now, limit: limit)
  }

  /// Deliveries that are due, of whatever account.
  public func webhooksDue(at now: Instant, limit: Int) throws -> [WebhookRow] {
    try webhooksDue(of: nil, at: now, limit: limit)
  }
}
