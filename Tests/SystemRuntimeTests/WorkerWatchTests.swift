import KitEnvironment
import SystemRuntime
import TestSupport
import Testing

@Suite("The watch over workers")
struct WorkerWatchTests {
  @Test func `a worker that never begins is as silent as the watch is old`() {
    let clock = ManualClock()
    let watch = WorkerWatch([.schedule, .inbox], clock: clock.clock)
    clock.advance(by: .seconds(5))
    watch.beat(.inbox)
    watch.beat(.outbox)
    clock.advance(by: .seconds(2))
    #expect(
      watch.silences == [
        WorkerSilence(worker: .schedule, duration: .seconds(7)),
        WorkerSilence(worker: .inbox, duration: .seconds(2)),
      ])
  }
}
