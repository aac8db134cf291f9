public import HTTPExchange
public import PaymentModels

/// One account at one payment provider: what the kit asks of it.
///
/// A provider module maps wire formats and nothing else: no retries, no store, no state. Every
/// method sends at most one request, so the caller knows exactly what may have happened.
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

  /// Sends stored create bytes.
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

  /// Checks a webhook delivery's authenticity and finds which payment it is about.
  ///
  /// Called with the raw request, before the delivery is stored. It never trusts the body for more
  /// than finding the payment.
  func inspectWebhook(_ request: HTTPRequest) -> WebhookInspection
}

/// What a provider can do, as data, so that callers branch on a fact and not on a name.
public struct ProviderCapabilities: Hashable, Sendable {
  /// Whether a repeat of a create with the same key gives the same payment. If not, a lost
  /// create cannot be found again and a repeat makes a new provider payment.
  public var createHasIdempotencyKey: Bool
  /// Whether money is held first and captured by a second call.
  public var hasAuthorization: Bool
  /// Whether an unpaid payment can be cancelled by us.
  public var canCancelUnpaid: Bool
  /// When to read a payment that is not final: waits counted from its creation; the last one
  /// repeats.
  public var readSchedule: [Duration]
  /// Currencies that it takes, as codes.
  public var currencies: Set<String>

  /// Collects the facts.
  public init(
    createHasIdempotencyKey: Bool, hasAuthorization: Bool, canCancelUnpaid: Bool,
    readSchedule: [Duration], currencies: Set<String>
  ) {
    precondition(!readSchedule.isEmpty, "every provider needs a read schedule")
    self.createHasIdempotencyKey = createHasIdempotencyKey
    self.hasAuthorization = hasAuthorization
    self.canCancelUnpaid = canCancelUnpaid
    self.readSchedule = readSchedule
    self.currencies = currencies
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

  /// Builds an operation.
  public init(
    providerPaymentID: ProviderPaymentID, amount: Money, reference: OperationID,
    reason: String? = nil
  ) {
    self.providerPaymentID = providerPaymentID
    self.amount = amount
    self.reference = reference
    self.reason = reason
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

  /// Collects the answer.
  public init(reading: PaymentReading, checkoutURL: String?, rejectionReason: String? = nil) {
    self.reading = reading
    self.checkoutURL = checkoutURL
    self.rejectionReason = rejectionReason
  }
}

/// What a look at a webhook delivery found.
public enum WebhookInspection: Hashable, Sendable {
  /// Not from the provider, as far as can be told: answered 401, stored nowhere.
  case unauthentic(reason: String)
  /// From the provider, but it cannot be read: answered 400.
  case malformed(reason: String)
  /// About this payment. `paymentReference` is our id, where the body carries it; `mode` what
  /// the body says about real money. Nothing else of the body is used.
  case payment(
    ProviderPaymentID, paymentReference: String?, mode: PaymentMode?, matchedSecret: Int)
}
