public import PaymentModels

/// A webhook delivery as stored.
public struct WebhookRow: Hashable, Sendable {
  /// What has become of it.
  public enum State: String, Hashable, Sendable, CaseIterable {
    /// Stored and answered, not worked on yet.
    case received
    /// Caused a read that answered.
    case processed
    /// Names no payment that we know yet.
    case unmatched
    /// Verified, and not for this account: a test event at a live one. Causes nothing.
    case rejected
    /// Given up after the last try, or refused; a person may requeue it.
    case parked
  }

  /// The key.
  public var id: WebhookID
  /// Which provider's endpoint it came to.
  public var provider: ProviderName
  /// The account whose check it passed.
  public var account: ProviderAccount
  /// When it came.
  public var receivedAt: Instant
  /// The bytes as they came; empty once ``bodyErasedAt`` is set.
  public var body: [UInt8]
  /// When the bytes, which may name the buyer, and the headers were erased.
  public var bodyErasedAt: Instant?
  /// The header lines that its check reads, `Name: value`; nil where the check reads none, or one
  /// that is a secret itself.
  public var checkedHeaders: String?
  /// The position of the secret that it fitted; nil if nothing was checked.
  public var matchedSecret: Int?
  /// Whether its account has nothing by which a delivery can be checked.
  public var isUnsigned: Bool
  /// Hexadecimal SHA-256 of the body, by which a twin is known.
  public var bodyHash: String
  /// The provider's payment id that it names.
  public var providerPaymentID: ProviderPaymentID?
  /// Our payment id that it names.
  public var paymentReference: PaymentID?
  /// What a second delivery of it is known by: the provider's own id of the event where it has one,
  /// or the payment that it names where nothing signs it.
  public var eventID: String?
  /// The provider's word for the kind of event, where it has one.
  public var topic: String?
  /// Whether its body may count as proof.
  public var isProof: Bool
  /// What has become of it.
  public var state: State
  /// Why, where the state alone does not tell.
  public var detail: String?
  /// Whether all that it says was taken in. If not, a second delivery of the same event is worth
  /// another look: a setting that was wrong may have been mended.
  public var isConcluded: Bool
  /// How often the same bytes came.
  public var deliveries: Int
  /// Tries to work on it so far.
  public var tries: Int
  /// When to work on it next; nil if not.
  public var nextTryAt: Instant?

  /// A new delivery, due at once.
  public init(
    id: WebhookID, provider: ProviderName, account: ProviderAccount, receivedAt: Instant,
    body: [UInt8], bodyHash: String, providerPaymentID: ProviderPaymentID?,
    paymentReference: PaymentID?
  ) {
    self.id = id
    self.provider = provider
    self.account = account
    self.receivedAt = receivedAt
    self.body = body
    self.bodyHash = bodyHash
    self.providerPaymentID = providerPaymentID
    self.paymentReference = paymentReference
    isUnsigned = false
    isProof = false
    isConcluded = true
    state = .received
    deliveries = 1
    tries = 0
    nextTryAt = receivedAt
  }

  /// Erases the bytes and the headers; what they named, and their hash, stay.
  public mutating func eraseBody(at now: Instant) {
    body = []
    checkedHeaders = nil
    bodyErasedAt = now
  }
}
