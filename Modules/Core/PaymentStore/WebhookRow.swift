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
  /// The bytes as they came.
  public var body: [UInt8]
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
  /// Why, for a parked one.
  public var detail: String?
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
    isProof = false
    state = .received
    deliveries = 1
    tries = 0
    nextTryAt = receivedAt
  }
}
