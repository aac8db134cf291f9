public import PaymentModels
public import ProviderInterface

/// One account at Futa, checked: it can only be built valid, so whatever holds one never asks
/// again.
public struct FutaConfiguration: Hashable, Sendable {
  /// The account's name, which is stored with each payment made through it.
  public let account: ProviderAccount
  /// The secret key that authorizes every call. The app never holds it.
  public let secretKey: Secret
  /// The choices that were made.
  public let settings: FutaSettings
  /// Scheme, host and path in front of the payments' path.
  public let baseURL: String
  /// Origin of the hosted checkout, on which every page must lie.
  public let checkoutOrigin: String
  /// The account's currency, as the kit counts it, and how the wire counts it.
  let amounts: IntegerAmounts
  /// What each word of `state` means.
  let states: FutaStates

  /// Whether the key moves real money.
  public var mode: PaymentMode { settings.mode }

  /// Code of the account's currency.
  public var currencyCode: String { amounts.currency.code }
  /// Decimal digits that an amount on the wire counts.
  public var wireExponent: Int { amounts.exponent }

  /// Every address that its calls go to.
  public var callURLs: [String] { [baseURL] }

  /// Checks and collects the settings of an account.
  ///
  /// With a live key nothing about money has a default: currency, exponent and the words that
  /// mean paid must be set, and so must the checkout's origin.
  ///
  /// - Throws: ``FutaConfigurationError``, which names the setting and never holds its value.
  public init(
    account: ProviderAccount, secretKey: Secret, settings: FutaSettings
  ) throws(FutaConfigurationError) {
    guard !account.rawValue.isEmpty else {
      throw FutaConfigurationError(.account, "is missing")
    }
    guard isVisible(secretKey.reveal()) else {
      throw FutaConfigurationError(.secretKey, "must be printable ASCII without spaces")
    }
    self.account = account
    self.secretKey = secretKey
    self.settings = settings
    baseURL = try Self.baseURL(settings)
    checkoutOrigin = try Self.checkoutOrigin(settings)
    amounts = try Self.amounts(settings)
    states = try Self.states(settings)
    try Self.checkCalls(settings)
    if let fault = settings.webhook?.headerFault {
      throw FutaConfigurationError(.webhookHeader, fault)
    }
    if let fault = settings.webhook?.secretsFault(settings.mode) {
      throw FutaConfigurationError(.webhookSecrets, fault)
    }
  }

  private static func baseURL(_ settings: FutaSettings) throws(FutaConfigurationError) -> String {
    let text = settings.baseURL
    let origin = webOrigin(of: text)
    guard let origin, let host = BaseURL(origin), text.hasPrefix(origin),
      isPath(text.dropFirst(origin.utf8.count))
    else {
      throw FutaConfigurationError(
        .baseURL, "must be http:// or https:// with a host, without query, user or slash at the end"
      )
    }
    guard host.isSecure || host.isLoopback && settings.mode == .test else {
      throw FutaConfigurationError(
        .baseURL, "must be https, unless the host is this machine and the mode is test")
    }
    return text
  }

  private static func checkoutOrigin(
    _ settings: FutaSettings
  ) throws(FutaConfigurationError) -> String {
    let fallback = settings.mode == .test ? "https://checkout.sandbox.futa-app.com" : nil
    guard let text = settings.checkoutOrigin ?? fallback else {
      throw FutaConfigurationError(.checkoutOrigin, "is required with a live key")
    }
    guard let url = BaseURL(text), let origin = webOrigin(of: url.text) else {
      throw FutaConfigurationError(
        .checkoutOrigin, "must be https:// with a host, without path, query or user")
    }
    guard url.isSecure || url.isLoopback && settings.mode == .test else {
      throw FutaConfigurationError(
        .checkoutOrigin, "must be https, unless the host is this machine and the mode is test")
    }
    return origin
  }

  private static func amounts(
    _ settings: FutaSettings
  ) throws(FutaConfigurationError) -> IntegerAmounts {
    let isTest = settings.mode == .test
    guard let code = settings.currency ?? (isTest ? "CDF" : nil) else {
      throw FutaConfigurationError(.currency, "is required with a live key")
    }
    guard let currency = Currency(iso4217: code) else {
      throw FutaConfigurationError(.currency, "must be a code of ISO 4217, such as CDF")
    }
    guard let exponent = settings.exponent ?? (isTest ? currency.exponent : nil) else {
      throw FutaConfigurationError(.exponent, "is required with a live key")
    }
    guard (0...4).contains(exponent) else {
      throw FutaConfigurationError(.exponent, "must be a whole number from 0 to 4")
    }
    return IntegerAmounts(currency: currency, exponent: exponent)
  }

  private static func states(
    _ settings: FutaSettings
  ) throws(FutaConfigurationError) -> FutaStates {
    guard let states = settings.states ?? (settings.mode == .test ? .assumed : nil) else {
      throw FutaConfigurationError(.paidStates, "is required with a live key")
    }
    guard !states.paid.isEmpty else {
      throw FutaConfigurationError(.paidStates, "must name at least one state")
    }
    let words = states.all.flatMap { $0 }.map(asciiLowercased)
    guard words.allSatisfy({ (1...64).contains($0.utf8.count) }), words.count <= 100 else {
      throw FutaConfigurationError(.states, "must be at most 100 words of 1 to 64 bytes")
    }
    guard Set(words).count == words.count else {
      throw FutaConfigurationError(.states, "name a word twice")
    }
    return states
  }

  private static func checkCalls(_ settings: FutaSettings) throws(FutaConfigurationError) {
    guard settings.paymentsPath.utf8.count > 1, isPath(settings.paymentsPath[...]) else {
      throw FutaConfigurationError(.paymentsPath, "must be a path such as /v1/payments")
    }
    guard isToken(settings.authorizationHeader) else {
      throw FutaConfigurationError(.authorizationHeader, "must be the name of a header")
    }
    guard settings.authorizationScheme.isEmpty || isToken(settings.authorizationScheme) else {
      throw FutaConfigurationError(.authorizationScheme, "must be one word, or empty")
    }
    // Longer than an unanswered create is repeated, shorter than Futa's day by what two clocks
    // may differ.
    guard (30...1_430).contains(settings.paymentLifeMinutes) else {
      throw FutaConfigurationError(.paymentLife, "must be 30 to 1430 minutes")
    }
  }
}

/// A setting of an account that is missing or wrong. Nobody retries it; a person mends it.
public typealias FutaConfigurationError = SettingError<FutaSetting>

/// The settings of an account; raw values are the words of a configuration file.
public enum FutaSetting: String, Hashable, Sendable {
  /// The account's name.
  case account
  /// The secret key.
  case secretKey = "secret_key"
  /// Scheme, host and path of the API.
  case baseURL = "base_url"
  /// Origin of the hosted checkout.
  case checkoutOrigin = "checkout_origin"
  /// Path of the create.
  case paymentsPath = "payments_path"
  /// Header of the key.
  case authorizationHeader = "authorization_header"
  /// Word in front of the key.
  case authorizationScheme = "authorization_scheme"
  /// The account's currency.
  case currency
  /// Decimal digits of an amount.
  case exponent
  /// Words that mean paid.
  case paidStates = "paid_states"
  /// All words together.
  case states
  /// How long a payment may be paid.
  case paymentLife = "payment_life_minutes"
  /// Header of the signature.
  case webhookHeader = "webhook.header"
  /// Secrets of the signature.
  case webhookSecrets = "webhook.secrets"
}
