import HTTPExchange
import PaymentModels
import StrictJSON

/// `/sandbox/…` of the fake Raïs: clock, settings, faults, and what really happened.
extension RaisLedger {
  func control(_ request: HTTPRequest, _ segments: [String]) -> HTTPResponse {
    do throws(ControlError) {
      switch (request.method, segments.count, segments.count > 1 ? segments[1] : "") {
      case ("GET", 2, "clock"): return .json(clockJSON)
      case ("POST", 2, "clock"): return .json(try moveClock(try request.controlBody()))
      case ("GET", 2, "settings"): return .json(settingsJSON)
      case ("POST", 2, "settings"):
        try SettingField.patch(
          &settings, with: try request.controlBody(), RaisSandboxSettings.fields)
        return .json(settingsJSON)
      case ("GET", 2, "ledger"): return .json(ledgerJSON)
      case (_, 3..., "payments"): return try paymentControl(request, segments)
      default: return RaisError.notFound.response
      }
    } catch {
      return .json(.object(["error": .string(error.text)]), status: 400)
    }
  }

  private func paymentControl(
    _ request: HTTPRequest, _ segments: [String]
  ) throws(ControlError) -> HTTPResponse {
    guard let index = position(segments[2]) else { return RaisError.notFound.response }
    switch (request.method, segments.count, segments.last) {
    case ("GET", 3, _): break
    case ("POST", 4, "faults"):
      var faults = faults(of: index)
      try SettingField.patch(&faults, with: try request.controlBody(), RaisFaults.fields)
      payments[index].faults = faults
    case ("POST", 4, "status"):
      guard
        let status = try request.controlBody()["status"]?.text.flatMap(RaisStatus.init(rawValue:))
      else { throw ControlError("bad value for status") }
      setStatus(index, status, at: now)
    default: return RaisError.notFound.response
    }
    settle()
    return .json(entryJSON(payments[index]))
  }

  private func moveClock(_ body: JSONValue) throws(ControlError) -> JSONValue {
    let furthest = SandboxLimits.millisecondsMax
    guard body.members?.count == 1, let advance = body["advance_ms"]?.int64,
      (0...furthest).contains(advance), offset.wholeMilliseconds <= 100 * furthest
    else { throw ControlError("advance_ms is a whole number from 0 to \(furthest)") }
    offset += .milliseconds(advance)
    settle()
    return clockJSON
  }

  private var clockJSON: JSONValue {
    .object([
      "now": .string(now.description), "now_ms": .integer(now.milliseconds),
      "offset_ms": .integer(offset.wholeMilliseconds),
    ])
  }

  private var settingsJSON: JSONValue {
    SettingField.show(settings, RaisSandboxSettings.fields)
  }

  // MARK: Ledger

  private var ledgerJSON: JSONValue {
    .object([
      "now": .string(now.description),
      "calls": .object(["create": .integer(createCalls), "read": .integer(readCalls)]),
      "webhooks_waiting": .integer(queue.deliveries.count),
      "payments": .array(payments.map(entryJSON)),
    ])
  }

  /// One payment with everything that a judge needs, sums included.
  private func entryJSON(_ payment: RaisPayment) -> JSONValue {
    let waiting = queue.deliveries.filter { $0.paymentID == payment.id }
    return .object([
      "id": .string(payment.id),
      "provider": "rais",
      "reference_id": .string(payment.terms.reference),
      "order_number": .string(payment.orderNumber),
      "status": .string(payment.status.rawValue),
      "amount": .string(decimal(payment.terms.amount)),
      "currency": .string(settings.currency),
      "captured": .string(decimal(payment.status == .paid ? payment.terms.amount : 0)),
      "refunded": .string(decimal(0)),
      "created_at": .string(payment.createdAt.description),
      "expires_at": .string(payment.expiresAt.description),
      "events": .array(
        payment.events.map {
          .object(["at": .string($0.at.description), "event": .string($0.event)])
        }),
      "page": .object([
        "waits_for_code": .bool(payment.challenge != nil),
        "last_card_declined": .bool(payment.lastCardDeclined),
      ]),
      "calls": .object([
        "create": .integer(payment.createCalls), "read": .integer(payment.readCalls),
      ]),
      "web_url": .string(pageURL(payment)),
      "faults": payment.faults.map { SettingField.show($0, RaisFaults.fields) } ?? .null,
      "webhooks": .array((payment.deliveryLog + waiting).map(\.json)),
    ])
  }

  /// The integer as decimal text, by the exponent of the settings.
  private func decimal(_ amount: Int64) -> String {
    Currency(code: settings.currency, exponent: Int(settings.exponent))
      .map { Money(minorUnits: amount, currency: $0).decimal } ?? "\(amount)"
  }
}

extension RaisSandboxSettings {
  static var fields: [SettingField<Self>] {
    let isText = { (text: String) in
      !text.isEmpty && text.count <= SandboxLimits.textMax
        && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
    let time = SandboxLimits.millisecondsMax
    return [
      .integer("exponent", \.exponent, 0...4),
      .integer("life_ms", \.lifeMs, 1...time),
      .text("expired_word", \.expiredWord, isText),
      .text("cancelled_word", \.cancelledWord, isText),
      .text("failed_word", \.failedWord, isText),
      .flag("cancel_ends", \.cancelEnds),
      .flag("show_currency", \.showsCurrency),
      .flag("all_on_cancel", \.addsAllToCancel),
      .integer("conflict_status", \.conflictStatus, 400...499),
      .text("webhook_url", \.webhookURL, isText),
      .secret("webhook_secret", \.webhookSecret, isText),
      .text("webhook_header", \.webhookHeader, isText),
      .choice("webhook_scheme", \.webhookScheme),
      .integers("webhook_retry_ms", \.webhookRetryMs, 0...time, count: 0...10),
      SettingField(
        name: "faults", read: { SettingField.show($0.faults, RaisFaults.fields) },
        write: { (settings: inout Self, value: JSONValue) throws(ControlError) in
          try SettingField.patch(&settings.faults, with: value, RaisFaults.fields)
          return true
        }),
    ]
  }
}

extension RaisFaults {
  static var fields: [SettingField<Self>] {
    [
      .integer("paid_delay_ms", \.paidDelayMs, 0...SandboxLimits.millisecondsMax),
      .integer("webhook_copies", \.webhookCopies, 1...SandboxLimits.webhookCopiesMax),
      .integer("webhook_delay_ms", \.webhookDelayMs, 0...SandboxLimits.millisecondsMax),
      .flag("drop_webhooks", \.dropsWebhooks),
      .text("read_amount", \.readAmount) { Int64($0) != nil },
      .answers(\.answers),
    ]
  }
}
