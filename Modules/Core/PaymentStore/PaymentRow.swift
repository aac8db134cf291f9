public import PaymentModels

/// A payment as stored: one attempt to pay an order at one provider.
public struct PaymentRow: Hashable, Sendable {
  /// How far the create call has come.
  public enum CreateState: String, Hashable, Sendable, CaseIterable {
    /// The request is stored; whether it was sent is not known.
    case intent
    /// The provider answered with a payment.
    case created
    /// The provider refused to make one, finally.
    case refused
  }

  /// The key: the kit's own payment id.
  public var id: PaymentID
  /// The order that it is to pay.
  public var orderID: OrderID
  /// 1 for the order's first payment.
  public var attempt: Int
  /// At which provider.
  public var provider: ProviderName
  /// Through which account, for good.
  public var account: ProviderAccount
  /// Whether real money moves.
  public var mode: PaymentMode
  /// The amount that the provider was asked to take.
  public var amount: Money
  /// Key under which the create request is sent, at every repeat.
  public var createKey: String
  /// The exact bytes of the create request, which may name the buyer; erased once the create has
  /// an outcome.
  public var createRequest: [UInt8]
  /// How far the create call has come.
  public var createState: CreateState
  /// The provider's id, once known.
  public var providerPaymentID: ProviderPaymentID?
  /// The hosted page, byte for byte.
  public var checkoutURL: String?
  /// Where the page sends the payer.
  public var returnURLs: ReturnURLs
  /// Its state, by proof only.
  public var status: PaymentStatus
  /// The provider's word for a refusal at create, if it gave one.
  public var rejectionReason: String?
  /// When the provider means to let the payer's time run out.
  public var expiresAt: Instant?
  /// The transaction that paid it, where the provider keeps it apart; once known, for good.
  public var transactionID: String?
  /// A secret of this payment that the provider's document has the app hold; erased once the
  /// payment is final.
  public var verificationKey: Secret?
  /// Whether a proof has said whether real money moved.
  public var isModeProven: Bool
  /// Until when fulfilment waits for that proof; nil if it does not.
  public var fulfilmentHeldUntil: Instant?
  /// When the newest thing happened that the body of a delivery has proven, as the provider says.
  public var lastEventAt: Instant?
  /// Where a dispute about it stands; nil if there was none.
  public var dispute: DisputeStanding?
  /// When the intent was stored.
  public var createdAt: Instant
  /// When it is read next, and by whom.
  public var schedule: ReadSchedule
  /// Whether the merchant's policy has stopped waiting for it.
  public var lapsed: Bool
  /// Changes so far; an update must hold the stored one.
  public var version: Int64

  /// A new payment, created as an intent and not yet sent.
  public init(
    id: PaymentID, orderID: OrderID, attempt: Int, provider: ProviderName,
    account: ProviderAccount, mode: PaymentMode, amount: Money, createKey: String,
    createRequest: [UInt8], returnURLs: ReturnURLs, createdAt: Instant
  ) {
    self.id = id
    self.orderID = orderID
    self.attempt = attempt
    self.provider = provider
    self.account = account
    self.mode = mode
    self.amount = amount
    self.createKey = createKey
    self.createRequest = createRequest
    self.returnURLs = returnURLs
    self.createdAt = createdAt
    createState = .intent
    status = .created
    schedule = ReadSchedule(nextReadAt: createdAt)
    isModeProven = false
    lapsed = false
    version = 1
  }
}

/// When a payment is read next. Changes of it alone do not count as changes of the payment.
public struct ReadSchedule: Hashable, Sendable {
  /// When it is to be read next; nil if never.
  public var nextReadAt: Instant?
  /// Until when one process works on it alone.
  public var leaseUntil: Instant?
  /// When a proof last arrived.
  public var lastProofAt: Instant?
  /// Reads in a row that brought nothing usable.
  public var failedReads: Int

  /// Whether another process works on the payment now.
  ///
  /// A lease that ends further off than any that could have begun is from before the clock was
  /// set back, and holds nobody up. The bound is twice a lease: the other process may have begun
  /// its own a moment after `now` was read, or by a clock that goes a little ahead.
  public func isLeased(at now: Instant, lease: Duration) -> Bool {
    #if FaultInjection
      if SeededFault.active == .keepsLeases { return leaseUntil != nil }
    #endif
    return leaseUntil.map { $0 > now && $0 <= now + lease * 2 } ?? false
  }

  /// A schedule without a lease and without reads so far.
  public init(nextReadAt: Instant?) {
    self.nextReadAt = nextReadAt
    failedReads = 0
  }
}
