import HTTPExchange
public import PaymentModels
public import ProviderInterface
import StrictJSON

extension TebexProvider {
  /// Reads the transaction that paid a basket: it shows refunds, charge-backs and the method.
  ///
  /// - Returns: nil if the store has no access to the Checkout API.
  /// - Throws: ``ProviderError`` of kind `refused`, before anything is sent, if `id` could not be
  ///   a transaction's.
  public func readTransaction(
    _ id: String, of payment: ProviderPaymentID
  ) async throws(ProviderError) -> PaymentReading? {
    guard configuration.settings.checkout != nil else { return nil }
    return try reading(try await transaction("GET", id), of: payment, transaction: id)
  }

  /// Gives all of a payment back.
  ///
  /// Tebex takes no reference of ours and refunds a payment once, so the transaction is read
  /// first: one that was given back before, or is being so, is what this call would have brought
  /// about. Only the second request changes anything.
  ///
  /// - Throws: ``ProviderError`` of kind `refused`, before a refund is sent, without access to
  ///   the Checkout API, without the transaction's id, or for a part of the amount.
  public func refund(_ request: ProviderOperation) async throws(ProviderError) -> PaymentReading {
    guard configuration.settings.checkout != nil else {
      throw refusal("no_checkout_api", "refunds need access to the Checkout API")
    }
    guard let id = request.transactionID else {
      throw refusal("no_transaction", "the transaction is not known yet")
    }
    let payment = request.providerPaymentID
    let answer: TransactionAnswer
    do throws(ProviderError) {
      answer = try await transaction("GET", id)
    } catch  where error.kind == .unknown {
      // Whatever became of the read, no refund has gone out.
      throw ProviderError(.notSent, status: error.status, detail: error.detail)
    }
    let before = try reading(answer, of: payment, transaction: id)
    guard before.paymentReference != nil, before.amount == request.amount else {
      throw refusal("not_the_whole", "Tebex gives back all of a payment or nothing")
    }
    if try check.map({ () throws(JSONPathError) in try answer.isRefunded() }) { return before }
    return try reading(
      try await transaction("POST", id, "/refund"), of: payment, transaction: id)
  }

  private func transaction(
    _ method: String, _ id: String, _ suffix: String = ""
  ) async throws(ProviderError) -> TransactionAnswer {
    guard isToken(id) else {
      throw refusal("no_transaction", "the transaction's id is none of Tebex'")
    }
    let json = try await checkout(method, "/payments/\(id)\(suffix)?type=txn_id")
    return TransactionAnswer(json, configuration)
  }

  private func reading(
    _ answer: TransactionAnswer, of payment: ProviderPaymentID, transaction id: String
  ) throws(ProviderError) -> PaymentReading {
    try check.map { () throws(JSONPathError) in
      let reading = try answer.reading(of: payment)
      guard reading.transactionID == id else {
        throw JSONPathError(path: "transaction_id", "is another transaction's")
      }
      return reading
    }
  }

  private func refusal(_ code: String, _ reason: String) -> ProviderError {
    ProviderError(.refused, code: code, detail: "\(reason); nothing was sent")
  }
}
