public import PaymentModels
public import ProviderInterface

/// One account at Raïs, checked: it can only be built valid, so whatever holds one never asks
/// again.
public struct RaisConfiguration: Hashable, Sendable {
  /// Where Raïs' page says that the API is, for test and live keys alike.
  public static let documentedBaseURL = "https://api.rais.app/v1"

  /// The account's name, which is stored with each payment made through it.
  public let account: ProviderAccount
  /// The secret key that authorizes every call. The app never holds it.
  public let secretKey: Secret
  /// The choices that were made.
  public let settings: RaisSettings
  /// Whether the key moves real money: decided by how it begins, as Raïs does.
  public let mode: PaymentMode
  /// The account's currency, as the kit counts it, and how the wire counts it.
  let amounts: IntegerAmounts
  /// Words that end a payment unpaid.
  let states: RaisStates

  /// Code of the account's currency.
  public var currencyCode: String { amounts.currency.code }
  /// Decimal digits that an amount on the wire counts.
  public var wireExponent: Int { amounts.exponent }

  /// Every address that its calls go to.
  public var callURLs: [String] { [settings.baseURL] }

  /// Checks and collects the settings of an account.
  ///
  /// With a live key nothing about money has a default: currency and exponent must be set, and no
  /// word ends a payment unpaid unless it is named.
  ///
  /// - Throws: ``RaisConfigurationError``, which names the setting and never holds its value.
  public init(
    account: ProviderAccount, secretKey: Secret, settings: RaisSettings
  ) throws(RaisConfigurationError) {
    guard !account.rawValue.isEmpty else {
      throw RaisConfigurationError(.account, "is missing")
    }
    mode = try Self.mode(of: secretKey, settings)
    try Self.checkBaseURL(settings.baseURL, mode)
    if let language = settings.language, !isToken(language) {
      throw RaisConfigurationError(.language, "must be a word such as fr")
    }
    amounts = try Self.amounts(settings, mode)
    states = try Self.states(settings, mode)
    if let fault = settings.webhook?.headerFault {
      throw RaisConfigurationError(.webhookHeader, fault)
    }
    if let fault = settings.webhook?.secretsFault(mode) {
      throw RaisConfigurationError(.webhookSecrets, fault)
    }
    if settings.webhook == nil, mode == .live {
      throw RaisConfigurationError(.webhookSecrets, "are required with a live key")
    }
    self.account = account
    self.secretKey = secretKey
    self.settings = settings
  }

  private static let testPrefix = "rais_sk_test_"

  private static func mode(
    of key: Secret, _ settings: RaisSettings
  ) throws(RaisConfigurationError) -> PaymentMode {
    let livePrefix = settings.liveKeyPrefix
    guard isToken(livePrefix), !livePrefix.hasPrefix(testPrefix), !testPrefix.hasPrefix(livePrefix)
    else {
      throw RaisConfigurationError(
        .liveKeyPrefix, "must be a word that tells a live key from \(testPrefix)…")
    }
    let text = key.reveal()
    for (prefix, mode) in [(testPrefix, PaymentMode.test), (livePrefix, .live)] {
      if text.hasPrefix(prefix), isToken(text.dropFirst(prefix.count)) { return mode }
    }
    throw RaisConfigurationError(
      .secretKey, "must begin with \(testPrefix) (test) or \(livePrefix) (live)")
  }

  private static func checkBaseURL(
    _ text: String, _ mode: PaymentMode
  ) throws(RaisConfigurationError) {
    guard mode == .test || text == documentedBaseURL else {
      throw RaisConfigurationError(
        .baseURL, "must be \(documentedBaseURL) with a live key: it never goes anywhere else")
    }
    guard let origin = webOrigin(of: text), let host = BaseURL(origin), text.hasPrefix(origin),
      isPath(text.dropFirst(origin.utf8.count))
    else {
      throw RaisConfigurationError(
        .baseURL, "must be http:// or https:// with a host, without query, user or slash at the end"
      )
    }
    guard host.isSecure || host.isLoopback else {
      throw RaisConfigurationError(.baseURL, "must be https, unless the host is this machine")
    }
  }

  private static func amounts(
    _ settings: RaisSettings, _ mode: PaymentMode
  ) throws(RaisConfigurationError) -> IntegerAmounts {
    guard let code = settings.currency ?? (mode == .test ? "GNF" : nil) else {
      throw RaisConfigurationError(.currency, "is required with a live key")
    }
    guard let currency = Currency(iso4217: code) else {
      throw RaisConfigurationError(.currency, "must be a code of ISO 4217, such as GNF")
    }
    guard let exponent = settings.exponent ?? (mode == .test ? currency.exponent : nil) else {
      throw RaisConfigurationError(.exponent, "is required with a live key")
    }
    guard (0...4).contains(exponent) else {
      throw RaisConfigurationError(.exponent, "must be a whole number from 0 to 4")
    }
    #if FaultInjection
      if SeededFault.active == .countsHundredths {
        return IntegerAmounts(currency: currency, exponent: 2)
      }
    #endif
    return IntegerAmounts(currency: currency, exponent: exponent)
  }

  private static func states(
    _ settings: RaisSettings, _ mode: PaymentMode
  ) throws(RaisConfigurationError) -> RaisStates {
    let states = settings.states ?? (mode == .test ? .assumed : .none)
    let words = states.all.map(asciiLowercased)
    guard words.allSatisfy({ (1...64).contains($0.utf8.count) }), words.count <= 100 else {
      throw RaisConfigurationError(.states, "must be at most 100 words of 1 to 64 bytes")
    }
    // The documented words mean what they mean.
    guard Set(words + ["paid", "pending"]).count == words.count + 2 else {
      throw RaisConfigurationError(.states, "name a word twice, or one of paid and pending")
    }
    return states
  }
}

/// A setting of an account that is missing or wrong. Nobody retries it; a person mends it.
public typealias RaisConfigurationError = SettingError<RaisSetting>

/// The settings of an account; raw values are the words of a configuration file.
public enum RaisSetting: String, Hashable, Sendable {
  /// The account's name.
  case account
  /// The secret key.
  case secretKey = "secret_key"
  /// How a live key begins.
  case liveKeyPrefix = "live_key_prefix"
  /// Scheme, host and path of the API.
  case baseURL = "base_url"
  /// Language of the hosted page.
  case language
  /// The account's currency.
  case currency
  /// Decimal digits of an amount.
  case exponent
  /// Words that end a payment unpaid.
  case states
  /// Header of the signature.
  case webhookHeader = "webhook.header"
  /// Secrets of the signature.
  case webhookSecrets = "webhook.secrets"
}
