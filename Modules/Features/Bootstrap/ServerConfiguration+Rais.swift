import HTTPExchange
import KitEnvironment
import PaymentModels
import ProviderInterface
import RaisProvider

extension ServerConfiguration {
  private static let raisSettings: Set<String> = [
    "account", "secret_key", "live_key_prefix", "base_url", "language", "currency", "exponent",
    "failed_states", "expired_states", "cancelled_states", "error_code_path", "webhook",
    "webhook_scheme_confirmed",
  ]

  /// The accounts at Raïs; none if there is no such setting.
  ///
  /// - Parameter returnBase: where the payer comes back to, which Raïs restricts.
  static func rais(
    _ reader: SettingsReader, _ source: SettingsSource, returnBase: String
  ) throws(ConfigurationError) -> [RaisConfiguration] {
    guard reader.has("rais") else { return [] }
    var accounts: [RaisConfiguration] = []
    for (index, element) in try reader.elements("rais").enumerated() {
      let path = "rais[\(index)]"
      let account = try SettingsReader(
        element, path: path, allowed: raisSettings, source: source)
      let name = ProviderAccount(try account.text("account"))
      let key = try account.secret("secret_key")
      let settings = try raisSettings(account)
      do {
        accounts.append(
          try RaisConfiguration(account: name, secretKey: key, settings: settings))
      } catch {
        throw ConfigurationError(error, at: path)
      }
    }
    // Each create would be refused; better to say so before the first.
    if returnBase.lowercased().hasPrefix("http:"), accounts.contains(where: { $0.mode == .live }) {
      throw ConfigurationError(
        reader.name("app_return_base"), "must not be http with a live key of Raïs")
    }
    return accounts
  }

  private static func raisSettings(
    _ account: SettingsReader
  ) throws(ConfigurationError) -> RaisSettings {
    var settings = RaisSettings()
    settings.liveKeyPrefix =
      try account.optionalText("live_key_prefix") ?? settings.liveKeyPrefix
    settings.baseURL = try account.optionalText("base_url") ?? settings.baseURL
    // Empty leaves the member out of each create.
    if let language = try account.textOrEmpty("language") {
      settings.language = language.isEmpty ? nil : language
    }
    settings.currency = try account.optionalText("currency")
    settings.exponent = try account.integer("exponent", in: 0...4).map(Int.init(clamping:))
    settings.errorCodePath = try account.optionalText("error_code_path") ?? settings.errorCodePath
    settings.states = try raisStates(account)
    settings.webhook = try account.deliveries { .rais(secrets: $0) }
    return settings
  }

  /// The words of `status` that end a payment unpaid; nil if none is given. One list that is given
  /// stands for all: the others are then empty.
  private static func raisStates(
    _ account: SettingsReader
  ) throws(ConfigurationError) -> RaisStates? {
    let failed = try account.texts("failed_states")
    let expired = try account.texts("expired_states")
    let cancelled = try account.texts("cancelled_states")
    guard failed != nil || expired != nil || cancelled != nil else { return nil }
    return RaisStates(failed: failed ?? [], expired: expired ?? [], cancelled: cancelled ?? [])
  }

  /// The accounts at Raïs as providers.
  func raisProviders(
    _ transport: any HTTPTransport, _ environment: KitEnvironment
  ) -> [any PaymentProvider] {
    rais.map {
      RaisProvider(
        $0, transport: transport.guarded("rais", to: $0.callURLs, environment),
        environment: environment)
    }
  }
}
