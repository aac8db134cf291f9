public import PaymentModels

/// What the fake Tebex accepts, and how it behaves where Tebex' documents leave a choice.
///
/// Each value but the keys can be changed while it runs, through the control API.
public struct TebexSandboxSettings: Sendable {
  /// Public tokens of stores that it knows.
  public var publicTokens: [String]
  /// Private keys that are let in, by either API.
  public var keys: [Secret]
  /// Id of the stores' project: the user of the Checkout API beside a key as password. A key as
  /// user without a password is let in too, as either is reported to work.
  public var projectID = Self.demoProject
  /// The store's currency.
  public var currency: String? = "USD"
  /// Tax on top of the base price, in hundredths of a percent.
  public var taxBasisPoints: Int64 = 0
  /// Whether a payment's `price` holds the tax. Not documented.
  public var taxesPrice = true
  /// Whether a product's `base_price` in a payment is for one piece. Not documented.
  public var showsUnitPrice = true
  /// Whether the answer to an added package stands under `data`. The document says bare, reports
  /// from practice say wrapped.
  public var wrapsAddAnswer = true
  /// Whether an unpaid basket has a link to its page.
  public var hasCheckoutLink = true
  /// Whether a basket must name its buyer, as for Minecraft.
  public var requiresUsername = false
  /// Whether an opened dispute already takes the money. Not documented.
  public var opensAsChargeback = true
  /// Whether a refund stays pending first. That there is such a status is documented, when is not.
  public var refundsLater = false
  /// What is put behind return URLs, without `?` or `&`. That there may be something is
  /// documented, what is not.
  public var returnQuery: String?
  /// Member of `custom` that the sandbox's ledger shows as the merchant's reference.
  public var referenceMember: String? = "order_id"
  /// Where webhooks go; nil sends none.
  public var webhookURL: String?
  /// Signs webhooks.
  public var webhookSecret: String?
  /// Waits before the repeats of a webhook. Not documented.
  public var webhookRetryMs: [Int64] = [10_000, 60_000, 600_000]
  /// Faults of every basket that has none of its own.
  public var faults = TebexFaults()
  /// How far the endpoint got with the handshake.
  var handshake = TebexHandshake.none

  /// The assumed behaviour, for the given stores and keys.
  public init(
    publicTokens: [String] = [Self.demoPublicToken], keys: [Secret] = [Self.demoSecretKey]
  ) {
    self.publicTokens = publicTokens
    self.keys = keys
  }

  /// The store of demos.
  public static let demoPublicToken = "t66x-0000000000000000000000000000000000000001"
  /// Its project.
  public static let demoProject = "100001"
  /// Its private key; it opens nothing but a sandbox.
  public static let demoSecretKey = Secret("tebex_sandbox_00000001")
}

/// How far a webhook endpoint got: before it has answered, it is sent nothing else.
enum TebexHandshake: String, Sendable {
  case none, pending, validated, failed
}

/// Ways to misbehave, at large or for one basket.
public struct TebexFaults: Sendable, Hashable {
  /// The page says paid while baskets say incomplete; they follow this much later.
  public var completeDelayMs: Int64 = 0
  /// Times that each webhook is sent.
  public var webhookCopies: Int64 = 1
  /// Wait before each webhook.
  public var webhookDelayMs: Int64 = 0
  /// Send no webhook at all.
  public var dropsWebhooks = false
  /// Base price that reads of the basket show instead of its own, in major units.
  public var readPrice: String?
  /// Answers that go wrong, first match first.
  public var answers: [AnswerFault<TebexCall>] = []

  /// No fault.
  public init() {}
}

/// A call of the merchant's server.
public enum TebexCall: String, Sendable, CaseIterable {
  /// `GET /accounts/{token}`
  case store
  /// `GET /accounts/{token}/packages`
  case packages
  /// `POST /accounts/{token}/baskets`
  case create
  /// `GET /accounts/{token}/baskets/{ident}`
  case read
  /// `POST /baskets/{ident}/packages`
  case add
  /// `POST /baskets/{ident}/packages/remove`
  case remove
  /// `PUT /baskets/{ident}/packages/{id}`
  case quantity
  /// `GET /payments/{transaction}`
  case transaction
  /// `POST /payments/{transaction}/refund`
  case refund
}
