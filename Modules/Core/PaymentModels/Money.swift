/// An amount of money: a whole number of minor units of a currency.
///
/// There is no floating point anywhere: decimal text goes straight to minor units and back.
public struct Money: Hashable, Sendable {
  /// The amount in the smallest unit of ``currency``: 1999 for 19.99 AED, 1234 for 1.234 KWD.
  public let minorUnits: Int64
  /// The currency, with the exponent that gives ``minorUnits`` its meaning.
  public let currency: Currency

  /// Most minor units that ``init(decimal:currency:)`` reads, 10¹⁵: more than any order, and so
  /// far from the end of Int64 that the sum of thousands of amounts still fits.
  public static let minorUnitsMax: Int64 = 1_000_000_000_000_000

  /// An amount that is already counted in minor units.
  public init(minorUnits: Int64, currency: Currency) {
    self.minorUnits = minorUnits
    self.currency = currency
  }

  /// Reads an amount from the decimal text of its major units: `19.99`, `140`, `140.0`.
  ///
  /// Fewer decimal digits than the currency has are filled with zeros; more are refused, never
  /// rounded. Also refused: signs, spaces, commas, exponents, leading zeros, digits that are not
  /// ASCII. The text of a JSON number may be passed as it stands.
  ///
  /// - Throws: ``MoneyError``, which says what was wrong and holds the text.
  public init(decimal text: String, currency: Currency) throws(MoneyError) {
    let halves = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard halves.count <= 2, let whole = halves.first else {
      throw MoneyError(.notADecimal, text: text)
    }
    let fraction = halves.count == 2 ? halves[1] : "".utf8[...]
    let digits = Array(whole) + Array(fraction)
    let isPlain = digits.allSatisfy { (48...57).contains($0) } && !whole.isEmpty
    let hasLeadingZero = whole.count > 1 && whole.first == UInt8(ascii: "0")
    guard isPlain, !hasLeadingZero, halves.count == 1 || !fraction.isEmpty else {
      throw MoneyError(.notADecimal, text: text)
    }
    guard fraction.count <= currency.exponent else {
      throw MoneyError(.tooManyDecimals(allowed: currency.exponent), text: text)
    }
    var value: Int64 = 0
    let padding = Array(repeating: UInt8(ascii: "0"), count: currency.exponent - fraction.count)
    for digit in digits + padding {
      // Cannot overflow: the limit of the step before leaves room for one more digit.
      value = value * 10 + Int64(digit - 48)
      guard value <= Self.minorUnitsMax else { throw MoneyError(.tooLarge, text: text) }
    }
    self.init(minorUnits: value, currency: currency)
  }

  /// The amount as decimal text with exactly the currency's digits: `19.90`, `500`, `1.234`.
  ///
  /// `Money(decimal: money.decimal, currency: money.currency)` gives the same amount back for
  /// every amount from 0 to ``minorUnitsMax``.
  public var decimal: String {
    var text = Array(String(minorUnits.magnitude).utf8)
    if currency.exponent > 0 {
      let missing = max(0, currency.exponent + 1 - text.count)
      text.insert(contentsOf: repeatElement(UInt8(ascii: "0"), count: missing), at: 0)
      text.insert(UInt8(ascii: "."), at: text.count - currency.exponent)
    }
    if minorUnits < 0 { text.insert(UInt8(ascii: "-"), at: 0) }
    return String(decoding: text, as: UTF8.self)
  }

  /// The sum, or nil if the currencies differ or the sum does not fit.
  public func adding(_ other: Money) -> Money? {
    let (sum, overflow) = minorUnits.addingReportingOverflow(other.minorUnits)
    guard currency == other.currency, !overflow else { return nil }
    return Money(minorUnits: sum, currency: currency)
  }

  /// The price of `quantity` pieces, or nil if it does not fit.
  public func multiplied(by quantity: Int64) -> Money? {
    let (product, overflow) = minorUnits.multipliedReportingOverflow(by: quantity)
    return overflow ? nil : Money(minorUnits: product, currency: currency)
  }

  /// Nothing, in `currency`.
  public static func zero(_ currency: Currency) -> Money {
    Money(minorUnits: 0, currency: currency)
  }
}

extension Money: CustomStringConvertible {
  /// Decimal amount and code: `19.99 AED`.
  public var description: String { "\(decimal) \(currency.code)" }
}

/// Why a text is not an amount of money.
public struct MoneyError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was wrong.
  public enum Reason: Hashable, Sendable {
    /// The text is not a plain decimal such as `19.99`.
    case notADecimal
    /// More decimal digits than the currency has; nothing is rounded.
    case tooManyDecimals(allowed: Int)
    /// More than ``Money/minorUnitsMax``.
    case tooLarge
  }

  /// What was wrong.
  public let reason: Reason
  /// The refused text, at most 40 characters of it.
  public let text: String

  init(_ reason: Reason, text: String) {
    self.reason = reason
    self.text = String(text.prefix(40))
  }

  /// One sentence for a person.
  public var description: String {
    switch reason {
    case .notADecimal: "“\(text)” is not a plain decimal amount such as 19.99"
    case .tooManyDecimals(let allowed): "“\(text)” has more than \(allowed) decimal digits"
    case .tooLarge: "“\(text)” is too large an amount"
    }
  }
}
