public import PaymentModels

/// What the sandbox accepts, and how it behaves where the provider's document leaves a choice.
///
/// Each value can be changed while it runs, through `POST /sandbox/settings`, except keys and
/// merchants.
public struct TabbySandboxSettings: Sendable {
  /// Keys that are let in. Only those that begin with `sk_test_` (all calls) or `pk_test_`
  /// (creating a session) ever match, so that a live client pointed here fails loudly.
  public var keys: [Secret]
  /// The stores that the keys serve.
  public var merchants: [TabbyMerchant] = [
    TabbyMerchant(code: "AE", currency: "AED", name: "Till & Co"),
    TabbyMerchant(code: "SA", currency: "SAR", name: "Till & Co"),
    TabbyMerchant(code: "KW", currency: "KWD", name: "Till & Co"),
  ]
  /// Refuse what the published schema refuses. The real server is known to take less.
  public var isStrict = false
  /// Life of a session. Documented: 20 minutes.
  public var sessionLifeMs: Int64 = 1_200_000
  /// From the end of the session to EXPIRED. Documented as about 10 minutes; other pages say 5 to
  /// 20.
  public var expiryDelayMs: Int64 = 600_000
  /// Send a webhook on expiry. Off at the provider unless asked for.
  public var sendsExpireEvent = false
  /// Status of a payment whose session was rejected by pre-scoring. Not documented.
  public var prescoreRejectedStatus = PrescoreRejectedStatus.created
  /// Where a rejected session says why. Two pages of the document disagree.
  public var rejectionReasonPlace = RejectionReasonPlace.products
  /// Answer to a capture or refund whose `reference_id` was used for another amount. Not
  /// documented.
  public var reusedReference = ReusedReference.replay
  /// Strip trailing zeros from amounts of payments (`100.00` reads back as `100`). Seen for two
  /// decimals, assumed for three.
  public var stripsZeros = true
  /// What happens to an amount with more decimals than its currency has. Not documented.
  public var excessDecimals = ExcessDecimals.refuse
  /// Waits before the repeats of a webhook. Documented: four, spaced exponentially between one
  /// and four minutes.
  public var webhookRetryMs: [Int64] = [60_000, 120_000, 240_000, 240_000]
  /// Whether an EXPIRED payment can still turn AUTHORIZED when the payer's bank says yes.
  /// Documented as final.
  public var allowsLateAuthorization = false
  /// Shape of the list of webhooks. The schema says one object or null, the provider's own
  /// plug-ins expect an array.
  public var webhookListShape = WebhookListShape.array
  /// Days from creation in which refunds are taken. Newer pages say 180, older ones 45.
  public var refundWindowDays: Int64 = 180
  /// Smaller orders are rejected with `order_amount_too_low`; decimal in major units. The provider
  /// documents no trigger.
  public var amountMin: String?
  /// Larger orders are rejected with `order_amount_too_high`; decimal in major units.
  public var amountMax: String?
  /// Answer 429 above the limits of a test key: 10 sessions in 10 seconds, 50 other calls in one.
  public var limitsRate = false
  /// Faults of every payment that has none of its own.
  public var faults = TabbyFaults()

  /// The documented behaviour, for the given keys.
  public init(keys: [Secret] = [Self.demoSecretKey, Self.demoPublicKey]) {
    self.keys = keys
  }

  /// The secret key of demos; it opens nothing but a sandbox.
  public static let demoSecretKey = Secret("sk_test_00000000-0000-4000-8000-000000000001")
  /// The public key of demos, as it stands in links to the hosted page.
  public static let demoPublicKey = Secret("pk_test_00000000-0000-4000-8000-000000000002")
}

/// One store of the merchant at the provider.
public struct TabbyMerchant: Sendable, Hashable {
  /// `merchant_code` of the API.
  public var code: String
  /// The only currency that it takes: AED, SAR or KWD.
  public var currency: String
  /// Shown on the hosted page.
  public var name: String

  /// A store.
  public init(code: String, currency: String, name: String) {
    self.code = code
    self.currency = currency
    self.name = name
  }
}

/// Status of a payment, upper case as the API writes it; webhooks write it in lower case.
public enum TabbyStatus: String, Sendable, CaseIterable {
  /// The session is open, or nobody knows yet.
  case created = "CREATED"
  /// The payer has paid the first part; nothing is captured in full.
  case authorized = "AUTHORIZED"
  /// Captured, or closed by the merchant.
  case closed = "CLOSED"
  /// The provider declined the payer.
  case rejected = "REJECTED"
  /// Cancelled, or not finished in time.
  case expired = "EXPIRED"
}

/// Status of a payment whose session was rejected before the payer saw it.
public enum PrescoreRejectedStatus: String, Sendable, CaseIterable {
  /// Stays CREATED and expires like any other.
  case created = "CREATED"
  /// REJECTED at once.
  case rejected = "REJECTED"

  var status: TabbyStatus { self == .created ? .created : .rejected }
}

/// Where a session that pre-scoring rejected carries its reason.
public enum RejectionReasonPlace: String, Sendable, CaseIterable {
  /// `configuration.products.installments.rejection_reason`
  case products
  /// `configuration.available_products.installments[0].rejection_reason`
  case availableProducts = "available_products"
  /// `rejection_reason_code` at the top, the oldest form.
  case topLevel = "top_level"
}

/// Answer to a repeated `reference_id` with another amount.
public enum ReusedReference: String, Sendable, CaseIterable {
  /// 200 with the unchanged payment.
  case replay
  /// 400.
  case refuse
}

/// What happens to `10.005` in a currency of two decimals.
public enum ExcessDecimals: String, Sendable, CaseIterable {
  /// 400.
  case refuse
  /// Rounded half up.
  case round
}

/// Shape of `GET /api/v1/webhooks`.
public enum WebhookListShape: String, Sendable, CaseIterable {
  /// An array, empty if there is none.
  case array
  /// The first one, or null.
  case object
}
