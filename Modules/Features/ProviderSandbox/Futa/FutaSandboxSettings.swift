public import PaymentModels

/// What the fake Futa accepts, and how it behaves where the provider's page leaves a choice.
///
/// Each value but the keys can be changed while it runs, through the control API.
public struct FutaSandboxSettings: Sendable {
  /// Keys that are let in; no form of them is documented.
  public var keys: [Secret]
  /// The only currency that is taken.
  public var currency = "CDF"
  /// Decimal digits that the integer amount counts, for showing it. Not documented.
  public var exponent: Int64 = 2
  /// Whether a create without `Idempotency-Key` is refused. Not documented.
  public var requiresKey = true
  /// Status of the answer to a key that was used for other terms. Not documented.
  public var conflictStatus: Int64 = 409
  /// Whether `return_url` may have an app's own scheme. Only https is documented.
  public var allowsAppReturnURL = false
  /// Whether the payment's id is added to the return address. Not documented.
  public var addsReturnParameters = false
  /// Word of `state` for a payment that is paid. Not documented.
  public var paidWord: String? = "paid"
  /// Word of `state` for a payment that failed for good. Not documented.
  public var failedWord: String? = "failed"
  /// Whether leaving the page by its link gives the payment up. Otherwise it stays open.
  public var cancelEnds = false
  /// Whether the payer's bank can still pay a payment that has expired. Not documented.
  public var allowsLatePayment = false
  /// Origin of the bank's page. Nil takes this machine's other name, so that the bank lies on
  /// another origin than the checkout.
  public var bankOrigin: String?
  /// Where webhooks go; nil sends none.
  public var webhookURL: String?
  /// Signs webhooks.
  public var webhookSecret: String?
  /// Header of the signature. Not documented.
  public var webhookHeader: String? = "Futa-Signature"
  /// How the signature is made. Not documented.
  public var webhookScheme = SandboxWebhookScheme.timestamped
  /// How old the stamp of a webhook's signature is: what a delivery looks like that was held up.
  public var webhookAgeMs: Int64 = 0
  /// Waits before the repeats of a webhook. Not documented.
  public var webhookRetryMs: [Int64] = [10_000, 60_000, 600_000]
  /// Faults of every payment that has none of its own.
  public var faults = FutaFaults()

  /// The assumed behaviour, for the given keys.
  public init(keys: [Secret] = [Self.demoSecretKey]) { self.keys = keys }

  /// The secret key of demos; it opens nothing but a sandbox.
  public static let demoSecretKey = Secret("futa_test_000000000000000000000001")
}

/// Ways to misbehave, at large or for one payment.
public struct FutaFaults: Sendable, Hashable {
  /// The payer's part is done while the payment is processing; its outcome follows this much later.
  public var outcomeDelayMs: Int64 = 0
  /// Times that each webhook is sent.
  public var webhookCopies: Int64 = 1
  /// Wait before each webhook.
  public var webhookDelayMs: Int64 = 0
  /// Send no webhook at all.
  public var dropsWebhooks = false
  /// Integer that reads of the payment show instead of its own amount.
  public var readAmount: String?
  /// Currency that reads of the payment show instead of its own.
  public var readCurrency: String?
  /// Answers that go wrong, first match first.
  public var answers: [FutaAnswerFault] = []

  /// No fault.
  public init() {}
}

/// Spoils the answer to some calls.
public typealias FutaAnswerFault = AnswerFault<FutaCall>

/// A call of the merchant's server.
public enum FutaCall: String, Sendable, CaseIterable {
  /// `POST /v1/payments`
  case create
  /// `GET /v1/payments/{id}`
  case read
}
