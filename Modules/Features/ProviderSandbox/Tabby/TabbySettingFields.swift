import PaymentModels
import StrictJSON

extension TabbySandboxSettings: SandboxSettings {
  static var fields: [SettingField<Self>] {
    let time = 0...SandboxLimits.millisecondsMax
    return [
      .flag("strict", \.isStrict),
      .integer("session_life_ms", \.sessionLifeMs, 1...SandboxLimits.millisecondsMax),
      .integer("expiry_delay_ms", \.expiryDelayMs, time),
      .flag("expire_event", \.sendsExpireEvent),
      .choice("prescore_rejected_status", \.prescoreRejectedStatus),
      .choice("rejection_reason_place", \.rejectionReasonPlace),
      .choice("reused_reference", \.reusedReference),
      .flag("strip_zeros", \.stripsZeros),
      .choice("excess_decimals", \.excessDecimals),
      .webhookRetries,
      .flag("late_authorization", \.allowsLateAuthorization),
      .choice("webhook_list", \.webhookListShape),
      .integer("refund_window_days", \.refundWindowDays, 0...366),
      .text("amount_min", \.amountMin, isDecimal),
      .text("amount_max", \.amountMax, isDecimal),
      .flag("rate_limits", \.limitsRate),
      .faults,
    ]
  }
}

extension TabbyFaults: SandboxFaults {
  static var fields: [SettingField<Self>] {
    let time = 0...SandboxLimits.millisecondsMax
    return [
      .integer("authorize_delay_ms", \.authorizeDelayMs, time),
      .webhookCopies,
      .dropsWebhooks,
      .integers("webhook_delays_ms", \.webhookDelaysMs, time, count: 1...20),
      .flag("cancel_leaves_created", \.cancelLeavesCreated),
      .text("read_amount", \.readAmount) { !$0.isEmpty && $0.count <= SandboxLimits.textMax },
      .text("read_currency", \.readCurrency) { !$0.isEmpty && $0.count <= SandboxLimits.textMax },
      .flag("disputed", \.isDisputed),
      .answers(\.answers),
    ]
  }
}

/// Whether `text` is an amount in at least one of the provider's currencies.
private func isDecimal(_ text: String) -> Bool {
  Currency(code: "KWD", exponent: 3).map { (try? Money(decimal: text, currency: $0)) != nil }
    ?? false
}
