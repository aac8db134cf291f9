/// A currency together with the number of decimal digits that its minor unit has *here*.
///
/// The exponent is part of the value because it depends on the provider too: ISO 4217 gives UGX
/// none, one provider wants two. Two currencies of the same code and different exponents are
/// therefore different, and sums of theirs are never mixed by accident.
public struct Currency: Hashable, Sendable {
  /// ISO 4217 alphabetic code, three upper-case letters: `AED`.
  public let code: String
  /// Decimal digits of the minor unit, 0 to 4.
  public let exponent: Int

  /// A currency with an explicit exponent, for stored rows and for a provider's own table.
  ///
  /// Returns nil unless `code` is three upper-case ASCII letters and the exponent is 0 to 4. For
  /// the exponent of the standard, use ``init(iso4217:)``.
  public init?(code: String, exponent: Int) {
    guard code.utf8.count == 3, code.utf8.allSatisfy({ (65...90).contains($0) }),
      (0...4).contains(exponent)
    else { return nil }
    self.code = code
    self.exponent = exponent
  }

  /// The currency with the exponent of ISO 4217, or nil for a code that the standard does not
  /// list. An unknown currency is refused; two digits are never assumed.
  public init?(iso4217 code: String) {
    guard let exponent = Self.exponent(iso4217: code) else { return nil }
    self.init(code: code, exponent: exponent)
  }

  /// Minor units in one major unit: 1, 10, 100, 1000 or 10000.
  public var minorUnitsPerMajor: Int64 {
    (0..<exponent).reduce(1) { scale, _ in scale * 10 }
  }

  private static func exponent(iso4217 code: String) -> Int? { exponents[code] }

  // ISO 4217:2015 list one (active codes), fund and metal codes left out.
  private static let noDecimals =
    "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"
  private static let threeDecimals = "BHD IQD JOD KWD LYD OMR TND"
  private static let fourDecimals = "CLF UYW"
  private static let twoDecimals = """
     AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF \
    CHF CNY COP CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD \
    HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA \
    MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN \
    QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP \
    TRY TTD TWD TZS UAH USD UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG
    """

  // Looked up with every amount that is parsed.
  private static let exponents: [String: Int] = {
    let rows = [(0, noDecimals), (2, twoDecimals), (3, threeDecimals), (4, fourDecimals)]
    return Dictionary(
      uniqueKeysWithValues: rows.flatMap { exponent, codes in
        codes.split(separator: " ").map { (String($0), exponent) }
      })
  }()
}

extension Currency: CustomStringConvertible {
  /// The code alone.
  public var description: String { code }
}
