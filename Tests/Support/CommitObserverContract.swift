public import PaymentStore
import PaymentModels
import SystemRuntime

/// What every store promises whoever listens to its commits.
public enum CommitObserverContract {
  /// Opens an empty store with an observer.
  public struct Opener: Sendable {
    let open: @Sendable (@escaping CommitObserver) async throws -> any PaymentStore

    /// Opens by `open`.
    public init(
      _ open: @escaping @Sendable (@escaping CommitObserver) async throws -> any PaymentStore
    ) {
      self.open = open
    }
  }

  /// One promise.
  public typealias Case = ContractCase<Opener>

  private struct Refused: Error {}

  /// Every promise.
  public static let cases: [Case] = [
    Case("it is told the orders and payments touched, before the writer goes on") { opener, found in
      let heard = Locked<[CommittedChanges]>([])
      let store = try await opener.open { changes in heard.withLock { $0.append(changes) } }
      try await store.seed(payments: 2)
      let all = CommittedChanges(
        orders: [Sample.orderID(1)], payments: [Sample.paymentID(1), Sample.paymentID(101)])
      found.equal(heard.withLock { $0 }, [all], "insert")
      try await store.write { try $0.putItem(Sample.item("c"), of: Sample.paymentID(1)) }
      let one = CommittedChanges(orders: [Sample.orderID(1)], payments: [Sample.paymentID(1)])
      found.equal(heard.withLock { $0.last }, one, "item")
      try await store.write { try $0.insertMessage(Sample.message()) }
      let order = CommittedChanges(orders: [Sample.orderID(1)], payments: [])
      found.equal(heard.withLock { $0.last }, order, "message")
    },
    Case("it is not told of bodies that threw, of reads, or of what nobody waits for") {
      opener, found in
      let heard = Locked<[CommittedChanges]>([])
      let store = try await opener.open { changes in heard.withLock { $0.append(changes) } }
      await found.fails("write", { $0 is Refused }) {
        try await store.write { transaction in
          try transaction.insertOrder(Sample.order())
          throw Refused()
        }
      }
      _ = try await store.read { try $0.order(Sample.orderID(1)) }
      try await store.write { try $0.insertWebhook(Sample.webhook()) }
      found.equal(heard.withLock { $0 }, [], "heard")
    },
  ]
}
