extension RouteID {
  /// Of what the merchant's people do with orders and payments.
  var paymentContract: RouteContract? {
    switch self {
    case .payments:
      RouteContract(
        summary: "Payments as they are known, the newest first.", access: .staff,
        parameters: [.beforeID, .limit], answers: [.json("PaymentList", "A page of them.")])
    case .cancelOrder:
      RouteContract(
        summary: "Cancel an order that is not paid.", access: .staff, body: .json("ReasonBody"),
        answers: [
          .json("Order", "It is cancelled."),
          .json("Order", "It is cancelled once its payments have ended.", status: 202),
        ], problems: [.conflict, .operationNotOffered])
    case .orderJournal:
      journal("What happened to an order and its payments, the oldest first.")
    case .paymentJournal:
      journal("What happened to a payment and to its order as a whole, the oldest first.")
    case .readPayment:
      RouteContract(
        summary: "Read a payment at its provider, also one that has come to its end.",
        access: .staff, answers: [.json("Payment", "As it stands; fresh if it could be read.")])
    case .captures: operation("Take money that is held, all or a part.")
    case .refunds: operation("Give money back, all or a part.")
    case .close: operation("Let go of what is still held. Takes no amount.")
    default: nil
    }
  }

  private func journal(_ summary: String) -> RouteContract {
    RouteContract(
      summary: summary, access: .staff, parameters: [.after, .limit],
      answers: [.json("Journal", "A page of it.")])
  }

  private func operation(_ summary: String) -> RouteContract {
    RouteContract(
      summary: summary, access: .staff, parameters: [.idempotencyKey],
      body: .json("OperationBody"),
      answers: [
        .json("Operation", "It has ended: done, or refused."),
        .json("Operation", "Stored; it goes on by itself.", status: 202),
      ],
      problems: [.idempotencyMismatch, .conflict, .providerRefused, .operationNotOffered])
  }
}
