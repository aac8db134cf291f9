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

  /// What becomes of exact money that comes for an order that was cancelled, refunded or is paid
  /// by another payment. Anything else about it is held for a person, whatever this says.
  public enum LateMoney: String, Hashable, Sendable, CaseIterable {
    /// A person decides.
    case hold
    /// It pays the order, which is revived. A second payment of a paid order is held.
    case revive
    /// It goes back.
    case refund
  }

  /// How held money gets captured.
  public var capture: Capture
  /// At which proof the goods may go out.
  public var fulfilOn: FulfilOn
  /// What becomes of exact money that came late.
  public var lateMoney: LateMoney

  /// Accounts whose provider is known not to report the amount of a payment. What we asked for
  /// then counts as what it says, on an answer about the payment that was made with that amount.
  public var unreportedAmounts: Set<AccountKey> = []

  /// Automatic capture, goods go out once it is proven, and late money is held, unless told.
  public init(
    capture: Capture = .automatic, fulfilOn: FulfilOn = .captured, lateMoney: LateMoney = .hold
  ) {
    self.capture = capture
    self.fulfilOn = fulfilOn
    self.lateMoney = lateMoney
  }
}

extension SettlementPolicy {
  /// The answer of a provider that reports no amount, completed by what its own payment was made
  /// with, where a setting says that this is so.
  package func completed(_ reading: PaymentReading, of payment: PaymentRow) -> PaymentReading {
    guard reading.amount == nil, payment.createState == .created,
      reading.providerPaymentID == payment.providerPaymentID,
      unreportedAmounts.contains(AccountKey(payment.provider, payment.account))
    else { return reading }
    var reading = reading
    reading.amount = payment.amount
    if reading.status == .captured, !reading.items.contains(where: { $0.kind == .capture }) {
      reading.items.append(
        PaymentItem(
          kind: .capture, providerItemID: reading.providerPaymentID.rawValue, reference: nil,
          amount: payment.amount, createdAt: nil))
    }
    return reading
  }
}
