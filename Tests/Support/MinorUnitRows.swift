/// FB-10's amounts, with the minor units that they are: what a way through a binary float loses.
public let exactAmountRows: [(decimal: String, minorUnits: String)] = [
  ("19.99", "1999"), ("8.20", "820"), ("4.56", "456"), ("1.15", "115"), ("0.29", "29"),
  ("8.29", "829"), ("999999999999.99", "99999999999999"),
]

/// FB-09's amounts for a provider of integers: what goes on the wire if the account counts its
/// currency with `exponent` digits, by ISO 4217 where that is nil.
public let integerAmountRows: [(decimal: String, code: String, exponent: Int?, wire: String)] = [
  ("500", "JPY", nil, "500"), ("5", "UGX", nil, "5"), ("5", "UGX", 2, "500"),
  ("35.200", "BHD", nil, "35200"), ("18.600", "KWD", nil, "18600"),
  ("1.234", "KWD", nil, "1234"), ("1.230", "KWD", 2, "123"), ("10.00", "AED", nil, "1000"),
  ("25000.00", "CDF", nil, "2500000"), ("25000.00", "CDF", 0, "25000"),
  ("500000", "GNF", nil, "500000"), ("5000", "GNF", 2, "500000"),
]

/// Amounts that no integer with so few digits can say.
public let unsayableAmountRows: [(decimal: String, code: String, exponent: Int)] = [
  ("1.234", "KWD", 2), ("25000.50", "CDF", 0), ("0.01", "CDF", 1), ("19.99", "EUR", 0),
  ("0.01", "EUR", 1),
]
