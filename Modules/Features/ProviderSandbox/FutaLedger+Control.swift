import HTTPExchange
import PaymentModels
import StrictJSON

/// `/sandbox/…` of the fake Futa: clock, settings, faults, and what really happened.
extension FutaLedger {
  func control(_ request: HTTPRequest, _ segments: [String]) -> HTTPResponse {
    do throws(ControlError) {
      switch (request.method, segments.count, segments.count > 1 ? segments[1] : "") {
      case ("GET", 2, "clock"): return .json(clockJSON)
      case ("POST", 2, "clock"): return .json(try moveClock(try request.controlBody()))
      case ("GET", 2, "settings"): return .json(settingsJSON)
      case ("POST", 2, "settings"):
        try SettingField.patch(
          &settings, with: try request.controlBody(), FutaSandboxSettings.fields)
        settle()
        return .json(settingsJSON)
      case ("GET", 2, "ledger"): return .json(ledgerJSON)
      case (_, 3..., "payments"): return try paymentControl(request, segments)
      default: return FutaError.notFound.response
      }
    } catch {
      return .json(.object(["error": .string(error.text)]), status: 400)
    }
  }

  private func paymentControl(
    _ request: HTTPRequest, _ segments: [String]
  ) throws(ControlError) -> HTTPResponse {
    guard let index = position(segments[2]) else { return FutaError.notFound.response }
    switch (request.method, segments.count, segments.last) {
    case ("GET", 3, _): break
    case ("POST", 4, "faults"):
      var faults = faults(of: index)
      try SettingField.patch(&faults, with: try request.controlBody(), FutaFaults.fields)
      payments[index].faults = faults
    case ("POST", 4, "status"):
      guard
        let state = try request.controlBody()["status"]?.text.flatMap(FutaState.init(rawValue:))
      else { throw ControlError("bad value for status") }
      setState(index, state, at: now)
      settle()
    default: return FutaError.notFound.response
    }
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
    SettingField.show(settings, FutaSandboxSettings.fields)
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
  private func entryJSON(_ payment: FutaPayment) -> JSONValue {
    let hasMoney = payment.state == .paid || payment.state == .refunded
    let waiting = queue.deliveries.filter { $0.paymentID == payment.id }
    return .object([
      "id": .string(payment.id),
      "provider": "futa",
      "reference_id": .string(payment.terms.reference),
      "status": .string(payment.state.rawValue),
      "final": .bool(payment.state.isFinal),
      "amount": .string(decimal(payment.terms.amount, payment)),
      "currency": .string(payment.terms.currency),
      "captured": .string(decimal(hasMoney ? payment.terms.amount : 0, payment)),
      "refunded": .string(
        decimal(payment.state == .refunded ? payment.terms.amount : 0, payment)),
      "created_at": .string(payment.createdAt.description),
      "expires_at": .string(payment.terms.expiresAt.description),
      "events": .array(
        payment.events.map {
          .object(["at": .string($0.at.description), "event": .string($0.event)])
        }),
      "page": .object([
        "waits_for_bank": .bool(payment.waitsForBank),
        "last_try_failed": .bool(payment.lastTryFailed),
      ]),
      "calls": .object([
        "create": .integer(payment.createCalls), "read": .integer(payment.readCalls),
      ]),
      "web_url": .string(pageURL(payment)),
      "faults": payment.faults.map { SettingField.show($0, FutaFaults.fields) } ?? .null,
      "webhooks": .array((payment.deliveryLog + waiting).map(\.json)),
    ])
  }

  /// The integer as decimal text, by the exponent of the settings.
  private func decimal(_ amount: Int64, _ payment: FutaPayment) -> String {
    Currency(code: payment.terms.currency, exponent: Int(settings.exponent))
      .map { Money(minorUnits: amount, currency: $0).decimal } ?? "\(amount)"
  }
}

extension HTTPRequest {
  /// The JSON of a control call.
  func controlBody() throws(ControlError) -> JSONValue {
    do throws(JSONError) {
      return try JSONValue(parsing: body)
    } catch {
      throw ControlError("bad JSON: \(error)")
    }
  }
}

extension FutaSandboxSettings {
  static var fields: [SettingField<Self>] {
    let isText = { (text: String) in
      !text.isEmpty && text.count <= SandboxLimits.textMax
        && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
    return [
      .integer("exponent", \.exponent, 0...4),
      .flag("requires_key", \.requiresKey),
      .integer("conflict_status", \.conflictStatus, 400...499),
      .flag("app_return_urls", \.allowsAppReturnURL),
      .flag("return_parameters", \.addsReturnParameters),
      .text("paid_word", \.paidWord, isText),
      .text("failed_word", \.failedWord, isText),
      .flag("cancel_ends", \.cancelEnds),
      .flag("late_payment", \.allowsLatePayment),
      .text("bank_origin", \.bankOrigin, isText),
      .text("webhook_url", \.webhookURL, isText),
      .secret("webhook_secret", \.webhookSecret, isText),
      .text("webhook_header", \.webhookHeader, isText),
      .choice("webhook_scheme", \.webhookScheme),
      .integers(
        "webhook_retry_ms", \.webhookRetryMs, 0...SandboxLimits.millisecondsMax, count: 0...10),
      SettingField(
        name: "faults", read: { SettingField.show($0.faults, FutaFaults.fields) },
        write: { (settings: inout Self, value: JSONValue) throws(ControlError) in
          try SettingField.patch(&settings.faults, with: value, FutaFaults.fields)
          return true
        }),
    ]
  }
}

extension FutaFaults {
  static var fields: [SettingField<Self>] {
    [
      .integer("outcome_delay_ms", \.outcomeDelayMs, 0...SandboxLimits.millisecondsMax),
      .integer("webhook_copies", \.webhookCopies, 1...SandboxLimits.webhookCopiesMax),
      .flag("drop_webhooks", \.dropsWebhooks),
      .text("read_amount", \.readAmount) { Int64($0) != nil },
      .text("read_currency", \.readCurrency) { !$0.isEmpty && $0.count <= SandboxLimits.textMax },
      .answers(\.answers),
    ]
  }
}
