import FutaProvider
import HTTPExchange
import KitEnvironment
import PaymentModels
import ProviderInterface

extension ServerConfiguration {
  private static let futaSettings: Set<String> = [
    "account", "secret_key", "mode", "base_url", "checkout_origin", "payments_path",
    "authorization_header", "authorization_scheme", "error_code_path", "currency", "exponent",
    "paid_states", "refunded_states", "failed_states", "expired_states", "cancelled_states",
    "pending_states", "payment_life_minutes", "app_return_url", "webhook",
    "webhook_scheme_confirmed",
  ]

  /// The accounts at Futa; none if there is no such setting.
  static func futa(
    _ reader: SettingsReader, _ source: SettingsSource
  ) throws(ConfigurationError) -> [FutaConfiguration] {
    guard reader.has("futa") else { return [] }
    var accounts: [FutaConfiguration] = []
    for (index, element) in try reader.elements("futa").enumerated() {
      let path = "futa[\(index)]"
      let account = try SettingsReader(
        element, path: path, allowed: futaSettings, source: source)
      let name = ProviderAccount(try account.text("account"))
      let key = try account.secret("secret_key")
      let settings = try futaSettings(account)
      do {
        accounts.append(
          try FutaConfiguration(account: name, secretKey: key, settings: settings))
      } catch {
        throw ConfigurationError(error, at: path)
      }
    }
    return accounts
  }

  private static func futaSettings(
    _ account: SettingsReader
  ) throws(ConfigurationError) -> FutaSettings {
    var settings = FutaSettings(baseURL: try account.text("base_url"))
    settings.mode = try account.choice("mode", or: settings.mode)
    settings.checkoutOrigin = try account.optionalText("checkout_origin")
    settings.paymentsPath = try account.optionalText("payments_path") ?? settings.paymentsPath
    settings.authorizationHeader =
      try account.optionalText("authorization_header") ?? settings.authorizationHeader
    settings.authorizationScheme =
      try account.textOrEmpty("authorization_scheme") ?? settings.authorizationScheme
    settings.errorCodePath = try account.optionalText("error_code_path") ?? settings.errorCodePath
    settings.currency = try account.optionalText("currency")
    settings.exponent = try account.integer("exponent", in: 0...4).map(Int.init(clamping:))
    settings.states = try futaStates(account, mode: settings.mode)
    settings.paymentLifeMinutes =
      try account.integer("payment_life_minutes", in: 30...1_430).map(Int.init(clamping:))
      ?? settings.paymentLifeMinutes
    settings.allowsAppReturnURL =
      try account.flag("app_return_url") ?? settings.allowsAppReturnURL
    settings.webhook = try account.deliveries { .futa(secrets: $0) }
    return settings
  }

  /// The words of `state`: those that are given, the rest by default in test mode and unknown in
  /// live mode. Nil if the words for paid are missing where they have no default.
  private static func futaStates(
    _ account: SettingsReader, mode: PaymentMode
  ) throws(ConfigurationError) -> FutaStates? {
    let assumed = mode == .test ? FutaStates.assumed : FutaStates(paid: [])
    let states = FutaStates(
      paid: try account.texts("paid_states") ?? assumed.paid,
      refunded: try account.texts("refunded_states") ?? assumed.refunded,
      failed: try account.texts("failed_states") ?? assumed.failed,
      expired: try account.texts("expired_states") ?? assumed.expired,
      cancelled: try account.texts("cancelled_states") ?? assumed.cancelled,
      pending: try account.texts("pending_states") ?? assumed.pending)
    return states.paid.isEmpty ? nil : states
  }

  /// The accounts at Futa as providers.
  func futaProviders(
    _ transport: any HTTPTransport, _ environment: KitEnvironment
  ) -> [any PaymentProvider] {
    futa.map {
      FutaProvider(
        $0, transport: transport.guarded("futa", to: $0.callURLs, environment),
        environment: environment)
    }
  }
}
