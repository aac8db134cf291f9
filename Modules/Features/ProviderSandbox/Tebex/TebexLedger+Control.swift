import PaymentModels
import StrictJSON

/// The fake Tebex in the control API: how the ledger shows a basket, and the names of settings.
extension TebexLedger {
  func entry(of basket: TebexBasket) -> LedgerEntry {
    func decimal(_ amount: Int64) -> JSONValue {
      .string(decimalText(amount, currencyCode, exponent: 2))
    }
    let isPaid = basket.status != .open
    let status = basket.payment?.status
    let reference = settings.referenceMember.flatMap { basket.request.custom[$0]?.text }
    return LedgerEntry(
      terms: [
        "reference_id": .optional(reference),
        "transaction_id": .optional(basket.payment?.id),
        "status": .string(basket.status.rawValue),
        "amount": decimal(basket.price),
        "currency": .string(currencyCode),
        "captured": decimal(isPaid ? basket.price : 0),
        "refunded": decimal(status == .refund ? basket.price : 0),
        "charged_back": decimal(status == .chargeback ? basket.price : 0),
        "created_at": .string(basket.createdAt.description),
      ],
      page: [
        "packages": .array(
          basket.lines.map {
            .object(["id": .integer($0.package.id), "quantity": .integer($0.quantity)])
          }),
        "tries": .integer(basket.transactions.count),
      ],
      webURL: pageURL(basket))
  }
}

extension TebexSandboxSettings: SandboxSettings {
  static var fields: [SettingField<Self>] {
    [
      .text("currency", \.currency) { Currency(iso4217: $0)?.exponent == 2 },
      .integer("tax_basis_points", \.taxBasisPoints, 0...10_000),
      .flag("price_with_tax", \.taxesPrice),
      .flag("unit_prices", \.showsUnitPrice),
      .flag("wrap_add_answer", \.wrapsAddAnswer),
      .flag("checkout_link", \.hasCheckoutLink),
      .flag("require_username", \.requiresUsername),
      .flag("dispute_takes_money", \.opensAsChargeback),
      .flag("refund_later", \.refundsLater),
      .text("return_query", \.returnQuery, isWord),
      .text("reference_member", \.referenceMember, isWord),
      .text("webhook_url", \.webhookURL, isWord),
      .secret("webhook_secret", \.webhookSecret, isWord),
      .webhookRetries,
      handshake,
      .faults,
    ]
  }

  /// Shows how far the endpoint got; writing `none` asks it once more, as the panel's button does.
  private static var handshake: SettingField<Self> {
    SettingField(
      name: "webhook_handshake", kind: .shown, read: { .string($0.handshake.rawValue) },
      write: { settings, value in
        guard value.text == TebexHandshake.none.rawValue else { return false }
        settings.handshake = .none
        return true
      })
  }
}

extension TebexFaults: SandboxFaults {
  static var fields: [SettingField<Self>] {
    [
      .integer("complete_delay_ms", \.completeDelayMs, 0...SandboxLimits.millisecondsMax),
      .webhookCopies,
      .integer("webhook_delay_ms", \.webhookDelayMs, 0...SandboxLimits.millisecondsMax),
      .dropsWebhooks,
      .text("read_price", \.readPrice) { text in
        Currency(code: "XXX", exponent: 2).map { (try? Money(decimal: text, currency: $0)) != nil }
          ?? false
      },
      .answers(\.answers),
    ]
  }
}
