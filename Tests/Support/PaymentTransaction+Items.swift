public import PaymentModels
public import PaymentStore

extension PaymentTransaction {
  /// A movement that was learned when the sample rows are made.
  public func putItem(_ item: PaymentItem, of payment: PaymentID) throws {
    try putItem(item, of: payment, learnedAt: Sample.start)
  }
}
