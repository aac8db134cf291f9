public import PaymentModels

/// A provider with an API by which its webhooks are set up. The others are told by hand; which is
/// which stands in ``ProviderCapabilities/webhookSetup``.
///
/// As with ``PaymentProvider``, every requirement sends at most one request. To register a webhook
/// take ``registerWebhook(url:)``, which looks before it adds.
public protocol WebhookRegistering: PaymentProvider {
  /// How many webhooks this account may have at the provider.
  var webhooksMax: Int { get }

  /// The webhooks that the provider knows for this account.
  func webhooks() async throws(ProviderError) -> [RegisteredWebhook]

  /// Adds a webhook, whatever is there already, with the secret that this account checks first.
  ///
  /// - Throws: ``ProviderError`` of kind `refused`, before anything is sent, if the provider
  ///   cannot take such a URL.
  func addWebhook(url: String) async throws(ProviderError) -> RegisteredWebhook

  /// Gives a webhook this URL and the secret that this account checks first.
  func updateWebhook(_ id: String, url: String) async throws(ProviderError) -> RegisteredWebhook

  /// Removes a webhook; nothing is delivered to its URL any more.
  func removeWebhook(_ id: String) async throws(ProviderError)
}

extension WebhookRegistering {
  /// Makes the provider deliver to `url` with the account's present secret. Repeating it does
  /// nothing, and repeating it after the secret was changed changes the secret at the provider.
  ///
  /// - Throws: ``ProviderError``; of kind `refused` and code ``webhookLimitCode`` if the account
  ///   has as many webhooks as it may.
  public func registerWebhook(
    url: String
  ) async throws(ProviderError) -> (webhook: RegisteredWebhook, change: WebhookChange) {
    let known = try await webhooks()
    let same = known.filter { $0.url == url }
    if let current = same.first(where: \.isCurrent) { return (current, .unchanged) }
    if let outdated = same.first {
      return (try await updateWebhook(outdated.id, url: url), .updated)
    }
    guard known.count < webhooksMax else {
      throw ProviderError(
        .refused, code: webhookLimitCode,
        detail: "\(known.count) webhooks are registered and \(webhooksMax) are allowed; "
          + "remove one first")
    }
    return (try await addWebhook(url: url), .added)
  }
}

/// The code of the error that says that an account has as many webhooks as it may.
public let webhookLimitCode = "webhook_limit"

/// What became of a webhook that was to be registered.
public enum WebhookChange: String, Hashable, Sendable {
  /// It is new.
  case added
  /// It was there with another secret.
  case updated
  /// It was there as it should be.
  case unchanged
}

/// A webhook as a provider knows it. Its secret stays in the provider's module.
public struct RegisteredWebhook: Hashable, Sendable {
  /// The provider's id of it.
  public var id: String
  /// Where it delivers to.
  public var url: String
  /// Which payments it tells of; nil if the provider does not say.
  public var mode: PaymentMode?
  /// The name of the header that its deliveries carry; nil if they carry none.
  public var headerTitle: String?
  /// Whether its deliveries carry what this account checks first.
  public var isCurrent: Bool

  /// Collects what is known.
  public init(
    id: String, url: String, mode: PaymentMode?, headerTitle: String?, isCurrent: Bool
  ) {
    self.id = id
    self.url = url
    self.mode = mode
    self.headerTitle = headerTitle
    self.isCurrent = isCurrent
  }
}
