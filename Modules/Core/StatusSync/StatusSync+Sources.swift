import HTTPExchange
import KitEnvironment
import PaymentModels
import ProviderInterface

extension StatusSync {
  /// What is refused before a delivery's signature is looked at; nil if nothing speaks against it.
  func refusal(of request: HTTPRequest, at account: any PaymentProvider) -> WebhookReceipt? {
    if account.capabilities.webhook == .unsigned, request.body.count > settings.unsignedBodyMax {
      logRefusal(at: account, "unsigned, and too large")
      return .tooLarge
    }
    let key = AccountKey(account.name, account.account)
    guard let sources = settings.webhookSources[key] else { return nil }
    let client = request.client(behind: settings.trustedProxies)
    if let client, sources.contains(where: { $0.contains(client) }) { return nil }
    let isProxy = settings.trustedProxies.isEmpty && (client?.isPrivate ?? false)
    logRefusal(
      at: account,
      isProxy
        ? "it comes from a private address; is a proxy missing in trusted_proxies?"
        : "it does not come from the account's webhook_sources")
    return .unauthentic
  }

  private func logRefusal(at account: any PaymentProvider, _ reason: String) {
    environment.log(
      .warning, "a webhook was refused", ("provider", account.name.rawValue),
      ("account", account.account.rawValue), ("reason", reason))
  }
}
