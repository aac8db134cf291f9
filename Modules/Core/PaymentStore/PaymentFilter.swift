public import PaymentModels

/// Which payments a list shows.
public struct PaymentFilter: Hashable, Sendable {
  /// A state; each word of a provider's own that the kit has never seen is the same one here.
  public enum State: String, Hashable, Sendable, CaseIterable {
    /// Made, and nobody has paid.
    case created
    /// The payer is at it.
    case pending
    /// Money is held.
    case authorized
    /// Money is taken.
    case captured
    /// The provider refused.
    case rejected
    /// The time ran out.
    case expired
    /// Ended without money.
    case cancelled
    /// A word that the kit does not know.
    case unknown

    /// The state of a payment.
    public init(_ status: PaymentStatus) {
      switch status {
      case .created: self = .created
      case .pending: self = .pending
      case .authorized: self = .authorized
      case .captured: self = .captured
      case .rejected: self = .rejected
      case .expired: self = .expired
      case .cancelled: self = .cancelled
      case .unknown: self = .unknown
      }
    }
  }

  /// In this state; nil for all.
  public var state: State?
  /// At this provider; nil for all.
  public var provider: ProviderName?

  /// A filter that takes what is not excluded.
  public init(state: State? = nil, provider: ProviderName? = nil) {
    self.state = state
    self.provider = provider
  }
}
