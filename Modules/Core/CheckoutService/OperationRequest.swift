public import PaymentModels
public import PaymentStore

/// A capture, refund or close that an operator asks for.
public struct OperationRequest: Hashable, Sendable {
  /// On which payment.
  public var paymentID: PaymentID
  /// What is asked.
  public var kind: OperationRow.Kind
  /// How much, as decimal text in the payment's currency; nil for all that is left.
  public var amount: String?
  /// Who asks, for the journal.
  public var operatorName: OperatorName
  /// Why.
  public var reason: String
  /// The caller's own key: the same key and terms give the same operation.
  public var idempotencyKey: String

  /// Builds a request.
  public init(
    paymentID: PaymentID, kind: OperationRow.Kind, amount: String? = nil,
    operatorName: OperatorName, reason: String, idempotencyKey: String
  ) {
    self.paymentID = paymentID
    self.kind = kind
    self.amount = amount
    self.operatorName = operatorName
    self.reason = reason
    self.idempotencyKey = idempotencyKey
  }

  /// A text that is the same for the same terms: amounts by their value, as far as they have one.
  func terms(_ currency: Currency) -> String {
    let value = amount.map { text in
      (try? Money(decimal: text, currency: currency)).map { "\($0.minorUnits)" } ?? "text:\(text)"
    }
    return "\(kind.rawValue)\n\(value ?? "all")\n\(reason)"
  }
}
