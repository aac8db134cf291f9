import HTTPExchange
import MerchantAPI
import PaymentModels
import PaymentStore
import StrictJSON

extension MerchantServer {
  /// The money that moved from one moment to another, by account and currency.
  func showMoneyTotals(_ request: HTTPRequest) async throws -> HTTPResponse {
    let (start, end) = (try moment("from", of: request), try moment("to", of: request))
    guard start < end, end.since(start) <= settings.totalsSpanMax else {
      throw Problem(
        .malformedRequest,
        "?from= and ?to= take a span of \(settings.totalsSpanMax.components.seconds) s at the most."
      )
    }
    let totals = try await store.read { try $0.moneyTotals(from: start, to: end) }
    return json(
      .object([
        "from": .string(start.description), "to": .string(end.description),
        "totals": .array(totals.map(\.json)),
      ]))
  }

  private func moment(_ name: String, of request: HTTPRequest) throws(Problem) -> Instant {
    let text = request.query.first { $0.name == name }?.value
    guard let moment = text.flatMap({ Instant(iso8601: $0) }) else {
      throw Problem(.malformedRequest, "?\(name)= takes a time such as 2026-11-30T00:00:00Z.")
    }
    return moment
  }
}

extension MoneyTotal {
  fileprivate var json: JSONValue {
    func decimal(_ minorUnits: Int64) -> JSONValue {
      .string(Money(minorUnits: minorUnits, currency: currency).decimal)
    }
    return .object([
      "provider": .string(provider.rawValue), "account": .string(account.rawValue),
      "currency": .string(currency.code), "exponent": .integer(currency.exponent),
      "captured": decimal(captured), "refunded": decimal(refunded),
      "charged_back": decimal(chargedBack), "in_review": decimal(inReview),
    ])
  }
}
