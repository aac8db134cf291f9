public import PaymentModels

/// What is left to capture or refund on a payment, from its rows.
public struct OperationLimit: Hashable, Sendable {
  /// Left to capture, minor units.
  public let capturable: Int64
  /// Left to refund, minor units.
  public let refundable: Int64

  /// Counts money on its way as gone: limit = captured − refunded − in flight.
  public init(_ payment: PaymentRow, _ items: [PaymentItem], _ operations: [OperationRow]) {
    func inFlight(_ kind: OperationRow.Kind) -> Int64 {
      operations.filter { $0.kind == kind && $0.isInFlight }
        .reduce(0) { $0 + $1.amount.minorUnits }
    }
    let captured = items.sum(.capture)
    let held = payment.status == .authorized ? payment.amount.minorUnits - captured : 0
    capturable = max(0, held - inFlight(.capture))
    refundable = max(
      0, captured - items.sum(.refund) - items.sum(.chargeback) - inFlight(.refund))
  }
}
