import HTTPExchange
import PaymentModels
import StrictJSON

/// `/sandbox/…`: clock, settings, faults, and what really happened.
extension SandboxLedger {
  static var missing: HTTPResponse {
    .json(.object(["error": .string("not found")]), status: 404)
  }

  func control(_ request: HTTPRequest, _ segments: [String]) -> HTTPResponse {
    do throws(ControlError) {
      switch (request.method, segments.count, segments.count > 1 ? segments[1] : "") {
      case ("GET", 2, "clock"): return .json(time.json)
      case ("POST", 2, "clock"):
        try time.advance(try request.controlBody())
        settle()
        return .json(time.json)
      case ("GET", 2, "settings"): return .json(settingsJSON)
      case ("POST", 2, "settings"):
        try SettingField.patch(&settings, with: try request.controlBody(), Settings.fields)
        reviseAgenda()
        settle()
        return .json(settingsJSON)
      case ("GET", 2, "ledger"): return .json(ledgerJSON)
      case (_, 3..., "payments"): return try paymentControl(request, segments)
      default: return Self.missing
      }
    } catch {
      return error.response
    }
  }

  private func paymentControl(
    _ request: HTTPRequest, _ segments: [String]
  ) throws(ControlError) -> HTTPResponse {
    guard let index = position(segments[2]), payments[index].id == segments[2] else {
      return Self.missing
    }
    switch (request.method, segments.count, segments.last) {
    case ("GET", 3, _): break
    case ("POST", 4, "pay"), ("POST", 4, "decline"):
      let pays = segments.last == "pay"
      guard isPageOpen(index) else {
        throw ControlError("the page of this payment takes nothing any more")
      }
      finishPage(index, pays: pays)
      note(index, pays ? "paid_by_control" : "declined_by_control")
      settle()
    case ("POST", 6, "resend") where segments[3] == "webhooks":
      try resend(Int(segments[4]), of: index)
    case ("DELETE", 4, "faults"): payments[index].trail.faults = nil
    case ("POST", 4, "faults"):
      var faults = faults(of: index)
      try SettingField.patch(&faults, with: try request.controlBody(), Faults.fields)
      payments[index].trail.faults = faults
    case ("POST", 4, "status"):
      guard let status = try request.controlBody()["status"]?.text.flatMap(Status.init(rawValue:))
      else { throw ControlError("bad value for status") }
      setStatus(index, status, at: now)
      settle()
    default: return Self.missing
    }
    return .json(entryJSON(payments[index]))
  }

  private var settingsJSON: JSONValue { SettingField.show(settings, Settings.fields) }

  // MARK: Ledger

  var ledgerJSON: JSONValue {
    .object([
      "now": .string(now.description),
      "calls": calls.json(Array(Call.allCases)),
      "webhooks_waiting": .integer(queue.deliveries.count),
      "payments": .array(payments.map(entryJSON)),
    ])
  }

  /// One payment with everything that a judge needs, sums included.
  private func entryJSON(_ payment: Payment) -> JSONValue {
    let entry = entry(of: payment)
    let trail = payment.trail
    let waiting = queue.deliveries.filter { $0.paymentID == payment.id }
    let head: [JSONMember] = [
      JSONMember(name: "id", value: .string(payment.id)),
      JSONMember(name: "provider", value: .string(Self.provider)),
    ]
    let tail: KeyValuePairs<String, JSONValue> = [
      "events": .array(
        trail.events.map {
          .object(["at": .string($0.at.description), "event": .string($0.event)])
        }),
      "page": .object(entry.page),
      "calls": trail.calls.json(Self.callsOfOnePayment),
      "web_url": .string(entry.webURL),
      "faults": trail.faults.map { SettingField.show($0, Faults.fields) } ?? .null,
      "webhooks": .array((trail.deliveries + waiting).map(\.json)),
    ]
    return .object(
      head + entry.terms.map { JSONMember(name: $0.key, value: $0.value) }
        + tail.map { JSONMember(name: $0.key, value: $0.value) })
  }
}

/// What a provider alone knows of a payment, for the ledger.
struct LedgerEntry {
  /// What was agreed and what became of it: `reference_id`, `status`, `amount`, `currency`,
  /// `captured`, `refunded` and `created_at` at least, sums as decimals.
  let terms: KeyValuePairs<String, JSONValue>
  /// How far the payer got on the page.
  let page: KeyValuePairs<String, JSONValue>
  /// The address of the page.
  let webURL: String
}

extension HTTPRequest {
  /// The JSON of a control call.
  fileprivate func controlBody() throws(ControlError) -> JSONValue {
    do throws(JSONError) {
      return try JSONValue(parsing: body)
    } catch {
      throw ControlError("bad JSON: \(error)")
    }
  }
}
