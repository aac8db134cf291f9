public import PaymentModels

/// Which rows one commit touched, for whoever waits for news or caches answers.
///
/// An order counts as touched when its own row, a review or a message of it changed, and when one
/// of its payments did; a payment when its row, an item or an operation of it changed. Each list is
/// ascending and holds an id once.
public struct CommittedChanges: Hashable, Sendable {
  /// The orders, ascending.
  public let orders: [OrderID]
  /// The payments, ascending.
  public let payments: [PaymentID]

  /// Collects what was touched.
  public init(orders: Set<OrderID>, payments: Set<PaymentID>) {
    self.orders = orders.sorted()
    self.payments = payments.sorted()
  }

  /// Whether nothing that anybody waits for has changed.
  public var isEmpty: Bool { orders.isEmpty && payments.isEmpty }
}

/// Told of every commit that touched an order or a payment, after it is on disk and before its
/// writers get their answers. Never told of a body that threw, nor of what another process commits.
/// It must return at once, must not block and must not call the store.
public typealias CommitObserver = @Sendable (CommittedChanges) -> Void
