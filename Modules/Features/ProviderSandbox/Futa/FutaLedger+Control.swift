import PaymentModels
import StrictJSON

/// The fake Futa in the control API: how the ledger shows a payment, and the names of settings.
extension FutaLedger {
  func entry(of payment: FutaPayment) -> LedgerEntry {
    func decimal(_ amount: Int64) -> JSONValue {
      .string(decimalText(amount, payment.terms.currency, exponent: settings.exponent))
    }
    let isRefunded = payment.state == .refunded
    return LedgerEntry(
      terms: [
        "reference_id": .string(payment.terms.reference),
        "status": .string(payment.state.rawValue),
        "final": .bool(payment.state.isFinal),
        "amount": decimal(payment.terms.amount),
        "currency": .string(payment.terms.currency),
        "captured": decimal(payment.state == .paid || isRefunded ? payment.terms.amount : 0),
        "refunded": decimal(isRefunded ? payment.terms.amount : 0),
        "created_at": .string(payment.createdAt.description),
        "expires_at": .string(payment.terms.expiresAt.description),
      ],
      page: [
        "waits_for_bank": .bool(payment.waitsForBank),
        "last_try_failed": .bool(payment.lastTryFailed),
      ],
      webURL: pageURL(payment))
  }
}

extension FutaSandboxSettings: SignedWebhookSettings {
  static var fields: [SettingField<Self>] {
    [
      .integer("exponent", \.exponent, 0...4),
      .flag("requires_key", \.requiresKey),
      .integer("conflict_status", \.conflictStatus, 400...499),
      .flag("app_return_urls", \.allowsAppReturnURL),
      .flag("return_parameters", \.addsReturnParameters),
      .text("paid_word", \.paidWord, isWord),
      .text("failed_word", \.failedWord, isWord),
      .flag("cancel_ends", \.cancelEnds),
      .flag("late_payment", \.allowsLatePayment),
      .text("bank_origin", \.bankOrigin, isWord),
    ] + SettingField.signedWebhooks + [.faults]
  }
}

extension FutaFaults: SandboxFaults {
  static var fields: [SettingField<Self>] {
    [
      .integer("outcome_delay_ms", \.outcomeDelayMs, 0...SandboxLimits.millisecondsMax),
      .webhookCopies,
      .integer("webhook_delay_ms", \.webhookDelayMs, 0...SandboxLimits.millisecondsMax),
      .dropsWebhooks,
      .text("read_amount", \.readAmount) { Int64($0) != nil },
      .text("read_currency", \.readCurrency) { !$0.isEmpty && $0.count <= SandboxLimits.textMax },
      .answers(\.answers),
    ]
  }
}
