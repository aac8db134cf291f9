public import PaymentModels
public import ProviderInterface

/// One account at Tabby: keys, store code and how its webhooks are known.
///
/// It can only be built valid, so whatever holds one never asks again.
public struct TabbyConfiguration: Hashable, Sendable {
  /// The account's name, which is stored with each payment made through it.
  public let account: ProviderAccount
  /// The secret key that authorizes every call.
  public let secretKey: Secret
  /// Tabby's code of the country or store. Whether its case matters is not documented, so it is
  /// sent as it was given.
  public let merchantCode: String
  /// Where the account lives; decides host and currencies.
  public let region: TabbyRegion
  /// Scheme and host of the API, without a slash at the end.
  public let baseURL: String

  /// Every address that its calls go to.
  public var callURLs: [String] { [baseURL] }
  /// The static header that Tabby repeats on each webhook; nil only with a test key.
  public let webhookHeader: TabbyWebhookHeader?
  /// Whether the key moves real money: decided by its prefix alone, as Tabby does.
  public let mode: PaymentMode

  /// Checks and collects the settings of an account.
  ///
  /// - Parameters:
  ///   - baseURL: another place than the region's real host, such as a sandbox on this machine.
  ///     Only a test key goes there: `http` to a loopback host, else `https`.
  ///   - webhookHeader: required with a live key.
  /// - Throws: ``TabbyConfigurationError``, which names the setting and never holds its value.
  public init(
    account: ProviderAccount, secretKey: Secret, merchantCode: String, region: TabbyRegion,
    baseURL: String? = nil, webhookHeader: TabbyWebhookHeader? = nil
  ) throws(TabbyConfigurationError) {
    guard !account.rawValue.isEmpty else {
      throw TabbyConfigurationError(.account, "is missing")
    }
    mode = try Self.mode(of: secretKey)
    guard isToken(merchantCode) else {
      throw TabbyConfigurationError(
        .merchantCode, "must be 1 to 100 ASCII letters, digits, `-`, `_`")
    }
    self.baseURL = try Self.checkedBaseURL(baseURL, region: region, mode: mode)
    if mode == .live {
      guard let webhookHeader else {
        throw TabbyConfigurationError(.webhookHeaderTitle, "is required with a live key")
      }
      try webhookHeader.checkForLive()
    }
    self.account = account
    self.secretKey = secretKey
    self.merchantCode = merchantCode
    self.region = region
    self.webhookHeader = webhookHeader
  }

  // Four prefixes exist: pk_test_, sk_test_, pk_, sk_; there is no sk_live_. Tabby's own plugins
  // check that a lower-case UUID follows. A live key must have that form, which also catches
  // placeholders; a test key may be any word, because a sandbox makes its own.
  private static func mode(of key: Secret) throws(TabbyConfigurationError) -> PaymentMode {
    let text = key.reveal()
    guard !key.isBlank else { throw TabbyConfigurationError(.secretKey, "is missing") }
    guard !text.hasPrefix("pk_") else {
      throw TabbyConfigurationError(
        .secretKey, "is a public key (pk_); the server needs the secret key (sk_)")
    }
    if text.hasPrefix("sk_test_") {
      guard isToken(text.dropFirst("sk_test_".count)) else {
        throw TabbyConfigurationError(.secretKey, "has nothing usable after sk_test_")
      }
      return .test
    }
    guard text.hasPrefix("sk_"), isCanonicalUUID(String(text.dropFirst("sk_".count))) else {
      throw TabbyConfigurationError(
        .secretKey, "must be sk_test_… (test), or sk_ and a lower-case UUID (live)")
    }
    return .live
  }

  private static func checkedBaseURL(
    _ text: String?, region: TabbyRegion, mode: PaymentMode
  ) throws(TabbyConfigurationError) -> String {
    guard let text else { return region.baseURL }
    guard let url = BaseURL(text) else {
      throw TabbyConfigurationError(
        .baseURL, "must be http:// or https:// with a host, without path, query or user")
    }
    if mode == .live, url.text != region.baseURL {
      throw TabbyConfigurationError(
        .baseURL, "must be \(region.baseURL) with a live key: it never goes anywhere else")
    }
    guard url.isSecure || url.isLoopback else {
      throw TabbyConfigurationError(.baseURL, "must be https, unless the host is this machine")
    }
    return url.text
  }
}

/// The header that Tabby repeats on each webhook delivery, as chosen when the webhook was
/// registered. Tabby signs nothing, so this is all that tells a delivery from a forgery.
public struct TabbyWebhookHeader: Hashable, Sendable {
  /// At most so many values at once: a rotation needs two.
  public static let valuesMax = 4
  /// A live value is at least so many bytes long, so that it cannot be guessed.
  public static let liveValueBytesMin = 16

  /// The header's name.
  public let title: String
  /// Values that are accepted, in the order of the configuration: the new one and, while a
  /// secret is being changed, the old one.
  public let values: [Secret]

  /// Checks and collects title and values.
  ///
  /// - Throws: ``TabbyConfigurationError``.
  public init(title: String, values: [Secret]) throws(TabbyConfigurationError) {
    guard isToken(title) else {
      throw TabbyConfigurationError(
        .webhookHeaderTitle, "must be 1 to 100 ASCII letters, digits, `-`, `_`")
    }
    guard (1...Self.valuesMax).contains(values.count) else {
      throw TabbyConfigurationError(
        .webhookHeaderValues, "must be 1 to \(Self.valuesMax) secrets")
    }
    // A header value reaches us without white space around it, so one that has some never fits.
    guard values.allSatisfy({ isVisible($0.reveal()) }) else {
      throw TabbyConfigurationError(
        .webhookHeaderValues, "must be printable ASCII without spaces, and not empty")
    }
    self.title = title
    self.values = values
  }

  fileprivate func checkForLive() throws(TabbyConfigurationError) {
    guard values.allSatisfy({ $0.reveal().utf8.count >= Self.liveValueBytesMin }) else {
      throw TabbyConfigurationError(
        .webhookHeaderValues,
        "must be at least \(Self.liveValueBytesMin) bytes each with a live key")
    }
  }
}

/// A setting of an account that is missing or wrong. Nobody retries it; a person mends it.
public typealias TabbyConfigurationError = SettingError<TabbySetting>

/// The settings of an account; raw values are the words of a configuration file.
public enum TabbySetting: String, Hashable, Sendable {
  /// The account's name.
  case account
  /// The secret key.
  case secretKey = "secret_key"
  /// Tabby's code of the store.
  case merchantCode = "merchant_code"
  /// Another place than the region's host.
  case baseURL = "base_url"
  /// Name of the webhook header.
  case webhookHeaderTitle = "webhook_header_title"
  /// Values of the webhook header.
  case webhookHeaderValues = "webhook_header_values"
}
