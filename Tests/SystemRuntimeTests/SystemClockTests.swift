import KitEnvironment
import PaymentModels
@testable import SystemRuntime
import Testing

@Suite("Live clock")
struct SystemClockTests {
  @Test func `wall time lies in this century and uptime never runs back`() {
    let clock = KitClock.system()
    #expect(clock.now() > Instant(milliseconds: 1_700_000_000_000))
    #expect(clock.now() < Instant(milliseconds: 4_102_444_800_000))
    var last = clock.uptime()
    for _ in 0..<1_000 {
      let next = clock.uptime()
      #expect(next >= last)
      last = next
    }
  }

  @Test func `a wait lasts at least its time`() async throws {
    let clock = KitClock.system()
    let start = clock.uptime()
    try await clock.sleep(for: .milliseconds(5))
    #expect(clock.uptime() - start >= .milliseconds(5))
  }

  @Test func `a shorter wait wakes the thread before a longer one that began first`() async throws {
    let clock = KitClock.system()
    let long = Task { try await clock.sleep(for: .seconds(3_600)) }
    try await clock.sleep(for: .milliseconds(1))
    long.cancel()
    await #expect(throws: CancellationError.self) { try await long.value }
  }

  @Test func `a wait of no time returns at once`() async throws {
    let clock = KitClock.system()
    try await clock.sleep(for: .zero)
    try await clock.sleep(for: .seconds(-1))
  }

  @Test func `cancelled waits throw and leave nothing behind`() async {
    let timer = SystemTimer()
    let cancelled = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<2_000 {
        group.addTask {
          do {
            try await timer.sleep(for: .seconds(3_600))
            return false
          } catch { return error is CancellationError }
        }
      }
      // Some are cancelled before they wait, some while they wait.
      group.cancelAll()
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(cancelled == 2_000)
    #expect(timer.sleeperCount == 0)
  }

  @Test func `a task that was cancelled before does not wait`() async {
    // Its cancellation handler runs before the wait is in the heap and finds nothing.
    let timer = SystemTimer()
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      try await timer.sleep(for: .seconds(3_600))
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(timer.sleeperCount == 0)
  }

  @Test func `a waiting task can be cancelled`() async {
    let timer = SystemTimer()
    let task = Task { try await timer.sleep(for: .seconds(3_600)) }
    while timer.sleeperCount == 0 { await Task.yield() }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(timer.sleeperCount == 0)
  }

  @Test func `a wait as long as can be said does not overflow`() async {
    let timer = SystemTimer()
    let task = Task { try await timer.sleep(for: .seconds(Int64.max / 4)) }
    while timer.sleeperCount == 0 { await Task.yield() }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func `random words differ across the edges of the buffer`() async {
    let random = RandomSource.system()
    let words = await withTaskGroup(of: [UInt64].self) { group in
      for _ in 0..<4 { group.addTask { (0..<600).map { _ in random.next() } } }
      return await group.reduce([], +)
    }
    #expect(Set(words).count == 2_400)
  }
}
