import KitEnvironment
import PaymentModels
import TestSupport
import Testing

@Suite("Clock")
struct KitClockTests {
  @Test(arguments: [Duration.zero, .seconds(-1)])
  func `a wait that is not positive ends at once`(duration: Duration) async throws {
    try await ManualClock().clock.sleep(for: duration)
  }

  @Test func `a wait ends when its time has come, not before`() async throws {
    let manual = ManualClock()
    async let wait: Void = manual.clock.sleep(for: .seconds(5))
    await manual.untilSleepers(1)
    manual.advance(by: .milliseconds(4_999))
    #expect(manual.sleeperCount == 1)
    manual.advance(by: .milliseconds(1))
    try await wait
    #expect(manual.clock.uptime() == .seconds(5))
    #expect(manual.clock.now() == Instant(milliseconds: 1_790_000_005_000))
  }

  @Test func `cancelling ends a wait with CancellationError`() async {
    let manual = ManualClock()
    await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await manual.clock.sleep(for: .seconds(5)) }
      await manual.untilSleepers(1)
      group.cancelAll()
      await #expect(throws: CancellationError.self) { try await group.next() }
    }
    #expect(manual.sleeperCount == 0)
  }

  @Test func `a task that is cancelled already does not wait`() async {
    let manual = ManualClock()
    await withThrowingTaskGroup(of: Void.self) { group in
      group.cancelAll()
      group.addTask { try await manual.clock.sleep(for: .zero) }
      await #expect(throws: CancellationError.self) { try await group.next() }
    }
  }
}
