public import PaymentModels
public import ProviderInterface

/// The choices for one account at Futa, before they are checked by ``FutaConfiguration``.
///
/// Futa's only public page leaves most of its API open. Each such choice stands here with the
/// default that the page makes likely; Docs/Providers/futa.md lists them under *Assumptions*.
public struct FutaSettings: Hashable, Sendable {
  /// Whether the key moves real money. Futa documents no prefix that would tell, so a key counts
  /// as live unless this says otherwise.
  public var mode = PaymentMode.live
  /// Scheme, host and path in front of `/v1`, without a slash at the end. There is no default: no
  /// host of the API is documented.
  public var baseURL: String
  /// Origin of the hosted checkout, on which every `checkout_url` must lie. Nil takes the
  /// documented sandbox's in test mode; live mode has no default.
  public var checkoutOrigin: String?
  /// Path of the create and, with the id behind it, of the read.
  public var paymentsPath = "/v1/payments"
  /// Header that carries the secret key.
  public var authorizationHeader = "Authorization"
  /// Word in front of the key; empty sends the key alone.
  public var authorizationScheme = "Bearer"
  /// Where an error's own code stands in its body.
  public var errorCodePath = "error.code"
  /// The account's currency. Nil takes CDF in test mode; live mode has no default.
  public var currency: String?
  /// Decimal digits that the integer `amount` counts: 2 makes 2500000 CDF 25,000.00. Nil takes
  /// those of ISO 4217 in test mode; live mode has no default.
  public var exponent: Int?
  /// Words of `state`. Nil takes ``FutaStates/assumed`` in test mode; live mode has no default.
  public var states: FutaStates?
  /// From the making of a request to its `expires_at`, minutes.
  public var paymentLifeMinutes = 60
  /// Whether `return_url` may have a scheme of the app's own. Only https is documented.
  public var allowsAppReturnURL = false
  /// How webhooks are known; nil takes none.
  public var webhook: PaymentDeliverySettings?

  /// The default choices.
  public init(baseURL: String) { self.baseURL = baseURL }
}

/// Which words of `state` mean what. Letters A–Z are compared without case; a word in no list is
/// `unknown` and decides nothing.
public struct FutaStates: Hashable, Sendable {
  /// The money is there.
  public var paid: [String]
  /// The money was there and went back as a whole.
  public var refunded: [String]
  /// Refused; counts only with `final: true`.
  public var failed: [String]
  /// The payer's time ran out; counts only with `final: true`.
  public var expired: [String]
  /// Given up; counts only with `final: true`.
  public var cancelled: [String]
  /// Not decided yet.
  public var pending: [String]

  /// Collects the words; those that are not given stay unknown.
  public init(
    paid: [String], refunded: [String] = [], failed: [String] = [], expired: [String] = [],
    cancelled: [String] = [], pending: [String] = []
  ) {
    self.paid = paid
    self.refunded = refunded
    self.failed = failed
    self.expired = expired
    self.cancelled = cancelled
    self.pending = pending
  }

  /// The field's usual words. Futa documents none.
  public static let assumed = FutaStates(
    paid: ["paid"], refunded: ["refunded"], failed: ["failed"], expired: ["expired"],
    cancelled: ["cancelled", "canceled"], pending: ["created", "pending", "processing"])

  var all: [[String]] { [paid, refunded, failed, expired, cancelled, pending] }
}

extension PaymentDeliverySettings {
  /// How Futa's webhooks are likely known. That they are signed is documented, by which scheme is
  /// not.
  public static func futa(secrets: [Secret]) -> PaymentDeliverySettings {
    PaymentDeliverySettings(secrets: secrets, header: "Futa-Signature", paymentPath: "payment")
  }
}
