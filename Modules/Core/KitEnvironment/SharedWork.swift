/// One piece of work for many who want its result: while work for a key is under way, whoever
/// asks for the same key waits for that same result.
///
/// The work runs under ``run()``, never in the task of who asked: a caller that is cancelled
/// leaves alone, and the work goes on for the others and for the store.
public actor SharedWork<Key: Hashable & Comparable & Sendable, Value: Sendable> {
  private typealias Waiter = (number: UInt64, continuation: AsyncStream<Value>.Continuation)

  /// What is queued or under way for one key.
  private struct Entry {
    var waiters: [Waiter] = []
    /// Those who want work that begins after they asked, while some is under way.
    var later: [Waiter] = []
    var hasBegun = false
    var isWantedAgain = false
  }

  private let work: @Sendable (Key) async -> Value
  private let concurrencyMax: Int
  private let queueMax: Int
  private let feed: AsyncStream<Key>
  private let feeder: AsyncStream<Key>.Continuation
  private var entries: [Key: Entry] = [:]
  private var nextWaiter: UInt64 = 0
  private var isStopped = false

  /// Prepares work that is done for one key at a time, `concurrencyMax` keys at once.
  ///
  /// - Parameter queueMax: so many keys may be waiting or under way; further ones get nil.
  public init(
    concurrencyMax: Int, queueMax: Int, work: @escaping @Sendable (Key) async -> Value
  ) {
    precondition(concurrencyMax > 0 && queueMax >= concurrencyMax, "shared work needs room")
    self.concurrencyMax = concurrencyMax
    self.queueMax = queueMax
    self.work = work
    (feed, feeder) = AsyncStream.makeStream()
  }

  /// Does the work until the task is cancelled; then everybody who waits gets nil.
  public func run() async {
    await withTaskGroup(of: Void.self) { group in
      var active = 0
      for await key in feed {
        if active == concurrencyMax {
          await group.next()
          active -= 1
        }
        group.addTask {
          await self.begin(key)
          await self.finish(key, with: self.work(key))
        }
        active += 1
      }
      group.cancelAll()
    }
    isStopped = true
    for key in entries.keys.sorted() {
      let entry = entries[key] ?? Entry()
      for waiter in entry.waiters + entry.later { waiter.continuation.finish() }
    }
    entries = [:]
  }

  /// Asks for the work and does not wait. Returns false if there is no room for it.
  ///
  /// - Parameter begunAfterNow: work that is under way does not do, because it may have begun
  ///   before what the caller knows of; once it ends it is done again.
  @discardableResult
  public func start(_ key: Key, begunAfterNow: Bool = false) -> Bool {
    guard !isStopped else { return false }
    if let entry = entries[key] {
      if begunAfterNow, entry.hasBegun { entries[key]?.isWantedAgain = true }
      return true
    }
    guard entries.count < queueMax else { return false }
    entries[key] = Entry()
    feeder.yield(key)
    return true
  }

  /// The result of the work for `key`, started now or under way; nil if the caller was
  /// cancelled, the work was stopped or there was no room for it.
  ///
  /// - Parameter begunAfterNow: as of ``start(_:begunAfterNow:)``.
  public func value(for key: Key, begunAfterNow: Bool = false) async -> Value? {
    guard start(key, begunAfterNow: begunAfterNow) else { return nil }
    let (stream, continuation) = AsyncStream<Value>.makeStream()
    nextWaiter += 1
    let waiter = (number: nextWaiter, continuation: continuation)
    if begunAfterNow, entries[key]?.hasBegun == true {
      entries[key]?.later.append(waiter)
    } else {
      entries[key]?.waiters.append(waiter)
    }
    // A stream of one value ends by itself when its reader is cancelled.
    let value = await stream.first { _ in true }
    if value == nil { forget(waiter.number, key) }
    return value
  }

  /// Whether work for `key` is queued or under way.
  public func isPending(_ key: Key) -> Bool { entries[key] != nil }

  /// How many callers wait for `key`.
  package func waiterCount(_ key: Key) -> Int {
    entries[key].map { $0.waiters.count + $0.later.count } ?? 0
  }

  private func begin(_ key: Key) { entries[key]?.hasBegun = true }

  private func finish(_ key: Key, with value: Value) {
    guard let entry = entries.removeValue(forKey: key) else { return }
    for waiter in entry.waiters {
      waiter.continuation.yield(value)
      waiter.continuation.finish()
    }
    guard entry.isWantedAgain else { return }
    entries[key] = Entry(waiters: entry.later)
    feeder.yield(key)
  }

  /// Drops a caller that has left: work that takes long would gather them otherwise.
  private func forget(_ number: UInt64, _ key: Key) {
    entries[key]?.waiters.removeAll { $0.number == number }
    entries[key]?.later.removeAll { $0.number == number }
  }
}
