import PaymentModels

extension Settlement {
  /// Opens or ends the review of a dispute, as the provider's word for it changes.
  ///
  /// The merchant's systems are told once of each dispute: when it opens, or when its money goes,
  /// whichever is learned first.
  ///
  /// - Parameter isMoneyTold: the money that went with it has been told already.
  func followDispute(
    of payment: PaymentRow, from before: DisputeStanding?, isMoneyTold: Bool
  ) throws {
    guard let standing = payment.dispute, standing != before else { return }
    switch standing {
    case .opened:
      if !isMoneyTold { try send(.disputed, payment.orderID, payment.id, payment.amount) }
      try open(.disputed, payment.orderID, nil, "the payer disputes the payment")
    case .won, .lost, .closed:
      let isOpenElsewhere = try transaction.payments(of: payment.orderID).contains {
        $0.id != payment.id && $0.dispute == .opened
      }
      guard !isOpenElsewhere else { return }
      try resolve(.disputed, payment, nil, "the dispute is \(standing.rawValue)")
    }
  }

  /// Ends a review that a proof has answered.
  func resolve(
    _ kind: ReviewKind, _ payment: PaymentRow, _ on: PaymentID?, _ why: String
  ) throws {
    guard try transaction.resolveReview(kind, of: payment.orderID, on, at: now) else { return }
    try transaction.appendJournal(
      JournalEntry(
        at: now, orderID: payment.orderID, paymentID: payment.id, channel: .system,
        trust: .proof, event: "review", change: "\(kind.rawValue) resolved", note: why))
  }
}
