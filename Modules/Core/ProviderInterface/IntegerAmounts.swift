public import PaymentModels

/// Turns the kit's money into a provider's integers and back, without rounding.
///
/// The kit counts a currency by ISO 4217, a provider by an exponent that its document may not
/// name: with 0 for CDF the integer counts whole francs, and 25,000.50 CDF cannot be said.
public struct IntegerAmounts: Hashable, Sendable {
  /// The account's currency, by ISO 4217.
  public let currency: Currency
  /// Decimal digits that the wire counts.
  public let exponent: Int

  /// Counts `currency` with `exponent` digits, 0 to 4, on the wire.
  public init(currency: Currency, exponent: Int) {
    precondition((0...4).contains(exponent), "an exponent is 0 to 4")
    self.currency = currency
    self.exponent = exponent
  }

  /// The integer for an amount; nil if it cannot be said exactly.
  public func wire(_ amount: Money) -> Int64? {
    guard amount.currency == currency, amount.minorUnits.magnitude <= Money.minorUnitsMax else {
      return nil
    }
    // What it would be answered with is read by the same bound.
    guard let wire = Self.scale(amount.minorUnits, by: exponent - currency.exponent),
      wire.magnitude <= Money.minorUnitsMax
    else { return nil }
    return wire
  }

  /// The amount that an integer means; nil if the kit cannot count it exactly.
  ///
  /// An amount of another currency can only come with a payment that is not ours. Its exponent is
  /// nobody's setting, so it is shown as it came, in a currency that never equals the account's.
  public func money(_ wire: Int64, code: String) -> Money? {
    guard (0...Money.minorUnitsMax).contains(wire) else { return nil }
    guard code == currency.code else {
      return Currency(code: code, exponent: exponent).map { Money(minorUnits: wire, currency: $0) }
    }
    guard let minorUnits = Self.scale(wire, by: currency.exponent - exponent),
      minorUnits <= Money.minorUnitsMax
    else { return nil }
    return Money(minorUnits: minorUnits, currency: currency)
  }

  /// Moves the decimal point; nil if digits would be lost or do not fit.
  private static func scale(_ value: Int64, by digits: Int) -> Int64? {
    let factor = (0..<abs(digits)).reduce(Int64(1)) { scale, _ in scale * 10 }
    if digits < 0 { return value % factor == 0 ? value / factor : nil }
    let (product, overflow) = value.multipliedReportingOverflow(by: factor)
    return overflow ? nil : product
  }
}
