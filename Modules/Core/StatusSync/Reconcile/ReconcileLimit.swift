public import PaymentModels
public import ProviderInterface

/// What no comparison with one account's answers can find.
public struct ReconcileLimit: Hashable, Sendable {
  /// At which provider.
  public var provider: ProviderName
  /// Through which account.
  public var account: ProviderAccount
  /// Each a sentence without a full stop; none if all can be found.
  public var sentences: [String]

  /// Tells it from what the provider can do.
  public init(_ provider: any PaymentProvider) {
    self.provider = provider.name
    account = provider.account
    let capabilities = provider.capabilities
    var sentences: [String] = []
    switch capabilities.listing {
    case .none:
      sentences.append("no list of payments is known, so orphans cannot be found")
    case .holdingMoney:
      sentences.append(
        "its list holds paid payments by day of creation, so older orphans and "
          + "unpaid ones are not found")
    }
    if !capabilities.undoneProofs.contains(.read) {
      let ways = capabilities.undoneProofs
      if ways.contains(.transactionRead) {
        sentences.append("refunds and disputes are seen only where the paying transaction is known")
      } else {
        sentences.append("no read shows refunds or disputes made elsewhere")
      }
    }
    if !capabilities.operationsCarryReference {
      sentences.append(
        "refunds bear no id of ours, so one made elsewhere may pass for one under way")
    }
    self.sentences = sentences
  }
}
