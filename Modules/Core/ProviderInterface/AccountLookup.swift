package import PaymentModels

extension [any PaymentProvider] {
  /// Where the account stands that a payment was made through: every later call about the payment
  /// goes to that one. Nil if it is no longer configured.
  package func index(of name: ProviderName, _ account: ProviderAccount) -> Int? {
    firstIndex { $0.name == name && $0.account == account }
  }

  /// The account that a payment was made through.
  package func account(of name: ProviderName, _ account: ProviderAccount) -> (any PaymentProvider)?
  {
    index(of: name, account).map { self[$0] }
  }
}
