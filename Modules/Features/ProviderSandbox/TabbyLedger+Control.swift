import HTTPExchange
import PaymentModels
import StrictJSON

/// `/sandbox/…`: clock, settings, faults, and what really happened.
extension TabbyLedger {
  func control(_ request: HTTPRequest, _ segments: [String]) -> HTTPResponse {
    do throws(ControlError) {
      switch (request.method, segments.count, segments.count > 1 ? segments[1] : "") {
      case ("GET", 2, "clock"): return .json(clockJSON)
      case ("POST", 2, "clock"): return .json(try moveClock(try request.controlBody()))
      case ("GET", 2, "settings"): return .json(settingsJSON)
      case ("POST", 2, "settings"):
        try SettingField.patch(
          &settings, with: try request.controlBody(), TabbySandboxSettings.fields)
        reviseAgenda()
        settle()
        return .json(settingsJSON)
      case ("GET", 2, "ledger"): return .json(ledgerJSON)
      case (_, 3..., "payments"): return try paymentControl(request, segments)
      default: return Self.missing
      }
    } catch {
      return .json(.object(["error": .string(error.text)]), status: 400)
    }
  }

  private static let missing = HTTPResponse.json(
    .object(["error": .string("not found")]), status: 404)

  private func paymentControl(
    _ request: HTTPRequest, _ segments: [String]
  ) throws(ControlError) -> HTTPResponse {
    guard let index = position(segments[2]), payments[index].id == segments[2] else {
      return Self.missing
    }
    switch (request.method, segments.count, segments.last) {
    case ("GET", 3, _): break
    case ("POST", 4, "faults"):
      var faults = faults(of: index)
      try SettingField.patch(&faults, with: try request.controlBody(), TabbyFaults.fields)
      payments[index].faults = faults
    case ("POST", 4, "status"):
      guard
        let status = try request.controlBody()["status"]?.text.flatMap(TabbyStatus.init(rawValue:))
      else { throw ControlError("bad value for status") }
      setStatus(index, status, at: now)
      settle()
    default: return Self.missing
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
    SettingField.show(settings, TabbySandboxSettings.fields)
  }

  // MARK: Ledger

  private var ledgerJSON: JSONValue {
    .object([
      "now": .string(now.description),
      "calls": totals.json(TabbyCall.allCases),
      "webhooks_waiting": .integer(queue.deliveries.count),
      "payments": .array(payments.map(entryJSON)),
    ])
  }

  /// One payment with everything that a judge needs, sums included.
  private func entryJSON(_ payment: SandboxPayment) -> JSONValue {
    func money(_ minorUnits: Int64) -> JSONValue {
      .string(Money(minorUnits: minorUnits, currency: payment.amount.currency).decimal)
    }
    func items(_ items: [SandboxPayment.Item]) -> JSONValue {
      .array(
        items.map {
          .object([
            "id": .string($0.id), "reference_id": .string($0.reference),
            "amount": .string($0.amount.decimal), "created_at": .string($0.createdAt.description),
          ])
        })
    }
    let waiting = queue.deliveries.filter { $0.paymentID == payment.id }
    return .object([
      "id": .string(payment.id),
      "provider": "tabby",
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
      "events": .array(
        payment.events.map {
          .object(["at": .string($0.at.description), "event": .string($0.event.name)])
        }),
      "page": .object([
        "phone": .bool(payment.page.phone != nil), "code": .bool(payment.page.hasCode),
        "waits_for_bank": .bool(payment.page.waitsForBank),
        "confirmed": .bool(payment.page.isConfirmed),
        "bank_declines": .integer(payment.page.bankDeclines),
      ]),
      "calls": payment.calls.json(TabbyCall.aboutOnePayment),
      "web_url": .string(webURL(payment)),
      "faults": payment.faults.map { SettingField.show($0, TabbyFaults.fields) } ?? .null,
      "webhooks": .array((payment.deliveryLog + waiting).map(\.json)),
    ])
  }
}
