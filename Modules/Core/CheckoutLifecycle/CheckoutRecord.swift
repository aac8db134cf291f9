public import PaymentModels

/// What the device keeps of one checkout, so that it survives the end of the process.
///
/// A device store writes it by its ``fields``, whose keys never change.
public struct CheckoutRecord: Hashable, Sendable {
  /// How far the checkout came. Raw values stand in the device store.
  public enum Stage: String, Hashable, Sendable, CaseIterable {
    /// The key is chosen; the create may or may not have reached the server.
    case intent
    /// The payment is known; its page was not opened.
    case created
    /// The page was opened at least once.
    case opened
    /// The outcome is proven.
    case settled
  }

  /// Highest revision that is read back: far more changes than a checkout has, and far from where
  /// the next one would not fit.
  public static let revisionMax: Int64 = 1 << 40

  /// Name of the checkout and idempotency key of its create.
  public let key: CheckoutKey
  /// What the create asks for; a repeat asks for the same.
  public let request: CheckoutRequest
  /// How the page is shown.
  public let strategy: PresentationStrategy
  /// When the payer last tapped to begin it, or to go on with it: of what was wanted just now the
  /// page may open at the next launch, however old its key is.
  public var createdAt: Instant
  /// Counts the changes, so that the answer of the store can be told from that of an earlier save.
  public var revision: Int64
  /// How far it came.
  public var stage: Stage
  /// The payment, once the server has answered.
  public var payment: CheckoutPayment?
  /// The outcome, once proven.
  public var outcome: CheckoutOutcome?
  /// When the outcome was proven; nil without one, and in records of before this was kept.
  public var settledAt: Instant?

  /// A checkout that was just started: revision 1, nothing known.
  public init(
    key: CheckoutKey, request: CheckoutRequest, strategy: PresentationStrategy, createdAt: Instant
  ) {
    self.key = key
    self.request = request
    self.strategy = strategy
    self.createdAt = createdAt
    revision = 1
    stage = .intent
  }

  /// Takes what a server's answer says of the payment, without a secret that no document has the
  /// app hold.
  mutating func keep(_ payment: CheckoutPayment) {
    self.payment = payment
    if rule?.holdsVerificationKey != true { self.payment?.verificationKey = nil }
  }
}
