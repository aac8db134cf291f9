import PaymentModels
import StrictJSON

/// A payment as the provider's ledger has it.
struct LedgerPayment: Sendable {
  let orderID: String
  let status: String
  /// Minor units.
  let captured: Int64
  let capturedAt: Instant?
  /// Whether the payer's money was ever held.
  let heldMoney: Bool

  struct Malformed: Error {}

  static func all(in ledger: JSONValue) throws -> [LedgerPayment] {
    guard let payments = ledger["payments"]?.elements else { throw Malformed() }
    return try payments.map(LedgerPayment.init)
  }

  private init(_ json: JSONValue) throws {
    guard let order = json["reference_id"]?.text, let status = json["status"]?.text,
      let currency = json["currency"]?.text.flatMap(Currency.init(iso4217:)),
      let captured = json["captured"]?.text,
      let captures = json["captures"]?.elements, let events = json["events"]?.elements
    else { throw Malformed() }
    orderID = order
    self.status = status
    self.captured = try Money(decimal: captured, currency: currency).minorUnits
    capturedAt = captures.compactMap {
      $0["created_at"]?.text.flatMap { Instant(iso8601: $0) }
    }.min()
    heldMoney = events.contains { $0["event"]?.text == "AUTHORIZED" }
  }
}
