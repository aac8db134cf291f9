import PaymentModels
import ProviderInterface
import StrictJSON

/// Packages and how many of each, whatever order and rows they came in.
struct Goods: Hashable {
  /// One package; its id is a number of Tebex', written out.
  struct Line: Hashable {
    let id: String
    let quantity: Int64
  }

  /// Sorted by id, each id once.
  let lines: [Line]

  /// Collects lines; nil if one is no package, or a sum does not fit.
  init?(_ lines: [Line]) {
    var sums: [String: Int64] = [:]
    for line in lines {
      let (sum, overflow) = sums[line.id, default: 0].addingReportingOverflow(line.quantity)
      guard Self.isID(line.id), line.quantity >= 1, !overflow else { return nil }
      sums[line.id] = sum
    }
    self.lines = sums.map { Line(id: $0.key, quantity: $0.value) }.sorted { $0.id < $1.id }
  }

  /// Reads what ``text`` wrote.
  init?(text: String) {
    var lines: [Line] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let halves = part.split(separator: ":", omittingEmptySubsequences: false)
      guard halves.count == 2, let quantity = Int64(halves[1]) else { return nil }
      lines.append(Line(id: String(halves[0]), quantity: quantity))
    }
    self.init(lines)
  }

  /// `6276316:1,6276317:2`: flat, because nothing says that what a basket carries may be nested.
  var text: String { lines.map { "\($0.id):\($0.quantity)" }.joined(separator: ",") }

  /// Whether `text` is a package's id. No zero leads: Tebex would give it back without.
  static func isID(_ text: String) -> Bool {
    (1...18).contains(text.utf8.count) && text.utf8.first != UInt8(ascii: "0")
      && text.utf8.allSatisfy { (48...57).contains($0) }
  }

  /// An id as a number or, as some answers have it, as a text.
  static func id(_ value: JSONValue?) -> String? {
    value?.text ?? value?.int64.map { String($0) }
  }
}

/// A whole number as a number or as a text.
func wholeNumber(_ value: JSONValue?) -> Int64? {
  value?.int64 ?? value?.text.flatMap { Int64($0) }
}

/// What we have a basket carry: Tebex gives it back with the basket, its payment and every
/// webhook.
///
/// A payment names no basket, so this finds our payment; and a basket can be changed by whoever
/// has its ident, so this tells whether what was paid is what was asked for. Whoever has the
/// store's public token can make a basket that carries the same, so it proves nothing by itself:
/// that ours was paid, only a fetch of ours shows.
struct Custom: Hashable {
  let orderID: String
  let paymentID: String
  let goods: Goods
  let price: Money

  init(orderID: String, paymentID: String, goods: Goods, price: Money) {
    self.orderID = orderID
    self.paymentID = paymentID
    self.goods = goods
    self.price = price
  }

  /// Reads it back; nil if it is not one of ours.
  init?(_ json: JSONValue?) {
    guard let orderID = json?["order_id"]?.text, let paymentID = json?["payment_id"]?.text,
      isCanonicalUUID(paymentID), let goods = json?["packages"]?.text.flatMap(Goods.init(text:)),
      let currency = json?["currency"]?.text.flatMap({ Currency(iso4217: $0) }),
      let price = json?["base_price"]?.text.flatMap({ try? Money(decimal: $0, currency: currency) })
    else { return nil }
    self.init(orderID: orderID, paymentID: paymentID, goods: goods, price: price)
  }

  var json: JSONValue {
    .object([
      "order_id": .string(orderID), "payment_id": .string(paymentID),
      "packages": .string(goods.text), "base_price": .string(price.decimal),
      "currency": .string(price.currency.code),
    ])
  }
}

/// An amount in major units, from the text of a JSON number or string, without a detour over a
/// binary fraction.
func money(
  _ value: JSONValue, _ currency: Currency, path: String
) throws(JSONPathError) -> Money {
  guard let text = value.numberText ?? value.text else {
    throw JSONPathError(path: path, "is no number")
  }
  do {
    return try Money(paddedDecimal: text, currency: currency)
  } catch {
    throw JSONPathError(path: path, "is not an amount of \(currency.code)")
  }
}
