import PaymentModels
import StrictJSON

/// The fake SEB in the control API: how the ledger shows a payment, and the names of settings.
extension SEBLedger {
  func entry(of payment: SEBPayment) -> LedgerEntry {
    LedgerEntry(
      terms: [
        "reference_id": .string(payment.terms.orderNumber),
        "status": .string(payment.status.rawValue),
        "amount": .string(payment.terms.amount.decimal),
        "currency": .string(payment.terms.amount.currency.code),
        "captured": .string(payment.captured.decimal),
        "refunded": .string(payment.refunded.decimal),
        "created_at": .string(payment.createdAt.description),
        "expires_at": .string(payment.expiresAt.description),
      ],
      page: [
        "tries": .array(
          payment.sessions.map {
            .object([
              "method": .string($0.method.rawValue), "status": .string($0.status.rawValue),
            ])
          })
      ],
      webURL: pageURL(payment))
  }
}

extension SEBSandboxSettings: SandboxSettings {
  static var fields: [SettingField<Self>] {
    [
      .integer("token_life_ms", \.tokenLifeMs, 0...SandboxLimits.millisecondsMax),
      .flag("captures_at_once", \.capturesAtOnce),
      .integer("life_ms", \.lifeMs, 1...SandboxLimits.millisecondsMax),
      .text("authorized_word", \.authorizedWord, isWord),
      .text("captured_word", \.capturedWord, isWord),
      .text("refunded_word", \.refundedWord, isWord),
      .text("failed_word", \.failedWord, isWord),
      .text("cancelled_word", \.cancelledWord, isWord),
      .text("expired_word", \.expiredWord, isWord),
      .choice("redirect_place", \.redirectPlace),
      .flag("show_numbers", \.showsNumbers),
      .flag("show_sums", \.showsSums),
      .flag("partial_refunds", \.allowsPartialRefunds),
      .flag("answer_with_payment", \.answersWithPayment),
      .text("method_parameter", \.methodParameter, isWord),
      .text("webhook_url", \.webhookURL, isWord),
      .webhookRetries,
      .faults,
    ]
  }
}

extension SEBFaults: SandboxFaults {
  static var fields: [SettingField<Self>] {
    let time = 0...SandboxLimits.millisecondsMax
    return [
      .integer("settle_delay_ms", \.settleDelayMs, time),
      .flag("bank_fails", \.bankFails),
      .integer("refund_delay_ms", \.refundDelayMs, time),
      .webhookCopies,
      .integer("webhook_delay_ms", \.webhookDelayMs, time),
      .dropsWebhooks,
      .text("read_amount", \.readAmount) { !$0.isEmpty && $0.count <= SandboxLimits.textMax },
      .answers(\.answers),
    ]
  }
}
