import PaymentModels
import StrictJSON

/// The fake Raïs in the control API: how the ledger shows a payment, and the names of settings.
extension RaisLedger {
  func entry(of payment: RaisPayment) -> LedgerEntry {
    func decimal(_ amount: Int64) -> JSONValue {
      .string(decimalText(amount, settings.currency, exponent: settings.exponent))
    }
    return LedgerEntry(
      terms: [
        "reference_id": .string(payment.terms.reference),
        "order_number": .string(payment.orderNumber),
        "status": .string(payment.status.rawValue),
        "amount": decimal(payment.terms.amount),
        "currency": .string(settings.currency),
        "captured": decimal(payment.status == .paid ? payment.terms.amount : 0),
        "refunded": decimal(0),
        "created_at": .string(payment.createdAt.description),
        "expires_at": .string(payment.expiresAt.description),
      ],
      page: [
        "waits_for_code": .bool(payment.challenge != nil),
        "last_card_declined": .bool(payment.lastCardDeclined),
      ],
      webURL: pageURL(payment))
  }
}

extension RaisSandboxSettings: SignedWebhookSettings {
  static var fields: [SettingField<Self>] {
    [
      .integer("exponent", \.exponent, 0...4),
      .integer("life_ms", \.lifeMs, 1...SandboxLimits.millisecondsMax),
      .text("expired_word", \.expiredWord, isWord),
      .text("cancelled_word", \.cancelledWord, isWord),
      .text("failed_word", \.failedWord, isWord),
      .flag("cancel_ends", \.cancelEnds),
      .flag("show_currency", \.showsCurrency),
      .flag("all_on_cancel", \.addsAllToCancel),
      .integer("conflict_status", \.conflictStatus, 400...499),
    ] + SettingField.signedWebhooks + [.faults]
  }
}

extension RaisFaults: SandboxFaults {
  static var fields: [SettingField<Self>] {
    [
      .integer("paid_delay_ms", \.paidDelayMs, 0...SandboxLimits.millisecondsMax),
      .webhookCopies,
      .integer("webhook_delay_ms", \.webhookDelayMs, 0...SandboxLimits.millisecondsMax),
      .dropsWebhooks,
      .text("read_amount", \.readAmount) { Int64($0) != nil },
      .answers(\.answers),
    ]
  }
}
