public import PaymentModels

/// The choices for one store at Tebex, before they are checked by ``TebexConfiguration``.
///
/// Docs/Providers/tebex.md lists under *Assumptions* which of them stand for something that Tebex
/// does not document.
public struct TebexSettings: Hashable, Sendable {
  /// Whether the store takes real money. Tebex has no test keys: a store whose panel offers "Test
  /// Payments" alone is a test one, and only its owner knows.
  public var mode = PaymentMode.live
  /// Scheme, host and path of the Headless API, without a slash at the end.
  public var headlessURL = TebexConfiguration.documentedHeadlessURL
  /// Origin of the hosted page, for a basket that comes without a link to it.
  public var pageOrigin = TebexConfiguration.documentedPageOrigin
  /// The store's private key: it lets a basket name the payer's address. Nil sends no address.
  public var privateKey: Secret?
  /// The store's currency, which no request names. Nil takes USD in test mode; live mode has no
  /// default.
  public var currency: String?
  /// Whether the page returns to the app by itself after paying. If not, the payer finds a button.
  public var redirectsByItself = true
  /// Whether a basket names the buyer, as stores of Minecraft and Overwolf require.
  public var sendsUsername = false
  /// Whether a quantity of one is sent. The document requires it; packages that are sold one at a
  /// time are said to refuse it.
  public var sendsQuantityOfOne = true
  /// Access to the Checkout API; nil does without refunds and looking up transactions.
  public var checkout: TebexCheckoutSettings?
  /// Secrets of webhooks: the new one and, while a secret is being changed, the old one. Test
  /// mode may do without, and then takes none.
  public var webhookSecrets: [Secret] = []
  /// Whether fulfilment waits for the webhook that names the payment's method, because a basket
  /// does not tell a test payment from a real one. Nil waits in live mode.
  public var waitsForWebhook: Bool?

  /// The default choices.
  public init() {}
}

/// Access to Tebex' Checkout API, which must be granted to a store.
public struct TebexCheckoutSettings: Hashable, Sendable {
  /// Scheme, host and path of the API, without a slash at the end.
  public var url = TebexConfiguration.documentedCheckoutURL
  /// Tebex' own client sends the project's id here, others the API key.
  public var username: Secret
  /// The private key; empty where the API key is the user's name.
  public var password: Secret

  /// Access with these credentials.
  public init(username: Secret, password: Secret) {
    self.username = username
    self.password = password
  }
}
