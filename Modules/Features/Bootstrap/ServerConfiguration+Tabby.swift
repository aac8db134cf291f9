import HTTPExchange
import KitEnvironment
import PaymentModels
import ProviderInterface
import TabbyProvider

extension ServerConfiguration {
  /// The accounts at Tabby; none if there is no such setting.
  static func tabby(
    _ reader: SettingsReader, _ source: SettingsSource
  ) throws(ConfigurationError) -> [TabbyConfiguration] {
    guard reader.has("tabby") else { return [] }
    var accounts: [TabbyConfiguration] = []
    for (index, element) in try reader.elements("tabby").enumerated() {
      let path = "tabby[\(index)]"
      let account = try SettingsReader(
        element, path: path,
        allowed: [
          "account", "region", "merchant_code", "base_url", "secret_key", "webhook_header",
        ],
        source: source)
      var header: TabbyWebhookHeader?
      let key = try account.secret("secret_key")
      do {
        if let settings = try account.object("webhook_header", allowed: ["title", "values"]) {
          header = try TabbyWebhookHeader(
            title: settings.text("title"), values: settings.secrets("values"))
        }
        accounts.append(
          try TabbyConfiguration(
            account: ProviderAccount(account.text("account")), secretKey: key,
            merchantCode: account.text("merchant_code"),
            region: account.choice("region", or: .emiratesAndKuwait),
            baseURL: account.optionalText("base_url"), webhookHeader: header))
      } catch let error as TabbyConfigurationError {
        throw ConfigurationError(error, at: path)
      } catch let error as ConfigurationError {
        throw error
      } catch {
        throw ConfigurationError(path, "\(error)")
      }
    }
    return accounts
  }

  /// The accounts at Tabby as providers.
  func tabbyProviders(
    _ transport: any HTTPTransport, _ environment: KitEnvironment
  ) -> [any PaymentProvider] {
    tabby.map {
      TabbyProvider(
        $0, transport: transport.guarded("tabby", to: $0.callURLs, environment),
        hashing: environment.hashing)
    }
  }
}
