import PaymentModels
import PaymentStore
import ProviderInterface

extension CheckoutService {
  /// What the payment's provider can do, if that includes what is asked. Nothing is stored that
  /// no call could ever fulfil.
  ///
  /// - Throws: ``CheckoutError`` of kind `notOffered`, which names the provider and the operation.
  func capabilities(
    for request: OperationRequest
  ) async throws(CheckoutError) -> ProviderCapabilities {
    let payment = try await stored { try await $0.read { try $0.payment(request.paymentID) } }
    guard let payment else { throw CheckoutError(.notFound, "There is no such payment.") }
    guard let provider = providers.account(of: payment.provider, payment.account) else {
      throw CheckoutError(
        .unavailable, "The account that the payment was made through is not configured here.")
    }
    let capabilities = provider.capabilities
    if let reason = capabilities.reasonAgainst(request.kind) {
      throw CheckoutError(.notOffered, "\(payment.provider) \(reason)")
    }
    return capabilities
  }
}

extension CheckoutService {
  /// Whether an unpaid payment of an order that is cancelled is ended by a call of ours.
  ///
  /// - Throws: ``CheckoutError`` if it holds money that no call of ours can let go.
  static func mustClose(
    _ payment: PaymentRow, _ providers: [any PaymentProvider]
  ) throws -> Bool {
    guard let provider = providers.account(of: payment.provider, payment.account) else {
      return false
    }
    let closes = provider.capabilities.closes(payment.status)
    guard payment.status != .authorized || closes else {
      throw CheckoutError(
        .notOffered,
        "A payment holds money for the order, and \(payment.provider) has no close. Let it be "
          + "captured and refund it, or end it with the provider itself.")
    }
    return closes && payment.status != .authorized && payment.createState == .created
  }
}

extension ProviderCapabilities {
  /// Why there is no such operation; nil if there is.
  fileprivate func reasonAgainst(_ kind: OperationRow.Kind) -> String? {
    switch kind {
    case .capture:
      capture == .automatic ? "takes the money by itself; there is nothing to capture." : nil
    case .refund:
      refund == .none
        ? "has no refund by a call of ours; refund with the provider itself, "
          + (undoneProofs.isEmpty
            ? "whose answers do not tell of it." : "and the next read shows it.") : nil
    case .close:
      close == .none ? "has no close; an unpaid payment is left to its end." : nil
    }
  }

  /// Why a call of ours gives nothing back of a payment in that state; nil if one does.
  ///
  /// - Parameter isWhole: all that was captured is to go back.
  func reasonAgainstGivingBack(_ status: PaymentStatus, isWhole: Bool) -> String? {
    guard status == .captured else {
      return closes(status)
        ? nil : "has no close: let the money be captured and refund it, or end it there."
    }
    if refund == .full, !isWhole { return "gives a payment back as a whole only." }
    return reasonAgainst(.refund)
  }

  /// Whether a close of ours ends a payment in that state.
  func closes(_ status: PaymentStatus) -> Bool {
    switch close {
    case .none: false
    case .authorized: status == .authorized
    case .unpaid: [.authorized, .created, .pending].contains(status)
    }
  }

  /// The payments that a close of ours ends, for a sentence.
  var closable: String {
    switch close {
    case .none: "no"
    case .authorized: "an authorized"
    case .unpaid: "an authorized or unpaid"
    }
  }
}
