public import PaymentModels
public import ProviderInterface

/// One store at Tebex, checked: it can only be built valid, so whatever holds one never asks
/// again.
public struct TebexConfiguration: Hashable, Sendable {
  /// Where Tebex documents the Headless API.
  public static let documentedHeadlessURL = "https://headless.tebex.io/api"
  /// Where Tebex documents the Checkout API.
  public static let documentedCheckoutURL = "https://checkout.tebex.io/api"
  /// Where Tebex documents the hosted page.
  public static let documentedPageOrigin = "https://pay.tebex.io"

  /// The account's name, which is stored with each payment made through it.
  public let account: ProviderAccount
  /// The store's public token. It names the store in paths; whoever has it can make a basket, and
  /// it opens nothing else.
  public let publicToken: String
  /// The choices that were made.
  public let settings: TebexSettings
  /// The store's currency.
  public let currency: Currency

  /// Whether the store takes real money.
  public var mode: PaymentMode { settings.mode }

  /// Every address that its calls go to.
  public var callURLs: [String] {
    [settings.headlessURL] + (settings.checkout.map { [$0.url] } ?? [])
  }

  /// Checks and collects the settings of a store.
  ///
  /// In live mode the currency has no default, webhooks are required (nothing else tells of a
  /// refund), and the store's keys go to the documented places alone.
  ///
  /// - Throws: ``TebexConfigurationError``, which names the setting and never holds its value.
  public init(
    account: ProviderAccount, publicToken: String, settings: TebexSettings
  ) throws(TebexConfigurationError) {
    guard !account.rawValue.isEmpty else {
      throw TebexConfigurationError(.account, "is missing")
    }
    guard isToken(publicToken) else {
      throw TebexConfigurationError(.publicToken, "must be a word such as t66x-…")
    }
    self.account = account
    self.publicToken = publicToken
    self.settings = settings
    currency = try Self.currency(settings)
    try Self.checkAddresses(settings)
    try Self.checkKeys(settings)
    try Self.checkWebhooks(settings)
  }

  private static func currency(
    _ settings: TebexSettings
  ) throws(TebexConfigurationError) -> Currency {
    guard let code = settings.currency ?? (settings.mode == .test ? "USD" : nil) else {
      throw TebexConfigurationError(.currency, "is required in live mode")
    }
    guard let currency = Currency(iso4217: code) else {
      throw TebexConfigurationError(.currency, "must be a code of ISO 4217, such as USD")
    }
    return currency
  }

  private static func checkAddresses(
    _ settings: TebexSettings
  ) throws(TebexConfigurationError) {
    var addresses: [(TebexConfigurationError.Setting, String, String)] = [
      (.headlessURL, settings.headlessURL, documentedHeadlessURL),
      (.pageOrigin, settings.pageOrigin, documentedPageOrigin),
    ]
    if let checkout = settings.checkout {
      addresses.append((.checkoutURL, checkout.url, documentedCheckoutURL))
    }
    for (setting, text, documented) in addresses {
      guard settings.mode == .test || text == documented else {
        throw TebexConfigurationError(setting, "must be \(documented) in live mode")
      }
      guard let origin = webOrigin(of: text), let host = BaseURL(origin), text.hasPrefix(origin),
        isPath(text.dropFirst(origin.utf8.count))
      else {
        throw TebexConfigurationError(
          setting,
          "must be http:// or https:// with a host, without query, user or slash at the end"
        )
      }
      guard host.isSecure || host.isLoopback else {
        throw TebexConfigurationError(setting, "must be https, unless the host is this machine")
      }
    }
    // Else a store that is tried out on a sandbox would send its keys to the real Tebex.
    guard
      settings.headlessURL == documentedHeadlessURL
        || settings.checkout?.url != documentedCheckoutURL
    else {
      throw TebexConfigurationError(
        .checkoutURL, "must be set too where headless_url is another place than Tebex")
    }
  }

  private static func checkKeys(_ settings: TebexSettings) throws(TebexConfigurationError) {
    if let key = settings.privateKey, !isVisible(key.reveal()) {
      throw TebexConfigurationError(.privateKey, "must be printable ASCII without spaces")
    }
    guard let checkout = settings.checkout else { return }
    // A colon ends the user's name (RFC 7617).
    guard isVisible(checkout.username.reveal()), !checkout.username.reveal().contains(":") else {
      throw TebexConfigurationError(
        .checkoutUsername, "must be printable ASCII without spaces and colons")
    }
    let password = checkout.password.reveal()
    guard password.isEmpty || isVisible(password) else {
      throw TebexConfigurationError(
        .checkoutPassword, "must be empty, or printable ASCII without spaces")
    }
  }

  private static func checkWebhooks(_ settings: TebexSettings) throws(TebexConfigurationError) {
    let (secrets, mode) = (settings.webhookSecrets, settings.mode)
    if secrets.isEmpty, mode == .test { return }
    if let fault = PaymentDeliverySettings.fault(of: secrets, mode) {
      throw TebexConfigurationError(.webhookSecrets, fault)
    }
  }

  /// How long fulfilment waits for the method's name; nil if it does not.
  var modeWait: Duration? {
    settings.waitsForWebhook ?? (mode == .live) ? modeWaitDuration : nil
  }
}

/// A webhook comes within seconds; after ten minutes a person looks.
private let modeWaitDuration = Duration.seconds(600)

/// A setting of a store that is missing or wrong. Nobody retries it; a person mends it.
public typealias TebexConfigurationError = SettingError<TebexSetting>

/// The settings of an account; raw values are the words of a configuration file.
public enum TebexSetting: String, Hashable, Sendable {
  /// The account's name.
  case account
  /// The store's public token.
  case publicToken = "public_token"
  /// The Headless API.
  case headlessURL = "headless_url"
  /// The hosted page.
  case pageOrigin = "page_origin"
  /// The store's private key.
  case privateKey = "private_key"
  /// The store's currency.
  case currency
  /// The Checkout API.
  case checkoutURL = "checkout.url"
  /// Its user.
  case checkoutUsername = "checkout.username"
  /// Its password.
  case checkoutPassword = "checkout.password"
  /// Secrets of webhooks.
  case webhookSecrets = "webhook_secrets"
}
