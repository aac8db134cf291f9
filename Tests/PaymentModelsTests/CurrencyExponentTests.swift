import PaymentModels
import TestSupport
import Testing

@Suite("FB-09 Minor units: JPY x100, UGX /100, KWD /10")
struct CurrencyExponentTests {
  /// A currency with the exponent of ISO 4217, or with the one that a provider uses instead.
  static func currency(_ code: String, providerExponent: Int? = nil) throws -> Currency {
    try #require(
      providerExponent.map { Currency(code: code, exponent: $0) } ?? Currency(iso4217: code))
  }

  @Test(arguments: FieldBugRows.minorUnits)
  func `the exponent belongs to provider and currency`(
    text: String, code: String, exponent: Int?, minorUnits: Int64?
  ) throws {
    let currency = try Self.currency(code, providerExponent: exponent)
    guard let minorUnits else {
      #expect(throws: MoneyError.self) { try Money(decimal: text, currency: currency) }
      return
    }
    let money = try Money(decimal: text, currency: currency)
    #expect(money.minorUnits == minorUnits)
    #expect(try Money(decimal: money.decimal, currency: currency) == money)
  }

  @Test(
    arguments: [
      ("10.5", "JPY", nil, 0), ("1.2345", "KWD", nil, 3), ("1.001", "USD", nil, 2),
      // A provider that wants the last digit of a dinar to be 0 takes two decimals and no more.
      ("1.234", "KWD", 2, 2), ("1.230", "KWD", 2, 2), ("500.0", "JPY", nil, 0),
    ] as [(String, String, Int?, Int)])
  func `more decimals than the currency has are refused, never rounded`(
    text: String, code: String, exponent: Int?, allowed: Int
  ) throws {
    let currency = try Self.currency(code, providerExponent: exponent)
    let error = #expect(throws: MoneyError.self) { try Money(decimal: text, currency: currency) }
    #expect(error?.reason == .tooManyDecimals(allowed: allowed))
    #expect(error?.description == "“\(text)” has more than \(allowed) decimal digits")
  }

  @Test(
    arguments: [
      "XXX", "XTS", "ABC", "aed", "Aed", "AE", "AEDA", "", "   ", " AE", "A D", "AED ", "ÄED", "٣",
      "BGN", "HRK", "USN",
    ])
  func `an unknown currency is refused, two digits are never assumed`(code: String) {
    #expect(Currency(iso4217: code) == nil)
  }

  @Test(
    arguments: [
      (0, ["JPY", "KRW", "VND", "ISK", "CLP", "XAF", "XOF", "XPF", "UGX", "BIF", "PYG", "RWF"]),
      (
        2,
        [
          "AED", "SAR", "EUR", "USD", "GBP", "SEK", "GEL", "HUF", "INR", "AFN", "CDF", "CHF",
          "ZWG", "XCG", "IDR", "TRY",
        ]
      ),
      (3, ["KWD", "BHD", "OMR", "JOD", "TND", "IQD", "LYD"]),
      (4, ["CLF", "UYW"]),
    ])
  func `the digits are those of the standard`(exponent: Int, codes: [String]) {
    for code in codes { #expect(Currency(iso4217: code)?.exponent == exponent, "\(code)") }
  }

  @Test func `the table lists the active codes of the standard and no others`() {
    let letters = (UInt8(ascii: "A")...UInt8(ascii: "Z")).map { String(UnicodeScalar($0)) }
    let known = letters.flatMap { first in
      letters.flatMap { second in
        letters.compactMap { third in Currency(iso4217: first + second + third) }
      }
    }
    let counts = (0...4).map { exponent in known.count { $0.exponent == exponent } }
    #expect(counts == [17, 0, 132, 7, 2])
  }

  @Test(
    arguments: [
      ("AED", 0, true), ("AED", 4, true), ("AED", 5, false), ("AED", -1, false),
      ("aed", 2, false), ("AE", 2, false), ("AEDX", 2, false), ("A1D", 2, false), ("", 2, false),
    ])
  func `an explicit exponent is 0 to 4 and the code three capitals`(
    code: String, exponent: Int, isAccepted: Bool
  ) {
    #expect((Currency(code: code, exponent: exponent) != nil) == isAccepted)
  }

  @Test func `one code with two exponents is two currencies`() throws {
    let standard = try Self.currency("UGX")
    let provider = try Self.currency("UGX", providerExponent: 2)
    #expect(standard != provider)
    #expect(Money.zero(standard).adding(.zero(provider)) == nil)
  }

  @Test(arguments: zip(0...4, [1, 10, 100, 1_000, 10_000] as [Int64]))
  func `minor units a major one`(exponent: Int, units: Int64) {
    #expect(Currency(code: "AAA", exponent: exponent)?.minorUnitsPerMajor == units)
  }
}
