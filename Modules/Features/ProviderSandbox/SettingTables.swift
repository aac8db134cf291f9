import PaymentModels
import StrictJSON

extension TabbySandboxSettings {
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
      .integers("webhook_retry_ms", \.webhookRetryMs, time, count: 0...10),
      .flag("late_authorization", \.allowsLateAuthorization),
      .choice("webhook_list", \.webhookListShape),
      .integer("refund_window_days", \.refundWindowDays, 0...366),
      .text("amount_min", \.amountMin, isDecimal),
      .text("amount_max", \.amountMax, isDecimal),
      .flag("rate_limits", \.limitsRate),
      SettingField(
        name: "faults", read: { SettingField.show($0.faults, TabbyFaults.fields) },
        write: { (settings: inout Self, value: JSONValue) throws(ControlError) in
          try SettingField.patch(&settings.faults, with: value, TabbyFaults.fields)
          return true
        }),
    ]
  }
}

extension TabbyFaults {
  static var fields: [SettingField<Self>] {
    let time = 0...SandboxLimits.millisecondsMax
    return [
      .integer("authorize_delay_ms", \.authorizeDelayMs, time),
      .integer("webhook_copies", \.webhookCopies, 1...SandboxLimits.webhookCopiesMax),
      .flag("drop_webhooks", \.dropsWebhooks),
      .integers("webhook_delays_ms", \.webhookDelaysMs, time, count: 1...20),
      .flag("cancel_leaves_created", \.cancelLeavesCreated),
      .text("read_amount", \.readAmount) { !$0.isEmpty && $0.count <= SandboxLimits.textMax },
      .text("read_currency", \.readCurrency) { !$0.isEmpty && $0.count <= SandboxLimits.textMax },
      .flag("disputed", \.isDisputed),
      SettingField(
        name: "answers", read: { .array($0.answers.map(\.json)) },
        write: { faults, value in
          guard let elements = value.elements, elements.count <= SandboxLimits.answerFaultsMax
          else { return false }
          let answers = elements.compactMap(TabbyAnswerFault.init(json:))
          faults.answers = answers
          return answers.count == elements.count
        }),
    ]
  }
}

extension TabbyAnswerFault {
  fileprivate init?(json: JSONValue) {
    guard let members = json.members,
      members.allSatisfy({ ["call", "kind", "times", "delay_ms"].contains($0.name) }),
      let kind = json["kind"]?.text.flatMap(Kind.init(rawValue:)),
      let times = json["times"].map(\.int64) ?? 1, times >= 0,
      let delay = json["delay_ms"].map(\.int64) ?? 0,
      (0...SandboxLimits.answerDelayMsMax).contains(delay)
    else { return nil }
    self.init(kind: kind, times: times, delayMs: delay)
    guard let call = json["call"], !call.isNull else { return }
    guard let call = call.text.flatMap(TabbyCall.init(rawValue:)) else { return nil }
    self.call = call
  }

  fileprivate var json: JSONValue {
    .object([
      "call": .optional(call?.rawValue), "kind": .string(kind.rawValue),
      "times": .integer(times), "delay_ms": .integer(delayMs),
    ])
  }
}

/// Whether `text` is an amount in at least one of the provider's currencies.
private func isDecimal(_ text: String) -> Bool {
  Currency(code: "KWD", exponent: 3).map { (try? Money(decimal: text, currency: $0)) != nil }
    ?? false
}
