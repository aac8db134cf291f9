import MerchantAPI
import PaymentModels
import PaymentStore

/// Builds what the API shows from rows of one transaction.
struct Views {
  let transaction: any PaymentTransaction
  let now: Instant

  /// - Parameters:
  ///   - order: the payment's order, if it is known already; its lines do not matter.
  ///   - showsKey: whether whoever asks is the payer's own app, which may hold the payment's key.
  func payment(
    _ row: PaymentRow, of order: OrderRow? = nil, isFresh: Bool, showsKey: Bool = false
  ) throws -> PaymentView {
    #if FaultInjection
      if SeededFault.active == .showsLapsedAsExpired, row.lapsed {
        var row = row
        (row.lapsed, row.status) = (false, .expired)
        return try payment(row, of: order, isFresh: isFresh, showsKey: showsKey)
      }
    #endif
    let order = try order ?? transaction.orderWithoutLines(row.orderID)
    let items = try transaction.items(of: row.id)
    let isPayable = try isPayable(row, of: order)
    return PaymentView(
      paymentID: row.id, orderID: row.orderID, attempt: row.attempt, provider: row.provider,
      providerPaymentID: row.providerPaymentID,
      state: row.createState == .intent ? .creating : .known(row.status),
      orderState: order?.state ?? .pending, amount: row.amount, captured: items.sum(.capture),
      refunded: items.sum(.refund) + items.sum(.chargeback),
      checkoutURL: isPayable ? row.checkoutURL : nil, returnURLs: row.returnURLs,
      rejectionReason: row.rejectionReason, expiresAt: row.expiresAt, isFresh: isFresh,
      version: row.version + (order?.version ?? 0),
      verificationKey: isPayable && showsKey ? row.verificationKey : nil)
  }

  /// Whether the page is handed out. What the row itself tells comes first: nearly every payment
  /// that is asked for has ended, and needs no look further.
  private func isPayable(_ row: PaymentRow, of order: OrderRow?) throws -> Bool {
    guard row.createState == .created, !row.status.isFinalForPayer, !row.lapsed,
      order?.state == .pending, order?.cancelRequestedAt == nil,
      row.expiresAt.map({ $0 > now }) ?? true
    else { return false }
    // Whoever paid what the provider says there would pay for nothing.
    let isOurs = try transaction.reviews(of: row.orderID).allSatisfy {
      $0.paymentID != row.id || !$0.forbidsPayment
    }
    // One page an order: an earlier one that its provider would still take money on is not it.
    return try isOurs
      && (transaction.payments(of: row.orderID).last.map { $0.id == row.id } ?? true)
  }

  func order(_ row: OrderRow, isFresh: Bool) throws -> OrderView {
    let payments = try transaction.payments(of: row.id).map { try payment($0, isFresh: isFresh) }
    let reviews = try transaction.reviews(of: row.id).filter { $0.resolvedAt == nil }
    let messages = try transaction.messages(of: row.id)
    return OrderView(
      orderID: row.id, state: row.state, total: row.total,
      due: row.loweredDue ?? row.total.minorUnits,
      captured: payments.reduce(0) { $0 + $1.captured },
      refunded: payments.reduce(0) { $0 + $1.refunded },
      isCancelRequested: row.cancelRequestedAt != nil, isFulfilled: row.isFulfilled,
      lines: row.lines, payments: payments,
      reviews: reviews.map {
        OrderView.Review(
          number: $0.number, kind: $0.kind.rawValue, detail: $0.detail, openedAt: $0.openedAt)
      },
      messages: messages.map {
        OrderView.Message(
          sequence: $0.sequence, kind: $0.kind.rawValue, isDelivered: $0.deliveredAt != nil)
      })
  }
}
