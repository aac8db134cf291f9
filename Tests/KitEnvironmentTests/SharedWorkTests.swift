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
