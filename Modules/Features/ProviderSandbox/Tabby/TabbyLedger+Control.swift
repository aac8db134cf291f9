import PaymentModels
import StrictJSON

/// The fake Tabby in the control API: how the ledger shows a payment.
extension TabbyLedger {
  func entry(of payment: TabbyPayment) -> LedgerEntry {
    func money(_ minorUnits: Int64) -> JSONValue {
      .string(Money(minorUnits: minorUnits, currency: payment.amount.currency).decimal)
    }
    func items(_ items: [TabbyPayment.Item]) -> JSONValue {
      .array(
        items.map {
          .object([
            "id": .string($0.id), "reference_id": .string($0.reference),
            "amount": .string($0.amount.decimal), "created_at": .string($0.createdAt.description),
          ])
        })
    }
    return LedgerEntry(
      terms: [
        "session_id": .string(payment.sessionID),
        "merchant_code": .string(payment.merchant.code),
        "reference_id": .string(payment.reference),
        "status": .string(payment.status.rawValue),
        "rejection_reason": .optional(payment.rejection?.rawValue),
        "amount": .string(payment.amount.decimal),
        "currency": .string(payment.amount.currency.code),
        "captured": money(payment.capturedMinorUnits),
        "refunded": money(payment.refundedMinorUnits),
        "created_at": .string(payment.createdAt.description),
        "session_expires_at": .string(payment.sessionExpiresAt.description),
        "captures": items(payment.captures),
        "refunds": items(payment.refunds),
      ],
      page: [
        "phone": .bool(payment.page.phone != nil), "code": .bool(payment.page.hasCode),
        "waits_for_bank": .bool(payment.page.waitsForBank),
        "confirmed": .bool(payment.page.isConfirmed),
        "bank_declines": .integer(payment.page.bankDeclines),
      ],
      webURL: webURL(payment))
  }
}
