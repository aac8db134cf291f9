public import PaymentModels

/// What came of the wish to have a message sent again.
public enum Redelivery: Hashable, Sendable {
  /// It is due now, with all its tries.
  case due(MessageRow)
  /// There is no such message.
  case missing
  /// A later message of its order was acknowledged: sent now, it would undo that.
  case overtaken
}

extension PaymentTransaction {
  /// Has a message sent again, whatever became of it, unless that would turn the order of an
  /// order's messages round.
  ///
  /// - Throws: ``StoreError``.
  public func redeliver(
    _ id: MessageID, by name: OperatorName, reason: String, at now: Instant
  ) throws -> Redelivery {
    guard var row = try message(id) else { return .missing }
    let isOvertaken = try messages(of: row.orderID).contains {
      $0.sequence > row.sequence && $0.deliveredAt != nil
    }
    guard !isOvertaken else { return .overtaken }
    let before = row.state
    row.deliveredAt = nil
    row.tries = 0
    row.nextTryAt = now
    try updateMessage(row)
    try appendJournal(
      JournalEntry(
        at: now, orderID: row.orderID, paymentID: row.paymentID, channel: .operator,
        operatorName: name, trust: .proof, event: "redeliver",
        change: "\(row.kind.rawValue) \(before.rawValue) → waiting", note: reason))
    return .due(row)
  }
}
