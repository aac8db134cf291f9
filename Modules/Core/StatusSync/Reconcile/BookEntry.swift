public import PaymentModels
public import PaymentStore

/// A payment as the local book has it, with all that a comparison needs.
public struct BookEntry: Hashable, Sendable {
  /// Its row.
  public var payment: PaymentRow
  /// Its movements of money.
  public var items: [PaymentItem]
  /// What was asked of its provider.
  public var operations: [OperationRow]
  /// Reviews about it that a person has closed, and that nothing has opened again.
  public var decided: Set<ReviewKind>
  /// When anything was last noted about it.
  public var lastNotedAt: Instant?

  /// Collects an entry.
  public init(
    payment: PaymentRow, items: [PaymentItem] = [], operations: [OperationRow] = [],
    decided: Set<ReviewKind> = [], lastNotedAt: Instant? = nil
  ) {
    self.payment = payment
    self.items = items
    self.operations = operations
    self.decided = decided
    self.lastNotedAt = lastNotedAt
  }

  /// Takes an entry from the store.
  ///
  /// - Throws: ``PaymentStore/StoreError``.
  init(_ payment: PaymentRow, _ transaction: any PaymentTransaction) throws {
    let reviews = try transaction.reviews(of: payment.orderID).filter {
      $0.paymentID == payment.id
    }
    let open = Set(reviews.filter { $0.resolvedAt == nil }.map(\.kind))
    self.init(
      payment: payment, items: try transaction.items(of: payment.id),
      operations: try transaction.operations(of: payment.id),
      decided: Set(reviews.map(\.kind)).subtracting(open),
      lastNotedAt: try transaction.lastNoted(payment.id))
  }

  /// Captured and not gone back, minor units.
  var refundable: Int64 { items.sum(.capture) - items.sum(.refund) - items.sum(.chargeback) }

  /// Whether its provider is to be asked: something happened since then, it has not come to an end,
  /// or money of it can still go back. When it was made does not count.
  func isWorthReading(since: Instant, now: Instant) -> Bool {
    guard payment.createState != .refused else { return false }
    if let lastNotedAt, lastNotedAt >= since { return true }
    if payment.createState == .intent || payment.status == .authorized { return true }
    if !payment.status.isFinalForPayer { return !payment.lapsed }
    return refundable > 0 && now.since(payment.createdAt) < ReadPlan.paidReadsEnd
  }
}
