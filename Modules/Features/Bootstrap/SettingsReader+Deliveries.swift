import PaymentModels
import ProviderInterface

extension SettingsReader {
  /// How signed deliveries of an account are known; nil if the account has no `webhook`.
  ///
  /// - Parameter usual: what the provider's module takes unless told.
  func deliveries(
    _ usual: ([Secret]) -> PaymentDeliverySettings
  ) throws(ConfigurationError) -> PaymentDeliverySettings? {
    let isConfirmed = try flag("webhook_scheme_confirmed")
    let allowed: Set<String> = ["secrets", "header", "scheme", "payment_path"]
    guard let reader = try object("webhook", allowed: allowed) else {
      guard isConfirmed == nil else {
        throw ConfigurationError(
          name("webhook_scheme_confirmed"), "needs the setting webhook beside it")
      }
      return nil
    }
    var settings = usual(try reader.secrets("secrets"))
    settings.isSchemeConfirmed = isConfirmed ?? settings.isSchemeConfirmed
    settings.header = try reader.optionalText("header") ?? settings.header
    settings.scheme = try reader.choice("scheme", or: settings.scheme)
    settings.paymentPath = try reader.textOrEmpty("payment_path") ?? settings.paymentPath
    return settings
  }
}
