public import PaymentStore

/// What every `PaymentStore` promises, as checks that each run on an empty store of their own.
public enum PaymentStoreContract {
  /// One promise.
  public typealias Case = ContractCase<any PaymentStore>

  /// Every promise.
  public static let cases: [Case] =
    transactions + orders + payments + schedule + items + operations + inbox + outbox + records
    + references + dueTimes + operators + statistics + lists + givenUp
}

extension Violations {
  /// Notes `claim` as broken unless a write of `body` throws a ``StoreError`` of `kind`.
  mutating func refuses(
    _ store: any PaymentStore, _ kind: StoreError.Kind, _ claim: String,
    _ body: @escaping @Sendable (any PaymentTransaction) throws -> Void
  ) async {
    await fails(claim, { ($0 as? StoreError)?.kind == kind }) { try await store.write(body) }
  }
}
