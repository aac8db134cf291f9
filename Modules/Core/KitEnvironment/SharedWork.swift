/// One piece of work for many who want its result: while work for a key is under way, whoever
/// asks for the same key waits for that same result.
///
/// The work runs under ``run()``, never in the task of who asked: a caller that is cancelled
/// leaves alone, and the work goes on for the others and for the store.
public actor SharedWork<Key: Hashable & Comparable & Sendable, Value: Sendable> {
  private let work: @Sendable (Key) async -> Value
  private let concurrencyMax: Int
  private let queueMax: Int
  private let feed: AsyncStream<Key>
  private let feeder: AsyncStream<Key>.Continuation
  private var waiters: [Key: [AsyncStream<Value>.Continuation]] = [:]
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
        group.addTask { await self.finish(key, with: self.work(key)) }
        active += 1
      }
      group.cancelAll()
    }
    isStopped = true
    for key in waiters.keys.sorted() { waiters[key]?.forEach { $0.finish() } }
    waiters = [:]
  }

  /// Asks for the work and does not wait. Returns false if there is no room for it.
  @discardableResult
  public func start(_ key: Key) -> Bool {
    guard !isStopped else { return false }
    if waiters[key] != nil { return true }
    guard waiters.count < queueMax else { return false }
    waiters[key] = []
    feeder.yield(key)
    return true
  }

  /// The result of the work for `key`, started now or under way; nil if the caller was
  /// cancelled, the work was stopped or there was no room for it.
  public func value(for key: Key) async -> Value? {
    guard start(key) else { return nil }
    // A stream of one value: leaving it on cancellation needs no help from this actor.
    let (stream, continuation) = AsyncStream<Value>.makeStream()
    waiters[key, default: []].append(continuation)
    return await stream.first { _ in true }
  }

  /// How many callers wait for `key`.
  package func waiterCount(_ key: Key) -> Int { waiters[key]?.count ?? 0 }

  private func finish(_ key: Key, with value: Value) {
    for waiter in waiters.removeValue(forKey: key) ?? [] {
      waiter.yield(value)
      waiter.finish()
    }
  }
}
