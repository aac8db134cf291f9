import PaymentModels
import PaymentStore
import SQLiteConnection

extension SQLiteTransaction {
  func shownPayment(_ id: PaymentID) throws -> ShownPayment? {
    try first(ShownPayment.select, [.id(id)]) { (row) throws(SQLiteError) in
      try ShownPayment(id, &row)
    }
  }
}

extension ShownPayment {
  /// One query, and no column that is not shown: what devices ask again and again is to cost
  /// little. One row: the payment's id is the key.
  static let select = """
    SELECT payments.order_id, attempt, provider, amount_minor_units, amount_currency,
      amount_exponent, create_state, success_url, cancel_url, failure_url, status, lapsed,
      payments.version + orders.version, subject, state, cancel_requested_at IS NOT NULL,
      (SELECT coalesce(sum(amount_minor_units), 0) FROM payment_items
        WHERE payment_id = ?1 AND kind = 'capture'),
      (SELECT coalesce(sum(amount_minor_units), 0) FROM payment_items
        WHERE payment_id = ?1 AND kind IN ('refund', 'chargeback')),
      provider_payment_id, checkout_url, rejection_reason, expires_at, verification_key
    FROM payments JOIN orders ON orders.id = order_id WHERE payments.id = ?1
    """

  /// The columns of ``select``, in their order.
  fileprivate init(_ id: PaymentID, _ row: inout SQLiteRow) throws(SQLiteError) {
    self.init(
      id: id, orderID: try row.id(), attempt: try row.count(), provider: try row.id(),
      amount: try row.money(), createState: try row.word(),
      returnURLs: ReturnURLs(
        success: try row.text(), cancel: try row.text(), failure: try row.text()),
      status: PaymentStatus(stored: try row.text()), lapsed: try row.flag(),
      version: try row.integer(), subject: try row.id(), orderState: try row.word(),
      isCancelRequested: try row.flag(), captured: try row.integer(), goneBack: try row.integer())
    providerPaymentID = try row.optionalID()
    checkoutURL = try row.optionalText()
    rejectionReason = try row.optionalText()
    expiresAt = try row.optionalInstant()
    verificationKey = try row.optionalText().map { Secret($0) }
  }
}
