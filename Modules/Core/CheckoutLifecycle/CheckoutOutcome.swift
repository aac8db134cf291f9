import PaymentModels

/// How a checkout ended, as the payer is told. Only a server's answer makes one, never a link, a
/// closed page, an error or a lapse of time; ``unresolved(_:)`` alone says that nothing is known.
public enum CheckoutOutcome: Hashable, Sendable {
  /// The money is held or taken, or the order is paid by another payment.
  case succeeded
  /// Proven: no money, and none can come.
  case failed(Failure)
  /// Proven: closed without capture.
  case cancelled
  /// Not known yet; the server goes on asking, and the next event on the device asks again.
  case unresolved(Doubt)

  /// Why there is no money.
  public enum Failure: String, Hashable, Sendable, CaseIterable {
    /// The provider refused.
    case rejected
    /// The payer's time ran out or the payer gave up.
    case expired
  }

  /// Why the outcome is not known.
  public enum Doubt: String, Hashable, Sendable, CaseIterable {
    /// "Still confirming your payment": the run of reads ended before the provider did.
    case stillConfirming = "still_confirming"
    /// "We are checking your payment": a person at the merchant decides.
    case underReview = "under_review"
  }

  /// Whether the cart stays as it was: always, unless the order is paid.
  public var keepsCart: Bool { self != .succeeded }

  /// Whether the server has proven it.
  public var isProven: Bool {
    switch self {
    case .succeeded, .failed, .cancelled: true
    case .unresolved: false
    }
  }

  /// The word that stands in the device store and in the app simulator's lines.
  public var stored: String {
    switch self {
    case .succeeded: "succeeded"
    case .failed(let failure): failure.rawValue
    case .cancelled: "cancelled"
    case .unresolved(let doubt): doubt.rawValue
    }
  }

  /// Reads back what ``stored`` wrote; nil for any other word.
  public init?(stored text: String) {
    let all: [CheckoutOutcome] =
      [.succeeded, .cancelled] + Failure.allCases.map { .failed($0) }
      + Doubt.allCases.map { .unresolved($0) }
    guard let outcome = all.first(where: { $0.stored == text }) else { return nil }
    self = outcome
  }
}

extension PaymentAnswer {
  /// What this answer proves; nil while it proves nothing.
  ///
  /// The order decides before the payment: one that another attempt has paid is paid, and one
  /// under review is never told as a failure.
  public var outcome: CheckoutOutcome? {
    #if FaultInjection
      if SeededFault.active == .takesReviewForFailure, orderState == .needsReview {
        return .failed(.rejected)
      }
    #endif
    switch orderState {
    case .needsReview: return .unresolved(.underReview)
    case .authorized, .paid: return .succeeded
    case .cancelled where status?.holdsMoney == true: return .unresolved(.underReview)
    case .pending, .refunded, .cancelled: break
    }
    switch status {
    case .authorized, .captured: return .succeeded
    case .rejected: return .failed(.rejected)
    case .expired: return .failed(.expired)
    case .cancelled: return .cancelled
    case .created, .pending, .unknown, nil: return nil
    }
  }
}
