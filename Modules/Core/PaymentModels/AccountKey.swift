/// One account at one provider: the names of accounts are unique at their provider alone.
public struct AccountKey: Hashable, Sendable {
  /// At which provider.
  public var provider: ProviderName
  /// Which account.
  public var account: ProviderAccount

  /// Names an account.
  public init(_ provider: ProviderName, _ account: ProviderAccount) {
    self.provider = provider
    self.account = account
  }
}
