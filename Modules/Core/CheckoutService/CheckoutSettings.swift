public import KitEnvironment
public import PaymentModels
public import PaymentStore

/// How checkouts are made.
public struct CheckoutSettings: Sendable {
  /// What is done by itself once money is held or taken.
  public var policy = SettlementPolicy()
  /// Where the hosted page sends the payer of a payment; from configuration, never from an app.
  public var returnURLs: @Sendable (PaymentID) -> ReturnURLs
  /// What becomes of a payment that can still be paid when its order is to be paid otherwise.
  public var supersede = Supersede.deny
  /// Language of hosted pages.
  public var language = "en"
  /// How long one process keeps an operation to itself.
  public var lease = OperationRow.lease
  /// How long one process keeps a create to itself. Short, because a payer waits: after a crash
  /// the next send need not wait for the lost one. A second send at the same time does no harm:
  /// with a key it is the same payment, without one the URL that is committed first is the only
  /// one that is ever handed out.
  public var createLease: Duration = .seconds(5)
  /// How long a caller waits for the provider before it is told `creating`.
  public var createWait: Duration = .seconds(20)
  /// Waits after a create or operation that brought nothing.
  public var backoff = RetryPolicy(first: .seconds(1), cap: .seconds(120))
  /// A create is not repeated after this long: the payer has left.
  public var createLife: Duration = .seconds(1_200)
  /// Tries of an operation after which a person is asked and ``lateTryWait`` applies.
  public var operationTriesMax = 20
  /// Wait between tries of an operation that has had no end for long.
  public var lateTryWait: Duration = .seconds(3_600)
  /// Wait before the first look for a refund that the provider took on and did not show at once;
  /// later ones double up to ``lateTryWait``.
  public var acceptedTryWait: Duration = .seconds(5)
  /// How long such a refund may take before a person is asked: three days, as banks do.
  public var acceptedMax: Duration = .seconds(3 * 86_400)
  /// Provider calls at once.
  public var callsMax = 16
  /// Creates or operations that may wait or be under way.
  public var callQueueMax = 10_000
  /// How often the store is looked at for operations that are due.
  public var tick: Duration = .milliseconds(500)
  /// Rows taken from the store at once.
  public var batchMax = 100
  /// Payments of one order at the most.
  public var attemptsMax = 20

  /// Whether the terms of an order may change while a payment can still be paid that no call of
  /// ours can end.
  public enum Supersede: String, Hashable, Sendable, CaseIterable {
    /// They stay as they are until that payment is over.
    case deny
    /// They may: its page is handed out no more, and it is watched until it is over. Money that
    /// comes on it all the same is a case for a person, unless it is what the order asks for.
    case allow
  }

  /// The defaults, with the given return URLs.
  public init(returnURLs: @escaping @Sendable (PaymentID) -> ReturnURLs) {
    self.returnURLs = returnURLs
  }
}
