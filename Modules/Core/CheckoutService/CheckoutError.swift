/// Why a checkout, an operation or a cancel was not accepted. Nothing was half-done.
public struct CheckoutError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What the caller may do next.
  public enum Kind: String, Hashable, Sendable {
    /// The request itself is wrong; the same will never work.
    case invalid
    /// No such order or payment, or not this user's.
    case notFound = "not_found"
    /// The state of the order or payment does not allow it.
    case conflict
    /// The payment's provider has no such operation, or not for a part of the payment.
    case notOffered = "not_offered"
    /// The order can still be paid with other terms, perhaps on another device.
    case beingPaid = "being_paid"
    /// The idempotency key was used for other terms.
    case keyReused = "key_reused"
    /// The provider refused, finally.
    case refused
    /// The merchant takes no new checkouts at the provider for now.
    case paused
    /// Something is out; the same may work later.
    case unavailable
  }

  /// What the caller may do next.
  public let kind: Kind
  /// What happened and what to do, for a person; no secrets, no buyer data.
  public let detail: String
  /// Which part of the request is to blame, if one is.
  public let path: String?
  /// After how long the same may work, if that is known.
  public let retryAfter: Duration?

  /// Builds an error.
  public init(
    _ kind: Kind, _ detail: String, path: String? = nil, retryAfter: Duration? = nil
  ) {
    self.kind = kind
    self.detail = detail
    self.path = path
    self.retryAfter = retryAfter
  }

  /// Kind and detail.
  public var description: String { "\(kind.rawValue): \(detail)" }
}
