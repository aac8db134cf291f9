public import ProviderInterface

/// The choices for one account at SEB, before they are checked by ``SEBConfiguration``.
///
/// SEB's own page describes its app SDK. The API behind it is modelled on the E-commerce Gateway
/// (EGW) of Tietoevry, whose names it shares and which says itself that production may differ. What
/// both leave open stands here; Docs/Providers/seb.md lists it under *Assumptions*.
public struct SEBSettings: Hashable, Sendable {
  /// Scheme and host of the API, and a path before all others if there is one, without a slash at
  /// the end. Nil takes the EGW's sandbox for a test account; a live one has no default.
  public var baseURL: String?
  /// Where access tokens are fetched. Nil takes the EGW's for a test account; a live one has no
  /// default.
  public var tokenURL: String?
  /// Path of payments under the base; the document writes `/egw/{version}/payments`.
  public var paymentsPath = "/egw/v1/payments"
  /// How the client's id and secret are shown to the token's address.
  public var clientAuthentication = SEBClientAuthentication.basic
  /// The scope that is asked for with a token; nil asks for none.
  public var tokenScope: String?
  /// Currencies of the account. Nil takes EUR for a test account; a live one has no default.
  public var currencies: [String]?
  /// How the payer's money becomes ours. Nil takes `automatic` for a test account; a live one has
  /// no default.
  public var capture: ProviderCapabilities.Capture?
  /// Words of `paymentStatus`. Nil takes ``SEBStates/assumed`` for a test account and none for a
  /// live one.
  public var states: SEBStates?
  /// Where captures, cancels and refunds go, and how. Nil takes ``SEBOperations/assumed`` for a
  /// test account and none for a live one.
  public var operations: SEBOperations?
  /// Whether name, email and phone of the buyer are sent, which the document wants for fraud
  /// checks and 3-D Secure.
  public var sendsCustomer = true
  /// Whether an answer to a create is no answer without `verificationKey`, which SEB's page has
  /// the app hold and which no text of the EGW names.
  public var requiresVerificationKey = true
  /// The query parameter by which the page is opened at one method; nil appends none.
  public var methodHintParameter: String?
  /// The method at which the page is opened. A word that is no ``SEBMethodHint`` is dropped, so
  /// that the page shows its chooser.
  public var preferredMethod: String?
  /// Where an error's own code stands in its body.
  public var errorCodePath = "code"

  /// The default choices.
  public init() {}
}

/// How a client is known where tokens are fetched (RFC 6749, section 2.3.1).
public enum SEBClientAuthentication: String, Hashable, Sendable, CaseIterable {
  /// HTTP Basic, which every such server takes.
  case basic
  /// As members of the form.
  case form
}

/// What a checkout page can be opened at (SEB, *Hosted checkout*).
public enum SEBMethodHint: String, Hashable, Sendable, CaseIterable {
  /// Cards.
  case card
  /// Pay by Bank.
  case bank
  /// Click to Pay.
  case clickToPay = "click-to-pay"
}

/// What the words of `paymentStatus` mean.
///
/// `INITIALIZED` and `SENT_FOR_PROCESSING` are documented and stand for themselves. Letters A–Z are
/// compared without case; a word in no list is `unknown` and decides nothing.
public struct SEBStates: Hashable, Sendable {
  /// Held for us; a capture is owed.
  public var authorized: [String]
  /// Taken.
  public var captured: [String]
  /// Taken, and given back.
  public var refunded: [String]
  /// Refused for good: the payment itself, not one try in it.
  public var failed: [String]
  /// Cancelled for good.
  public var cancelled: [String]
  /// The payer's time ran out.
  public var expired: [String]

  /// Collects the words; those that are not given stay unknown.
  public init(
    authorized: [String] = [], captured: [String] = [], refunded: [String] = [],
    failed: [String] = [], cancelled: [String] = [], expired: [String] = []
  ) {
    self.authorized = authorized
    self.captured = captured
    self.refunded = refunded
    self.failed = failed
    self.cancelled = cancelled
    self.expired = expired
  }

  /// The field's usual words. Neither SEB nor the EGW shows them.
  public static let assumed = SEBStates(
    authorized: ["AUTHORIZED"], captured: ["CAPTURED", "SETTLED"], refunded: ["REFUNDED"],
    failed: ["FAILED"], cancelled: ["CANCELLED"], expired: ["EXPIRED", "ABANDONED"])

  /// No word but the documented ones.
  public static let none = SEBStates()

  var unpaidEnds: [String] { failed + cancelled + expired }

  var all: [String] { authorized + captured + refunded + failed + cancelled + expired }
}

/// Where captures, cancels and refunds are sent. That they exist is documented, their
/// paths are not.
public struct SEBOperations: Hashable, Sendable {
  /// Path of a capture under the base, with `{paymentId}` for the payment's id; nil sends none.
  public var capturePath: String?
  /// Path of a cancel; nil sends none.
  public var cancelPath: String?
  /// Path of a refund; nil sends none.
  public var refundPath: String?
  /// Whether a refund may be of less than the whole.
  public var allowsPartialRefunds = false
  /// Where a payment says how much was captured, as `{amount, currency}`; nil asks nowhere, and a
  /// captured payment counts as captured as a whole.
  public var capturedAmountPath: String?
  /// Where a payment says how much went back, as `{amount, currency}`; nil asks nowhere, and a
  /// refunded payment counts as refunded as a whole.
  public var refundedAmountPath: String?

  /// Sends nothing and asks nowhere, until told.
  public init() {}

  /// Paths beside the documented ones. Neither SEB nor the EGW shows them.
  public static var assumed: SEBOperations {
    var operations = SEBOperations()
    operations.capturePath = "/egw/v1/payments/{paymentId}/capture"
    operations.cancelPath = "/egw/v1/payments/{paymentId}/cancel"
    operations.refundPath = "/egw/v1/refunds"
    operations.capturedAmountPath = "capturedAmount"
    operations.refundedAmountPath = "refundedAmount"
    return operations
  }
}
