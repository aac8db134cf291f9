/// What one authenticated answer of a provider says about a payment: the only thing, beside a
/// signed webhook that a provider's document calls proof, that may change money state.
public struct PaymentReading: Hashable, Sendable {
  /// The provider's id of the payment that was read.
  public var providerPaymentID: ProviderPaymentID
  /// Its state in the kit's words.
  public var status: PaymentStatus
  /// The amount to pay; nil if the provider did not say. Absent is never taken for zero.
  public var amount: Money?
  /// Our order id as the provider gave it back.
  public var orderReference: String?
  /// Our payment id as the provider gave it back (Tabby `meta`).
  public var paymentReference: String?
  /// Whether the provider says that no real money moves; nil if it did not say.
  public var mode: PaymentMode?
  /// Captures, refunds and charge-backs so far.
  public var items: [PaymentItem]
  /// When the provider means to let the payer's time run out, if it says so.
  public var expiresAt: Instant?
  /// The transaction that paid it, where the provider keeps it apart from the payment.
  public var transactionID: String?
  /// Where a dispute about it stands, if the provider speaks of one.
  public var dispute: DisputeStanding?
  /// How long fulfilment waits until the provider has said whether real money moved; nil where
  /// its answers say so at once or nobody asks.
  public var modeWait: Duration?
  /// Whether the provider lists other goods than those that were asked for.
  public var isForOtherGoods: Bool
  /// Where the answer contradicts itself, so that a person should ask the provider; nil if it does
  /// not. Holds no buyer data.
  public var contradiction: String?

  /// Collects what the provider said.
  public init(
    providerPaymentID: ProviderPaymentID, status: PaymentStatus, amount: Money?,
    orderReference: String? = nil, paymentReference: String? = nil, mode: PaymentMode? = nil,
    items: [PaymentItem] = [], expiresAt: Instant? = nil, transactionID: String? = nil,
    dispute: DisputeStanding? = nil, modeWait: Duration? = nil, isForOtherGoods: Bool = false,
    contradiction: String? = nil
  ) {
    self.providerPaymentID = providerPaymentID
    self.status = status
    self.amount = amount
    self.orderReference = orderReference
    self.paymentReference = paymentReference
    self.mode = mode
    self.items = items
    self.expiresAt = expiresAt
    self.transactionID = transactionID
    self.dispute = dispute
    self.modeWait = modeWait
    self.isForOtherGoods = isForOtherGoods
    self.contradiction = contradiction
  }
}

/// Where a payer's dispute about a payment stands. The money that it took or gave back is told by
/// items of kind ``PaymentItem/Kind/chargeback``.
public enum DisputeStanding: String, Hashable, Sendable, CaseIterable {
  /// Not decided yet.
  case opened
  /// Decided for us.
  case won
  /// Decided for the payer.
  case lost
  /// Over, without a word for whom.
  case closed
}

/// One movement of money on a payment, known by the provider's own id for it.
public struct PaymentItem: Hashable, Sendable {
  /// Which way the money went.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Taken from the payer.
    case capture
    /// Given back by us.
    case refund
    /// Taken back by the payer's bank or the provider.
    case chargeback
  }

  /// Which way the money went.
  public var kind: Kind
  /// The provider's id of the movement.
  public var providerItemID: String
  /// The reference that we gave with the operation, if it came back.
  public var reference: String?
  /// How much.
  public var amount: Money
  /// When the provider says that it happened.
  public var createdAt: Instant?

  /// One movement as the provider told it.
  public init(
    kind: Kind, providerItemID: String, reference: String?, amount: Money, createdAt: Instant?
  ) {
    self.kind = kind
    self.providerItemID = providerItemID
    self.reference = reference
    self.amount = amount
    self.createdAt = createdAt
  }
}
