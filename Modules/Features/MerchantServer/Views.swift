import MerchantAPI
import PaymentModels
import PaymentStore

/// Builds what the API shows from rows of one transaction.
struct Views {
  let transaction: any PaymentTransaction
  let now: Instant

  /// A payment that stands in a list of whole rows.
  func payment(_ row: PaymentRow, of order: OrderRow? = nil, isFresh: Bool) throws -> PaymentView {
    guard let order = try order ?? transaction.orderWithoutLines(row.orderID) else {
      preconditionFailure("a payment has its order")
    }
    return try payment(
      ShownPayment(row, of: order, items: transaction.items(of: row.id)), isFresh: isFresh)
  }

  /// - Parameter showsKey: whether whoever asks is the payer's own app, which may hold the
  ///   payment's key.
  func payment(
    _ payment: ShownPayment, isFresh: Bool, showsKey: Bool = false
  ) throws -> PaymentView {
    #if FaultInjection
      if SeededFault.active == .showsLapsedAsExpired, payment.lapsed {
        var payment = payment
        (payment.lapsed, payment.status) = (false, .expired)
        return try self.payment(payment, isFresh: isFresh, showsKey: showsKey)
      }
    #endif
    let isPayable = try isPayable(payment)
    return PaymentView(
      paymentID: payment.id, orderID: payment.orderID, attempt: payment.attempt,
      provider: payment.provider, providerPaymentID: payment.providerPaymentID,
      state: payment.createState == .intent ? .creating : .known(payment.status),
      orderState: payment.orderState, amount: payment.amount, captured: payment.captured,
      refunded: payment.goneBack, checkoutURL: isPayable ? payment.checkoutURL : nil,
      returnURLs: payment.returnURLs, rejectionReason: payment.rejectionReason,
      expiresAt: payment.expiresAt, isFresh: isFresh, version: payment.version,
      verificationKey: isPayable && showsKey ? payment.verificationKey : nil)
  }

  /// Whether the page is handed out. What is known already comes first: nearly every payment that
  /// is asked for has ended, and needs no look further.
  private func isPayable(_ payment: ShownPayment) throws -> Bool {
    guard payment.mayChange, !payment.lapsed, payment.orderState == .pending,
      !payment.isCancelRequested, payment.expiresAt.map({ $0 > now }) ?? true
    else { return false }
    // Whoever paid what the provider says there would pay for nothing.
    let isOurs = try transaction.reviews(of: payment.orderID).allSatisfy {
      $0.paymentID != payment.id || !$0.forbidsPayment
    }
    // One page an order: an earlier one that its provider would still take money on is not it.
    return try isOurs
      && (transaction.payments(of: payment.orderID).last.map { $0.id == payment.id } ?? true)
  }

  func order(_ row: OrderRow, isFresh: Bool) throws -> OrderView {
    let payments = try transaction.payments(of: row.id).map {
      try payment($0, of: row, isFresh: isFresh)
    }
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
