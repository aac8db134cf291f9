/// Bounds and waits of a comparison of the books.
public struct ReconcileSettings: Hashable, Sendable {
  /// Rows of the book that one page looks at; most are not read.
  public var rowsMax = 200
  /// Payments that one page reads at their providers, one after the other.
  public var readsMax = 20
  /// A page begins no further read after so long, so that its caller gets an answer.
  public var pageTime: Duration = .seconds(10)
  /// How long a create or an operation may be under way: a provider that is out for less than
  /// this is nobody's business.
  public var stuckAfter: Duration = .seconds(3_600)
  /// The same for a refund that the provider has taken on: a bank may take days over one.
  public var acceptedStuckAfter: Duration = .seconds(10 * 86_400)
  /// How long money may be held and not captured before a person should know.
  public var heldAfter: Duration = .seconds(3 * 86_400)
  /// Tries to get a payment that another process works on, a second apart.
  public var leaseTriesMax = 3

  /// The defaults.
  public init() {}
}
