public import PaymentModels

/// What a look at a webhook delivery found.
public enum WebhookInspection: Hashable, Sendable {
  /// Not from the provider, as far as can be told: answered 401, stored nowhere.
  case unauthentic(reason: String)
  /// From the provider, but it cannot be read: answered 400.
  case malformed(reason: String)
  /// A question about our endpoint alone: answered 200 with this JSON, stored nowhere.
  case handshake(answer: [UInt8])
  /// About a payment, or of a kind that we leave alone: stored, answered 200.
  case notice(WebhookNotice)
}

/// What the kit takes from a delivery before it is stored: how to find the payment, and what the
/// delivery is worth.
public struct WebhookNotice: Hashable, Sendable {
  /// The provider's payment that it names; nil where its deliveries name our reference alone.
  public var providerPaymentID: ProviderPaymentID?
  /// Our payment id, where the body carries it.
  public var paymentReference: String?
  /// The position of the secret that it fits, for the log; nil if nothing was checked.
  public var matchedSecret: Int?
  /// The provider's own id of the event, where it has one: a second delivery of it is no news.
  public var eventID: String?
  /// The provider's word for the kind of event, where it has one.
  public var topic: String?
  /// Whether the provider's document lets a delivery like this one prove what it says, and its
  /// signature was checked by a scheme that is confirmed for the account.
  public var isProof: Bool
  /// Whether it is of a kind that concerns no payment of ours: stored, and nothing follows.
  public var isIgnored: Bool
  /// Whether it is about real money, where the body says so.
  public var mode: PaymentMode?

  /// A delivery that causes a read.
  public init(
    providerPaymentID: ProviderPaymentID?, paymentReference: String?, matchedSecret: Int?,
    eventID: String? = nil, topic: String? = nil, isProof: Bool = false, isIgnored: Bool = false,
    mode: PaymentMode? = nil
  ) {
    self.providerPaymentID = providerPaymentID
    self.paymentReference = paymentReference
    self.matchedSecret = matchedSecret
    self.eventID = eventID
    self.topic = topic
    self.isProof = isProof
    self.isIgnored = isIgnored
    self.mode = mode
  }
}

/// What the signed body of a delivery proves by itself.
public struct WebhookProof: Hashable, Sendable {
  /// What it says about the payment.
  public var reading: PaymentReading
  /// When the provider says that it happened; nil if it does not say. One that is older than the
  /// last proof is no proof any more.
  public var occurredAt: Instant?
  /// Whether a read cannot tell what it says, so that it counts beside a read that answered.
  public var supplementsRead: Bool

  /// Collects what is proven.
  public init(reading: PaymentReading, occurredAt: Instant?, supplementsRead: Bool) {
    self.reading = reading
    self.occurredAt = occurredAt
    self.supplementsRead = supplementsRead
  }
}
