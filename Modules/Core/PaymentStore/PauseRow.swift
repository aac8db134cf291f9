public import PaymentModels

/// A stop of new checkouts at a provider, as an operator made it.
public struct PauseRow: Hashable, Sendable {
  /// At which provider.
  public var provider: ProviderName
  /// Of which account; nil for all of them.
  public var account: ProviderAccount?
  /// Since when.
  public var pausedAt: Instant
  /// Who made it.
  public var operatorName: OperatorName
  /// Why.
  public var reason: String

  /// Builds a row.
  public init(
    provider: ProviderName, account: ProviderAccount?, pausedAt: Instant,
    operatorName: OperatorName, reason: String
  ) {
    self.provider = provider
    self.account = account
    self.pausedAt = pausedAt
    self.operatorName = operatorName
    self.reason = reason
  }

  /// Whether it stops new checkouts through that account.
  public func stops(_ key: AccountKey) -> Bool {
    provider == key.provider && (account == nil || account == key.account)
  }
}
