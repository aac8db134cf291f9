public import PaymentModels
public import StrictJSON

/// What a judge may look at: what the provider and the shop know, what the payer was shown, and
/// what the merchant's book claims. Times are the world's, which are also the provider's.
public struct WorldEvidence: Sendable {
  /// A message that reached the shop and was acknowledged.
  public struct Receipt: Sendable, Hashable {
    /// When.
    public var at: Instant
    /// The id that the shop dedupes by.
    public var messageID: String
    /// `order.fulfil`, `order.revoke`, …
    public var type: String
    /// About which order.
    public var orderID: String
  }

  /// Something that the payer was shown.
  public struct Screen: Sendable, Hashable {
    /// When.
    public var at: Instant
    /// Of which checkout.
    public var checkout: String
    /// Its order, once known.
    public var orderID: String?
    /// `preparing`, `confirming`, `not_started`, or the word of an outcome: `succeeded`,
    /// `cancelled`, `rejected`, `expired`, `still_confirming`, `under_review`.
    public var shows: String
  }

  /// An order as the merchant's store has it.
  public struct BookOrder: Sendable, Hashable {
    /// The order.
    public var orderID: String
    /// `pending`, `paid`, …
    public var state: String
    /// Sum of the captures that the book knows, minor units.
    public var captured: Int64
    /// Payments in the order of their attempts.
    public var payments: [BookPayment]
  }

  /// A payment as the merchant's store has it.
  public struct BookPayment: Sendable, Hashable {
    /// The provider's id; nil while the create has no answer.
    public var providerPaymentID: String?
    /// `created`, `captured`, …
    public var status: String
  }

  /// When the evidence was taken. The book was read before the ledger.
  public var at: Instant
  /// `GET /sandbox/ledger` of the provider.
  public var ledger: JSONValue
  /// In the order of arrival, repeats included.
  public var receipts: [Receipt]
  /// In the order of showing.
  public var screens: [Screen]
  /// By order id.
  public var book: [BookOrder]
}

/// What a judge makes of the evidence.
public struct WorldVerdict: Sendable, Hashable {
  /// What must never be.
  public var violations: [String]
  /// What must not stay: it becomes a violation if it lasts beyond the bound.
  public var unsettled: [String]

  /// Collects the findings.
  public init(violations: [String] = [], unsettled: [String] = []) {
    self.violations = violations
    self.unsettled = unsettled
  }
}

/// How a world went.
public struct WorldReport: Sendable {
  /// The seed that makes it again.
  public var seed: UInt64
  /// What was wrong, each once, in the order in which it was found. Empty is good.
  public var violations: [String]
  /// Everything that happened.
  public var trace: WorldTrace
  /// What the last verdict was made of; nil if the world stalled before the first.
  public var evidence: WorldEvidence?
  /// Times that the server crashed.
  public var serverCrashes: Int
  /// Times that the app crashed.
  public var appCrashes: Int
}
