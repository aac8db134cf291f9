public import PaymentStore

extension PaymentTransaction {
  /// Deliveries that wait for a person, newest first.
  public func heldWebhooks(limit: Int = 99) throws -> [WebhookRow] {
    try [WebhookRow.State.unmatched, .parked]
      .flatMap { try webhooks(in: $0, at: nil, before: nil, limit: limit) }
      .sorted { $0.id > $1.id }
  }
}
