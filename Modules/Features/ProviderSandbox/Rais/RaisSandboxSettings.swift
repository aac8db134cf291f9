public import PaymentModels

/// What the fake Raïs accepts, and how it behaves where the provider's page leaves a choice.
///
/// Each value but the keys can be changed while it runs, through the control API.
public struct RaisSandboxSettings: Sendable {
  /// Keys that are let in. Only those that begin with `rais_sk_test_` ever match, so that a live
  /// client pointed here fails loudly.
  public var keys: [Secret]
  /// The account's currency, for showing amounts; no request names one. Not documented.
  public var currency = "GNF"
  /// Decimal digits that the integer amount counts, for showing it. Not documented.
  public var exponent: Int64 = 0
  /// Life of a payment. That there is an end is documented, when it comes is not.
  public var lifeMs: Int64 = 3_600_000
  /// Word of `status` for a payment whose time ran out. Not documented.
  public var expiredWord: String? = "expired"
  /// Word of `status` for a payment that the payer gave up for good. Not documented.
  public var cancelledWord: String? = "cancelled"
  /// Word of `status` for a payment that was refused for good. Not documented.
  public var failedWord: String? = "failed"
  /// Whether leaving the page by its link gives the payment up. Documented as "may still be
  /// pending".
  public var cancelEnds = false
  /// Whether reads name the currency. Not documented.
  public var showsCurrency = false
  /// Whether reference and order number ride on the cancel link too. Not documented.
  public var addsAllToCancel = true
  /// Status of the answer to a key that was used for other terms. Not documented.
  public var conflictStatus: Int64 = 409
  /// Where webhooks go; nil sends none.
  public var webhookURL: String?
  /// Signs webhooks.
  public var webhookSecret: String?
  /// Header of the signature. Not documented.
  public var webhookHeader: String? = "Rais-Signature"
  /// How the signature is made. Not documented.
  public var webhookScheme = SandboxWebhookScheme.timestamped
  /// How old the stamp of a webhook's signature is: what a delivery looks like that was held up.
  public var webhookAgeMs: Int64 = 0
  /// Waits before the repeats of a webhook. Not documented.
  public var webhookRetryMs: [Int64] = [10_000, 60_000, 600_000]
  /// Faults of every payment that has none of its own.
  public var faults = RaisFaults()

  /// The assumed behaviour, for the given keys.
  public init(keys: [Secret] = [Self.demoSecretKey]) { self.keys = keys }

  /// The secret key of demos; it opens nothing but a sandbox.
  public static let demoSecretKey = Secret("rais_sk_test_00000000-0000-4000-8000-000000000001")
}

/// Ways to misbehave, at large or for one payment.
public struct RaisFaults: Sendable, Hashable {
  /// The result page says paid while reads say pending; they follow this much later.
  public var paidDelayMs: Int64 = 0
  /// Times that each webhook is sent.
  public var webhookCopies: Int64 = 1
  /// Wait before each webhook.
  public var webhookDelayMs: Int64 = 0
  /// Send no webhook at all.
  public var dropsWebhooks = false
  /// Integer that reads of the payment show instead of its own amount.
  public var readAmount: String?
  /// Answers that go wrong, first match first.
  public var answers: [RaisAnswerFault] = []

  /// No fault.
  public init() {}
}

/// Spoils the answer to some calls.
public typealias RaisAnswerFault = AnswerFault<RaisCall>

/// A call of the merchant's server.
public enum RaisCall: String, Sendable, CaseIterable {
  /// `POST /v1/payments`
  case create
  /// `GET /v1/payments/{id}`
  case read
}
