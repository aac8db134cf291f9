import PaymentModels

/// Which of Tabby's two API hosts an account belongs to.
///
/// Paths and bodies are the same on both; the wrong host answers 403 (Tabby, *API overview*,
/// *Response codes*).
public enum TabbyRegion: String, Hashable, Sendable, CaseIterable {
  /// United Arab Emirates and Kuwait: `api.tabby.ai`, AED and KWD.
  case emiratesAndKuwait = "emirates_and_kuwait"
  /// Saudi Arabia: `api.tabby.sa`, SAR.
  case saudiArabia = "saudi_arabia"

  /// The region in which a currency is paid, or nil if Tabby does not take it.
  ///
  /// Tabby's own plugins choose the host by currency, so a configuration may do the same.
  public init?(currency code: String) {
    guard let region = Self.allCases.first(where: { $0.currencies.contains(code) }) else {
      return nil
    }
    self = region
  }

  /// Scheme and host of the real API, for test and live keys alike.
  public var baseURL: String {
    switch self {
    case .emiratesAndKuwait: "https://api.tabby.ai"
    case .saudiArabia: "https://api.tabby.sa"
    }
  }

  /// Codes of the currencies that are paid there.
  public var currencies: Set<String> {
    switch self {
    case .emiratesAndKuwait: ["AED", "KWD"]
    case .saudiArabia: ["SAR"]
    }
  }
}

/// The currency as Tabby counts it, or nil for a code that neither Tabby nor ISO 4217 knows.
///
/// Tabby's table (*Technical requirements*) stands before the standard's: what Tabby says of its
/// own decimals is what its amounts are read by. Another currency can only come in an answer
/// about a payment that is not ours; it is read by ISO 4217 so that the mismatch can be shown.
func tabbyCurrency(_ code: String) -> Currency? {
  switch code {
  case "AED", "SAR": Currency(code: code, exponent: 2)
  case "KWD": Currency(code: code, exponent: 3)
  default: Currency(iso4217: code)
  }
}
