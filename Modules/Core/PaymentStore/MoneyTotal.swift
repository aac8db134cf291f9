public import PaymentModels

/// Money that moved in a span of time, of one account and currency.
public struct MoneyTotal: Hashable, Sendable {
  /// At which provider.
  public var provider: ProviderName
  /// Through which account.
  public var account: ProviderAccount
  /// In which currency.
  public var currency: Currency
  /// Taken from payers, minor units.
  public var captured: Int64
  /// Given back by us, minor units.
  public var refunded: Int64
  /// Taken back by banks or the provider, minor units.
  public var chargedBack: Int64
  /// What of the captured money belongs to orders with an open review, minor units.
  public var inReview: Int64

  /// Collects sums.
  public init(
    provider: ProviderName, account: ProviderAccount, currency: Currency, captured: Int64 = 0,
    refunded: Int64 = 0, chargedBack: Int64 = 0, inReview: Int64 = 0
  ) {
    self.provider = provider
    self.account = account
    self.currency = currency
    self.captured = captured
    self.refunded = refunded
    self.chargedBack = chargedBack
    self.inReview = inReview
  }
}
