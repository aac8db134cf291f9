public import PaymentModels
import PaymentStore

/// One point in which a provider's truth and the local book differ.
public struct Difference: Hashable, Sendable {
  /// What it is.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The provider has money or an end that the book lacks.
    case missing
    /// Something has waited too long: a create, an operation, a payer, or money that is held.
    case stuck
    /// A payment at the provider that the book does not know, or knows as a second one.
    case orphan
    /// Another amount than was asked for.
    case amount
    /// Another currency than was asked for.
    case currency
    /// Money went back, and no refund of ours did it.
    case refunded
    /// What was held or taken was let go, and no close of ours did it.
    case voided
    /// The payer's bank or the provider takes money back, or has ended a dispute.
    case disputed
    /// The book has money that the provider does not show.
    case absent
    /// The provider's payment names another order, other goods or another mode.
    case foreign
    /// A state that the book cannot have come to.
    case state
  }

  /// Who brings the books together.
  public enum Settler: String, Hashable, Sendable, CaseIterable {
    /// A read that is applied.
    case read
    /// The server's own work, which goes on by itself.
    case schedule
    /// A person: no rule says which side is right, or what to do about it.
    case person
  }

  /// What it is.
  public var kind: Kind
  /// At which provider.
  public var provider: ProviderName
  /// Through which account.
  public var account: ProviderAccount
  /// Of which payment; nil if the book knows none.
  public var paymentID: PaymentID?
  /// The provider's id of it.
  public var providerPaymentID: ProviderPaymentID?
  /// What the book says.
  public var booked: String
  /// What the provider says.
  public var told: String
  /// The money that is at stake; nil if none is.
  public var amount: Money?
  /// Who brings the books together.
  public var settledBy: Settler

  /// Builds a difference about a payment of the book.
  init(
    _ kind: Kind, _ payment: PaymentRow, booked: String, told: String, amount: Money? = nil,
    by settledBy: Settler
  ) {
    self.kind = kind
    provider = payment.provider
    account = payment.account
    paymentID = payment.id
    providerPaymentID = payment.providerPaymentID
    self.booked = booked
    self.told = told
    self.amount = amount
    self.settledBy = settledBy
  }

  /// Builds a difference about a payment that the book does not know.
  init(orphan reading: PaymentReading, of account: AccountKey, by settledBy: Settler) {
    kind = .orphan
    provider = account.provider
    self.account = account.account
    paymentID = reading.paymentReference.flatMap {
      isCanonicalUUID($0) ? PaymentID($0) : nil
    }
    providerPaymentID = reading.providerPaymentID
    booked = "nothing"
    told = reading.status.description
    amount = reading.amount
    self.settledBy = settledBy
  }
}
