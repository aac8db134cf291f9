public import PaymentModels

/// What the merchant wants done by itself once money is held or taken.
public struct SettlementPolicy: Hashable, Sendable {
  /// How held money gets captured.
  public enum Capture: String, Hashable, Sendable, CaseIterable {
    /// By the kit, once amount, currency, order and mode were checked.
    case automatic
    /// By an operator.
    case manual
  }

  /// At which proof the goods may go out.
  public enum FulfilOn: String, Hashable, Sendable, CaseIterable {
    /// Once the money was taken.
    case captured
    /// Once the exact amount is held.
    case authorized
  }

  /// How held money gets captured.
  public var capture: Capture
  /// At which proof the goods may go out.
  public var fulfilOn: FulfilOn

  /// Accounts whose provider is known not to report the amount of a payment. What we asked for
  /// then counts as what it says, on an answer about the payment that was made with that amount.
  public var unreportedAmounts: Set<AccountKey> = []

  /// Automatic capture, and goods go out once it is proven, unless told.
  public init(capture: Capture = .automatic, fulfilOn: FulfilOn = .captured) {
    self.capture = capture
    self.fulfilOn = fulfilOn
  }
}
