public import PaymentModels
public import ProviderInterface

/// The choices for one account at Raïs, before they are checked by ``RaisConfiguration``.
///
/// Raïs' only public page leaves much of its API open. Each such choice stands here with the
/// default that the page makes likely; Docs/Providers/rais.md lists them under *Assumptions*.
public struct RaisSettings: Hashable, Sendable {
  /// How a live key begins. Only the beginning of test keys is documented.
  public var liveKeyPrefix = "rais_sk_live_"
  /// Scheme, host and path of the API, without a slash at the end. A live key goes to the
  /// documented place alone.
  public var baseURL = RaisConfiguration.documentedBaseURL
  /// Language of the hosted page; nil leaves the member out. Only `fr` is documented.
  public var language: String? = "fr"
  /// The account's currency, which no request names. Nil takes GNF with a test key; a live key
  /// has no default.
  public var currency: String?
  /// Decimal digits that the integer `amount` counts. Nil takes those of ISO 4217 with a test
  /// key; a live key has no default.
  public var exponent: Int?
  /// Words of `status` that end a payment unpaid. Nil takes ``RaisStates/assumed`` with a test
  /// key and none with a live one.
  public var states: RaisStates?
  /// Where an error's own code stands in its body.
  public var errorCodePath = "error.code"
  /// How webhooks are known; nil, which only a test key may have, takes none.
  public var webhook: PaymentDeliverySettings?

  /// The default choices.
  public init() {}
}

/// Which words of `status` say that nothing was paid and nothing will be.
///
/// `paid` and `pending` are documented and stand for themselves. Letters A–Z are compared without
/// case; a word in no list is `unknown` and decides nothing.
public struct RaisStates: Hashable, Sendable {
  /// Refused for good.
  public var failed: [String]
  /// The payer's time ran out.
  public var expired: [String]
  /// Given up for good.
  public var cancelled: [String]

  /// Collects the words; those that are not given stay unknown.
  public init(failed: [String] = [], expired: [String] = [], cancelled: [String] = []) {
    self.failed = failed
    self.expired = expired
    self.cancelled = cancelled
  }

  /// The field's usual words. Raïs documents none.
  public static let assumed = RaisStates(
    failed: ["failed"], expired: ["expired"], cancelled: ["cancelled", "canceled"])

  /// No word: whatever is neither `paid` nor `pending` stays unknown and is read again.
  public static let none = RaisStates()

  var all: [String] { failed + expired + cancelled }
}

extension PaymentDeliverySettings {
  /// How Raïs' webhooks are likely known. That they are signed is documented, by which scheme is
  /// not.
  public static func rais(secrets: [Secret]) -> PaymentDeliverySettings {
    PaymentDeliverySettings(secrets: secrets, header: "Rais-Signature", paymentPath: "data")
  }
}
