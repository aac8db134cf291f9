public import PaymentModels

extension Money {
  /// Reads an amount of major units as a provider writes it. Zeros behind the currency's last digit
  /// say nothing and are cut: `10.0` of a currency without decimals is the 10 that a writer of
  /// binary numbers meant. All else is as with ``PaymentModels/Money/init(decimal:currency:)``.
  ///
  /// - Throws: ``PaymentModels/MoneyError``.
  public init(paddedDecimal text: String, currency: Currency) throws(MoneyError) {
    var text = text
    if let point = text.utf8.firstIndex(of: UInt8(ascii: ".")) {
      let digits = text.utf8.distance(from: point, to: text.utf8.endIndex) - 1
      let tail = text.utf8.suffix(max(0, digits - currency.exponent))
      if !tail.isEmpty, tail.allSatisfy({ $0 == UInt8(ascii: "0") }) {
        text.removeLast(tail.count + (currency.exponent == 0 ? 1 : 0))
      }
    }
    try self.init(decimal: text, currency: currency)
  }
}
