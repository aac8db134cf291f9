import PaymentModels
public import PaymentStore

/// Requests that wait for a payment to change. A waiting request holds no thread; it is woken by
/// the commit that changed the payment, its order or another payment of that order.
public actor WaiterTable {
  private let commits: AsyncStream<[OrderID]>
  private let commitFeed: AsyncStream<[OrderID]>.Continuation
  private let waitersMax: Int
  private var waiters: [OrderID: [UInt64: AsyncStream<Void>.Continuation]] = [:]
  private var count = 0
  private var nextWaiter: UInt64 = 0
  private var isOpen = true

  /// A table for at most `waitersMax` waiting requests.
  public init(waitersMax: Int) {
    self.waitersMax = waitersMax
    (commits, commitFeed) = AsyncStream.makeStream()
  }

  /// To be called by the store after each commit, from any thread.
  public nonisolated func committed(_ changes: CommittedChanges) {
    if !changes.orders.isEmpty { commitFeed.yield(changes.orders) }
  }

  /// Wakes waiting requests until the task is cancelled.
  public func run() async {
    for await orders in commits {
      for id in orders {
        for (_, waiter) in (waiters[id] ?? [:]).sorted(by: { $0.key < $1.key }) { waiter.yield() }
      }
    }
  }

  /// Answers every waiting request at once with what there is, and lets none wait any more: for a
  /// server that is about to end.
  public func close() {
    isOpen = false
    for waiters in waiters.values { for waiter in waiters.values { waiter.finish() } }
  }

  /// Registers a waiter for an order; nil if the table is full or closed. Register before the row
  /// is looked at, so that no commit falls between.
  func register(_ id: OrderID) -> Waiter? {
    guard isOpen, count < waitersMax else { return nil }
    nextWaiter += 1
    count += 1
    let (stream, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    waiters[id, default: [:]][nextWaiter] = continuation
    return Waiter(order: id, number: nextWaiter, changes: stream)
  }

  func remove(_ waiter: Waiter) {
    guard waiters[waiter.order]?.removeValue(forKey: waiter.number) != nil else { return }
    count -= 1
    if waiters[waiter.order]?.isEmpty == true { waiters[waiter.order] = nil }
  }

  /// Requests that wait now.
  package var waiterCount: Int { count }

  struct Waiter: Sendable {
    let order: OrderID
    let number: UInt64
    let changes: AsyncStream<Void>
  }
}
