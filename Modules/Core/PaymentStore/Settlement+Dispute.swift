import PaymentModels

extension Settlement {
  /// Tells of a dispute as the provider's word for it changes. Its case follows from that word.
  ///
  /// The merchant's systems are told once of each dispute: when it opens, or when its money goes,
  /// whichever is learned first.
  ///
  /// - Parameter isMoneyTold: the money that went with it has been told already.
  func followDispute(
    of payment: PaymentRow, from before: DisputeStanding?, isMoneyTold: Bool
  ) throws {
    guard payment.dispute == .opened, before != .opened, !isMoneyTold else { return }
    try send(.disputed, payment.orderID, payment.id, payment.amount)
  }
}
