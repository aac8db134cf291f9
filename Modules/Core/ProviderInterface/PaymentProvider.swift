public import HTTPExchange
public import PaymentModels

/// One account at one payment provider: what the kit asks of it.
///
/// A provider module maps wire formats and nothing else: no retries, no store, no state. Every
/// method sends at most one request, so the caller knows exactly what may have happened. Where a
/// request needs an access token, one for the token may go before it; a token is the one thing that
/// a module may keep, and a call that got none was not sent. Where a provider's document needs
/// several requests for one step, the method says which, and at most the last of them can move
/// money or let a payer do so: Tebex' create fills a basket that nobody can pay before its page is
/// handed out, and its refund reads the transaction first.
public protocol PaymentProvider: Sendable {
  /// The provider's name in routes, rows and logs.
  var name: ProviderName { get }
  /// The account whose keys this value holds; stored with each payment made through it.
  var account: ProviderAccount { get }
  /// Whether its keys move real money.
  var mode: PaymentMode { get }
  /// What it can do.
  var capabilities: ProviderCapabilities { get }

  /// Builds the exact bytes of a create request, which are stored before they are sent.
  ///
  /// - Throws: ``ProviderError`` of kind `refused` if the terms cannot be expressed (currency not
  ///   offered, amount not positive), before anything is sent.
  func prepareCreate(_ terms: CheckoutTerms) throws(ProviderError) -> [UInt8]

  /// Sends what stored create bytes describe.
  ///
  /// - Parameter idempotencyKey: the stored key; sent where the provider has keys.
  func create(_ request: [UInt8], idempotencyKey: String) async throws(ProviderError)
    -> CreatedPayment

  /// Reads a payment: the proof of its state.
  func read(_ id: ProviderPaymentID) async throws(ProviderError) -> PaymentReading

  /// Takes held money. The order of events and the limit are the caller's business.
  func capture(_ request: ProviderOperation) async throws(ProviderError) -> PaymentReading

  /// Gives captured money back.
  func refund(_ request: ProviderOperation) async throws(ProviderError) -> PaymentReading

  /// Ends a payment: cancels what is not captured.
  func close(_ id: ProviderPaymentID) async throws(ProviderError) -> PaymentReading

  /// Reads the transaction that paid a payment, where the provider keeps it apart from the payment
  /// and shows more there (refunds, disputes).
  ///
  /// Called beside ``read(_:)`` once the transaction's id is known. The reading is the payment's.
  ///
  /// - Returns: nil if this account cannot ask; nothing was sent.
  func readTransaction(
    _ id: String, of payment: ProviderPaymentID
  ) async throws(ProviderError) -> PaymentReading?

  /// Checks a webhook delivery's authenticity and finds which payment it is about.
  ///
  /// Called with the raw request, before the delivery is stored.
  func inspectWebhook(_ request: HTTPRequest) -> WebhookInspection

  /// Checks a delivery that was stored, as it was to be checked when it came.
  ///
  /// - Parameter time: when it came; a scheme with a time window counts from there.
  func inspectWebhook(_ request: HTTPRequest, receivedAt time: Instant) -> WebhookInspection

  /// Names of the headers that the check reads, where what they hold may be stored: a signature
  /// fits its own body alone, while a fixed value is a secret.
  var webhookHeaders: [String] { get }

  /// What the body of a stored delivery proves, where the provider's document lets a signed
  /// delivery prove anything.
  ///
  /// Called only with a body whose inspection said ``WebhookNotice/isProof``.
  ///
  /// - Parameter payment: the provider's payment that the delivery was matched to.
  func webhookProof(_ body: [UInt8], of payment: ProviderPaymentID) -> WebhookProof?
}

extension PaymentProvider {
  /// Nil: the payment itself shows everything.
  public func readTransaction(
    _ id: String, of payment: ProviderPaymentID
  ) async throws(ProviderError) -> PaymentReading? { nil }

  /// The check of a scheme without a time window.
  public func inspectWebhook(
    _ request: HTTPRequest, receivedAt time: Instant
  ) -> WebhookInspection { inspectWebhook(request) }

  /// None.
  public var webhookHeaders: [String] { [] }

  /// Nil: a delivery proves nothing and only causes a read.
  public func webhookProof(_ body: [UInt8], of payment: ProviderPaymentID) -> WebhookProof? { nil }
}

extension PaymentProvider {
  /// Reads a payment and, once it is known which transaction paid it, that too.
  ///
  /// - Parameter transactionID: the one that is known; else the one that the payment names.
  /// - Returns: what was read, and why the rest was not.
  package func readWhole(
    _ id: ProviderPaymentID, transactionID: String?
  ) async -> (readings: [PaymentReading], failure: ProviderError?) {
    var readings: [PaymentReading] = []
    do throws(ProviderError) {
      let payment = try await read(id)
      readings.append(payment)
      let told = payment.status.holdsMoney ? payment.transactionID : nil
      if let transactionID = transactionID ?? told,
        let more = try await readTransaction(transactionID, of: id)
      {
        readings.append(more)
      }
      return (readings, nil)
    } catch {
      return (readings, error)
    }
  }
}

/// A capture or refund to be sent.
public struct ProviderOperation: Hashable, Sendable {
  /// The payment at the provider.
  public var providerPaymentID: ProviderPaymentID
  /// How much.
  public var amount: Money
  /// Our id of the operation, the same at every repeat: the provider dedupes by it.
  public var reference: OperationID
  /// Why, in the operator's words; sent where the provider takes a reason.
  public var reason: String?
  /// The transaction that paid the payment, where the provider keeps it apart and it is known.
  public var transactionID: String?

  /// Builds an operation.
  public init(
    providerPaymentID: ProviderPaymentID, amount: Money, reference: OperationID,
    reason: String? = nil, transactionID: String? = nil
  ) {
    self.providerPaymentID = providerPaymentID
    self.amount = amount
    self.reference = reference
    self.reason = reason
    self.transactionID = transactionID
  }
}

/// A provider's answer to a create.
public struct CreatedPayment: Hashable, Sendable {
  /// What the answer says about the payment.
  public var reading: PaymentReading
  /// The hosted page, kept byte for byte; nil if the provider will not take this payer.
  public var checkoutURL: String?
  /// Why the provider will not take this payer: a word of its own document.
  public var rejectionReason: String?
  /// A secret of this payment that the provider's document has the app hold (SEB's
  /// `verificationKey`); nil where there is none.
  public var verificationKey: Secret?

  /// Collects the answer.
  public init(
    reading: PaymentReading, checkoutURL: String?, rejectionReason: String? = nil,
    verificationKey: Secret? = nil
  ) {
    self.reading = reading
    self.checkoutURL = checkoutURL
    self.rejectionReason = rejectionReason
    self.verificationKey = verificationKey
  }
}
