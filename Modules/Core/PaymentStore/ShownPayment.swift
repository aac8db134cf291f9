public import PaymentModels

/// What is shown of a payment: what its own row says of it for people, where its order stands, and
/// how much money moved.
public struct ShownPayment: Hashable, Sendable {
  /// The kit's id.
  public var id: PaymentID
  /// The order that it is to pay.
  public var orderID: OrderID
  /// 1 for the order's first payment.
  public var attempt: Int
  /// At which provider.
  public var provider: ProviderName
  /// The amount that the provider was asked to take.
  public var amount: Money
  /// How far the create call has come.
  public var createState: PaymentRow.CreateState
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
  /// A secret of this payment that the provider's document has the app hold.
  public var verificationKey: Secret?
  /// Whether the merchant's policy has stopped waiting for it.
  public var lapsed: Bool
  /// Changes of payment and order so far.
  public var version: Int64
  /// Whose order it is.
  public var subject: Subject
  /// Where the order stands.
  public var orderState: OrderState
  /// Whether the merchant asked to cancel the order.
  public var isCancelRequested: Bool
  /// Minor units captured.
  public var captured: Int64
  /// Minor units refunded or charged back.
  public var goneBack: Int64

  /// Puts it together from whole rows.
  public init(_ row: PaymentRow, of order: OrderRow, items: [PaymentItem]) {
    id = row.id
    orderID = row.orderID
    attempt = row.attempt
    provider = row.provider
    amount = row.amount
    createState = row.createState
    providerPaymentID = row.providerPaymentID
    checkoutURL = row.checkoutURL
    returnURLs = row.returnURLs
    status = row.status
    rejectionReason = row.rejectionReason
    expiresAt = row.expiresAt
    verificationKey = row.verificationKey
    lapsed = row.lapsed
    version = row.version + order.version
    subject = order.subject
    orderState = order.state
    isCancelRequested = order.cancelRequestedAt != nil
    captured = items.sum(.capture)
    goneBack = items.sum(.refund) + items.sum(.chargeback)
  }

  /// Takes what a store has found by other means.
  public init(
    id: PaymentID, orderID: OrderID, attempt: Int, provider: ProviderName, amount: Money,
    createState: PaymentRow.CreateState, returnURLs: ReturnURLs, status: PaymentStatus,
    lapsed: Bool, version: Int64, subject: Subject, orderState: OrderState,
    isCancelRequested: Bool, captured: Int64, goneBack: Int64
  ) {
    self.id = id
    self.orderID = orderID
    self.attempt = attempt
    self.provider = provider
    self.amount = amount
    self.createState = createState
    self.returnURLs = returnURLs
    self.status = status
    self.lapsed = lapsed
    self.version = version
    self.subject = subject
    self.orderState = orderState
    self.isCancelRequested = isCancelRequested
    self.captured = captured
    self.goneBack = goneBack
  }

  /// Whether its provider may know more of it than the store.
  public var mayChange: Bool { createState == .created && !status.isFinalForPayer }
}

extension PaymentRow {
  /// Whether its provider may know more of it than the store.
  public var mayChange: Bool { createState == .created && !status.isFinalForPayer }
}
