import HTTPExchange
import KitEnvironment
import PaymentModels
import ProviderInterface
import TebexProvider

extension ServerConfiguration {
  private static let tebexSettings: Set<String> = [
    "account", "public_token", "mode", "currency", "headless_url", "page_origin", "private_key",
    "checkout", "webhook_secrets", "auto_redirect", "send_username", "send_quantity_of_one",
    "wait_for_webhook",
  ]

  /// The stores at Tebex; none if there is no such setting.
  static func tebex(
    _ reader: SettingsReader, _ source: SettingsSource
  ) throws(ConfigurationError) -> [TebexConfiguration] {
    guard reader.has("tebex") else { return [] }
    var accounts: [TebexConfiguration] = []
    for (index, element) in try reader.elements("tebex").enumerated() {
      let path = "tebex[\(index)]"
      let account = try SettingsReader(
        element, path: path, allowed: tebexSettings, source: source)
      let name = ProviderAccount(try account.text("account"))
      let token = try account.text("public_token")
      let settings = try tebexSettings(account)
      do {
        accounts.append(
          try TebexConfiguration(account: name, publicToken: token, settings: settings))
      } catch {
        throw ConfigurationError(error, at: path)
      }
    }
    return accounts
  }

  private static func tebexSettings(
    _ account: SettingsReader
  ) throws(ConfigurationError) -> TebexSettings {
    var settings = TebexSettings()
    settings.mode = try account.choice("mode", or: settings.mode)
    settings.currency = try account.optionalText("currency")
    settings.headlessURL = try account.optionalText("headless_url") ?? settings.headlessURL
    settings.pageOrigin = try account.optionalText("page_origin") ?? settings.pageOrigin
    if account.has("private_key") { settings.privateKey = try account.secret("private_key") }
    settings.checkout = try tebexCheckout(account)
    if account.has("webhook_secrets") {
      settings.webhookSecrets = try account.secrets("webhook_secrets")
    }
    settings.redirectsByItself =
      try account.flag("auto_redirect") ?? settings.redirectsByItself
    settings.sendsUsername = try account.flag("send_username") ?? settings.sendsUsername
    settings.sendsQuantityOfOne =
      try account.flag("send_quantity_of_one") ?? settings.sendsQuantityOfOne
    settings.waitsForWebhook = try account.flag("wait_for_webhook")
    return settings
  }

  /// Without a password the user's name is the API key.
  private static func tebexCheckout(
    _ account: SettingsReader
  ) throws(ConfigurationError) -> TebexCheckoutSettings? {
    let allowed: Set<String> = ["url", "username", "password"]
    guard let reader = try account.object("checkout", allowed: allowed) else { return nil }
    let password = reader.has("password") ? try reader.secret("password") : Secret("")
    var settings = TebexCheckoutSettings(
      username: try reader.secret("username"), password: password)
    settings.url = try reader.optionalText("url") ?? settings.url
    return settings
  }

  /// The accounts at Tebex as providers.
  func tebexProviders(
    _ transport: any HTTPTransport, _ environment: KitEnvironment
  ) -> [any PaymentProvider] {
    tebex.map {
      TebexProvider(
        $0, transport: transport.guarded("tebex", to: $0.callURLs, environment),
        environment: environment)
    }
  }
}
