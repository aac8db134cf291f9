public import PaymentModels

/// What the device keeps of a payment that the server has made.
public struct CheckoutPayment: Hashable, Sendable {
  /// The kit's id, by which the server is asked.
  public var paymentID: PaymentID
  /// The order that it is to pay.
  public var orderID: OrderID
  /// The provider's id, once known; some providers put it into the return URL.
  public var providerPaymentID: ProviderPaymentID?
  /// The hosted page; nil while there is none that may be opened.
  public var checkoutURL: String?
  /// Where the page sends the payer; what comes back is matched against these.
  public var returnURLs: ReturnURLs
  /// A secret of this payment that the provider's document has the app hold (SEB's
  /// `verificationKey`); nil where there is none or the payment cannot be paid.
  public var verificationKey: Secret?

  /// Collects the values.
  public init(
    paymentID: PaymentID, orderID: OrderID, providerPaymentID: ProviderPaymentID?,
    checkoutURL: String?, returnURLs: ReturnURLs, verificationKey: Secret? = nil
  ) {
    self.paymentID = paymentID
    self.orderID = orderID
    self.providerPaymentID = providerPaymentID
    self.checkoutURL = checkoutURL
    self.returnURLs = returnURLs
    self.verificationKey = verificationKey
  }

  /// Whether a page may be opened for it: it is a web page, every way back has a scheme (one of the
  /// app's own where the strategy can wait for no other), and the secret is there where the app
  /// must hold one. (SEB checks the same before it presents anything; a page that fails it would
  /// show nothing.)
  func isPresentable(under rule: PresentationRule?) -> Bool {
    guard let scheme = checkoutURL.flatMap(WebOrigin.init)?.scheme else { return false }
    if rule?.holdsVerificationKey == true, verificationKey?.isBlank != false { return false }
    if rule?.strategy.traits.matchesHTTPSReturns == false,
      ReturnURLMatcher(returnURLs, mode: .scheme).callbackScheme == nil
    {
      return false
    }
    return !paymentID.rawValue.isEmpty && ["http", "https"].contains(scheme)
      && [returnURLs.success, returnURLs.cancel, returnURLs.failure]
        .allSatisfy { ReturnURL($0) != nil }
  }
}

/// What the server says about a payment: the answer to the create and to every read.
public struct PaymentAnswer: Hashable, Sendable {
  /// Ids and URLs.
  public var payment: CheckoutPayment
  /// As the provider has proven it; nil while the provider's answer to the create is not known.
  public var status: PaymentStatus?
  /// Where the order stands, all its payments counted.
  public var orderState: OrderState
  /// Grows with every change of the payment.
  public var version: Int64

  /// Collects the values.
  public init(
    payment: CheckoutPayment, status: PaymentStatus?, orderState: OrderState, version: Int64
  ) {
    self.payment = payment
    self.status = status
    self.orderState = orderState
    self.version = version
  }
}
