public import CheckoutLifecycle
public import PaymentModels

/// What the device needs of the merchant's server: three calls. `MerchantClient` speaks to the
/// kit's own server; a team with another backend writes these three.
public protocol MerchantBackend: Sendable {
  /// Has a payment made for the request, or finds the one that was made under the same key.
  ///
  /// - Throws: ``BackendError``. Also after an error the payment may have been made, so it is
  ///   repeated under the same key and never under another.
  func createCheckout(
    _ request: CheckoutRequest, key: CheckoutKey
  ) async throws(BackendError) -> PaymentAnswer

  /// Asks where a payment stands.
  ///
  /// - Parameters:
  ///   - wait: the server may hold its answer back this long while nothing changes.
  ///   - knownVersion: the version that the device has; nil asks for an answer at once.
  /// - Returns: the payment; nil if it is still as `knownVersion` says.
  /// - Throws: ``BackendError``, which says nothing about the payment.
  func readPayment(
    _ id: PaymentID, wait: Duration, knownVersion: Int64?
  ) async throws(BackendError) -> PaymentAnswer?

  /// Tells the server what the device saw, for its journal.
  ///
  /// - Throws: ``BackendError``; a signal is a hint and may be lost.
  func sendSignal(_ signal: CheckoutSignal, for id: PaymentID) async throws(BackendError)
}

/// A call that brought no answer, or a refusal.
public struct BackendError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What the caller may do.
  public enum Kind: Hashable, Sendable {
    /// Send the same again, not before `after` if the server named a time.
    case retryLater(after: Duration?)
    /// The server refused; the same would be refused again.
    case giveUp
    /// The order is being paid with other terms, perhaps on another device. Nothing was made; the
    /// same may work once that is over.
    case beingPaid
    /// The token is missing or no longer good.
    case signInNeeded
    /// The server itself says that it knows nothing of that id, or shows it to this user not.
    case notFound
  }

  /// What the caller may do.
  public let kind: Kind
  /// A constant text, or a word from the server's list of problems; never data of the exchange.
  public let reason: String

  /// Builds an error.
  public init(_ kind: Kind, reason: String) {
    self.kind = kind
    self.reason = reason
  }

  /// The reason.
  public var description: String { reason }
}
