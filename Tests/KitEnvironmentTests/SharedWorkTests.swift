import KitEnvironment
import TestSupport
import Testing

@Suite struct SharedWorkTests {
  private func started(
    queueMax: Int = 4, clock: ManualClock, calls: @escaping @Sendable (Int) -> Void = { _ in }
  ) -> SharedWork<Int, Int> {
    let time = clock.clock
    return SharedWork(concurrencyMax: 2, queueMax: queueMax) { key in
      calls(key)
      try? await time.sleep(for: .seconds(1))
      return key * 10
    }
  }

  @Test func `callers of one key share one call and its result`() async {
    let clock = ManualClock()
    let calls = CallCount()
    let work = started(clock: clock) { _ in calls.add() }
    await withTaskGroup { group in
      group.addTask { await work.run() }
      let results = await withTaskGroup(of: Int?.self) { callers in
        for _ in 0..<20 { callers.addTask { await work.value(for: 7) } }
        while await work.waiterCount(7) < 20 { await Task.yield() }
        await clock.untilSleepers(1)
        clock.advance(by: .seconds(1))
        return await callers.reduce(into: []) { $0.append($1) }
      }
      #expect(results == Array(repeating: 70, count: 20))
      #expect(calls.value == 1)
      group.cancelAll()
    }
  }

  @Test func `a cancelled caller leaves alone and the work goes on`() async {
    let clock = ManualClock()
    let work = started(clock: clock)
    await withTaskGroup { group in
      group.addTask { await work.run() }
      async let other = work.value(for: 1)
      await clock.untilSleepers(1)
      await withTaskGroup { quitters in
        quitters.addTask { #expect(await work.value(for: 1) == nil) }
        quitters.cancelAll()
      }
      clock.advance(by: .seconds(1))
      #expect(await other == 10)
      group.cancelAll()
    }
  }

  @Test func `work that takes long does not gather callers who have left`() async {
    let clock = ManualClock()
    let work = started(clock: clock)
    await withTaskGroup { group in
      group.addTask { await work.run() }
      await work.start(1)
      await clock.untilSleepers(1)
      for isLater in [false, true] {
        await withTaskGroup { quitters in
          for _ in 0..<50 {
            quitters.addTask { _ = await work.value(for: 1, begunAfterNow: isLater) }
          }
          while await work.waiterCount(1) < 50 { await Task.yield() }
          quitters.cancelAll()
        }
        #expect(await work.waiterCount(1) == 0)
      }
      group.cancelAll()
    }
  }

  @Test func `who needs work that begins later gets the next one, and all share it`() async {
    let clock = ManualClock()
    let calls = CallCount()
    let time = clock.clock
    let work = SharedWork<Int, Int>(concurrencyMax: 2, queueMax: 4) { _ in
      calls.add()
      let number = calls.value
      try? await time.sleep(for: .seconds(1))
      return number
    }
    await withTaskGroup { group in
      group.addTask { await work.run() }
      async let first = work.value(for: 7)
      await clock.untilSleepers(1)
      async let later = work.value(for: 7, begunAfterNow: true)
      async let alsoLater = work.value(for: 7, begunAfterNow: true)
      async let joined = work.value(for: 7)
      while await work.waiterCount(7) < 4 { await Task.yield() }
      clock.advance(by: .seconds(1))
      #expect(await first == 1)
      #expect(await joined == 1)
      await clock.untilSleepers(1)
      clock.advance(by: .seconds(1))
      #expect(await later == 2)
      #expect(await alsoLater == 2)
      #expect(calls.value == 2)
      group.cancelAll()
    }
  }

  @Test func `work that has not begun is early enough for everybody`() async {
    let work = started(clock: ManualClock())
    for key in 1...3 { #expect(await work.start(key, begunAfterNow: true)) }
    #expect(await work.start(1, begunAfterNow: true))
  }

  @Test func `stopping gives nil to everybody who waits, and to later callers`() async {
    let clock = ManualClock()
    let work = started(clock: clock)
    await withTaskGroup { group in
      group.addTask { await work.run() }
      group.addTask { _ = await work.value(for: 1) }
      await clock.untilSleepers(1)
      group.cancelAll()
    }
    #expect(await work.value(for: 2) == nil)
  }

  @Test(arguments: [(3, true), (4, false)])
  func `the queue takes as many keys as its limit`(waiting: Int, hasRoom: Bool) async {
    let work = started(clock: ManualClock())
    for key in 0..<waiting { #expect(await work.start(key)) }
    #expect(await work.start(99) == hasRoom)
    #expect(await work.start(0), "a key that is queued is not queued again")
  }
}
