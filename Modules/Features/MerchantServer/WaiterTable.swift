import HTTPExchange
package import KitEnvironment
package import PaymentModels
public import PaymentStore

/// Requests that wait for a payment to change. A waiting request holds no thread; it is woken by
/// the commit that changed the payment, its order or another payment of that order.
public actor WaiterTable {
  private let events: AsyncStream<Event>
  private let eventFeed: AsyncStream<Event>.Continuation
  private let waitersMax: Int
  private var waiters: [OrderID: [UInt64: AsyncStream<Void>.Continuation]] = [:]
  private var count = 0
  /// What was read since the last commit to an order that somebody waits for.
  private var shared: [OrderID: SharedAnswers] = [:]
  /// Who reads what a commit has changed, before the others that wait for the order are woken.
  private var scouts: [OrderID: UInt64] = [:]
  /// Whose time is up at which tick; a timer runs for each tick.
  private var ends: [Int64: [Waiter]] = [:]
  private var nextWaiter: UInt64 = 0
  private var isOpen = true
  private var changes = ChangeLog()
  private var watchers: [UInt64: AsyncStream<Void>.Continuation] = [:]

  /// What ``run()`` has to do.
  private enum Event: Sendable {
    case committed([OrderID])
    case timer(tick: Int64, wait: Duration, KitClock)
  }

  /// Waits end at the next tick behind their time: all that end at one tick share a timer, so that
  /// a waiter has no task or timer of its own.
  private static let tickMilliseconds: Int64 = 100

  /// Pages of operators that may wait at once: each keeps a connection.
  package static let watchersMax = 200

  /// A table for at most `waitersMax` waiting requests.
  public init(waitersMax: Int) {
    self.waitersMax = waitersMax
    (events, eventFeed) = AsyncStream.makeStream()
  }

  /// To be called by the store after each commit, from any thread.
  public nonisolated func committed(_ changes: CommittedChanges) {
    if !changes.orders.isEmpty { eventFeed.yield(.committed(changes.orders)) }
  }

  /// Wakes waiting requests until the task is cancelled.
  public func run() async {
    await withDiscardingTaskGroup { group in
      for await event in events {
        switch event {
        case .committed(let orders): wake(orders)
        case .timer(let tick, let wait, let clock):
          group.addTask {
            try? await clock.sleep(for: wait)
            await self.end(tick)
          }
        }
      }
      group.cancelAll()
    }
  }

  private func wake(_ orders: [OrderID]) {
    changes.note(orders)
    for (_, watcher) in watchers.sorted(by: { $0.key < $1.key }) { watcher.yield() }
    for id in orders {
      shared[id] = nil
      sendScout(id)
    }
  }

  /// Wakes one of those who wait for the order. It tells the others, by ``tell(_:_:by:readAt:)`` or
  /// when it leaves: ten thousand that were woken at once would all read the same row.
  private func sendScout(_ order: OrderID) {
    guard let scout = waiters[order]?.min(by: { $0.key < $1.key }) else { return }
    scouts[order] = scout.key
    scout.value.yield()
  }

  private func wakeAll(_ order: OrderID, but scout: UInt64) {
    for (number, waiter) in (waiters[order] ?? [:]).sorted(by: { $0.key < $1.key })
    where number != scout { waiter.yield() }
  }

  private func end(_ tick: Int64) {
    for waiter in ends.removeValue(forKey: tick) ?? [] {
      // An end cannot be lost behind a change that nobody has looked at yet.
      waiters[waiter.order]?[waiter.number]?.finish()
    }
  }

  /// Answers every waiting request at once with what there is, and lets none wait any more: for a
  /// server that is about to end.
  public func close() {
    isOpen = false
    for waiters in waiters.values { for waiter in waiters.values { waiter.finish() } }
    for watcher in watchers.values { watcher.finish() }
  }

  /// Registers a waiter for an order; nil if the table is full or closed. Register before the row
  /// is looked at, so that no commit falls between.
  package func register(_ id: OrderID) -> Waiter? {
    guard isOpen, count < waitersMax else { return nil }
    nextWaiter += 1
    count += 1
    let (stream, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    waiters[id, default: [:]][nextWaiter] = continuation
    return Waiter(order: id, number: nextWaiter, changes: stream)
  }

  /// Ends the waiter's changes when `wait` is over, a tick later at the most.
  package func limit(_ waiter: Waiter, to wait: Duration, _ clock: KitClock) {
    let now = clock.uptime().wholeMilliseconds
    let tick = (now + wait.wholeMilliseconds) / Self.tickMilliseconds + 1
    ends[tick, default: []].append(waiter)
    guard ends[tick]?.count == 1 else { return }
    let left = Duration.milliseconds(tick * Self.tickMilliseconds - now)
    eventFeed.yield(.timer(tick: tick, wait: left, clock))
  }

  func remove(_ waiter: Waiter) {
    let order = waiter.order
    guard waiters[order]?.removeValue(forKey: waiter.number) != nil else { return }
    count -= 1
    if waiters[order]?.isEmpty == true {
      (waiters[order], shared[order], scouts[order]) = (nil, nil, nil)
    } else if scouts[order] == waiter.number {
      scouts[order] = nil
      sendScout(order)
    }
  }

  /// What another has read since the last commit to the order. A newer answer ends the wait.
  func news(_ key: SharedAnswers.Key, behind version: Int64, for waiter: Waiter) -> News {
    guard let seen = shared[waiter.order]?[key] else { return .unknown }
    // Who began to wait after a commit that is still being told of has seen more than this.
    guard seen.version > version else { return .none }
    remove(waiter)
    return .answer(seen.response)
  }

  enum News: Sendable {
    /// Nobody has read it.
    case unknown
    case none
    case answer(HTTPResponse)
  }

  /// Takes what a waiter has read for the others, unless it is old by now, and wakes them if they
  /// have not heard of the commit.
  func tell(
    _ seen: SharedAnswers.Seen, _ key: SharedAnswers.Key, by waiter: Waiter, readAt position: Int64
  ) {
    let order = waiter.order
    // A later commit has sent a scout of its own.
    guard waiters[order] != nil, !changes.isChanged(after: position, of: order) else { return }
    shared[order, default: SharedAnswers()][key] = seen
    guard scouts[order] == waiter.number else { return }
    scouts[order] = nil
    wakeAll(order, but: waiter.number)
  }

  /// How many commits there were: what a page that is made now knows of.
  package var position: Int64 { changes.position }

  /// Waits until something changed behind `position`, of one order if it is given.
  ///
  /// - Returns: whether something did. False after `limit`, and at once if too many wait or the
  ///   table is closed.
  package func isChanged(
    after position: Int64, of order: OrderID?, within limit: Duration, _ clock: KitClock
  ) async -> Bool {
    guard !changes.isChanged(after: position, of: order) else { return true }
    guard isOpen, watchers.count < Self.watchersMax else { return false }
    nextWaiter += 1
    let number = nextWaiter
    let (stream, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    watchers[number] = continuation
    defer { watchers[number] = nil }
    return await withTaskGroup(of: Bool.self) { group in
      group.addTask {
        for await _ in stream {
          if await self.hasChange(after: position, of: order) { return true }
        }
        return false
      }
      group.addTask {
        try? await clock.sleep(for: limit)
        return false
      }
      let isChanged = await group.next() ?? false
      group.cancelAll()
      return isChanged
    }
  }

  private func hasChange(after position: Int64, of order: OrderID?) -> Bool {
    changes.isChanged(after: position, of: order)
  }

  /// Pages that wait now.
  package var watcherCount: Int { watchers.count }

  /// Requests that wait now.
  package var waiterCount: Int { count }

  package struct Waiter: Sendable {
    let order: OrderID
    let number: UInt64
    /// Something changed; ends when the time is up or the table closes.
    package let changes: AsyncStream<Void>
  }
}
