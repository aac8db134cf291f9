import PaymentModels

/// An amount that the API sends as a plain integer, as decimal text.
func decimalText(_ minorUnits: Int64, _ code: String, exponent: Int64) -> String {
  Currency(code: code, exponent: Int(exponent))
    .map { Money(minorUnits: minorUnits, currency: $0).decimal } ?? "\(minorUnits)"
}

/// `AED 1,234.50` as HTML that keeps its order in a text from right to left.
func amountHTML(_ code: String, _ decimal: String, separator: String = ",") -> String {
  let whole = decimal.prefix { $0 != "." }
  let grouped = whole.reversed().enumerated().map { index, digit in
    index > 0 && index % 3 == 0 ? "\(digit)\(separator)" : "\(digit)"
  }
  let figures = grouped.reversed().joined() + decimal.dropFirst(whole.count)
  return #"<bdi dir="ltr">\#(escaped(code)) \#(figures)</bdi>"#
}
