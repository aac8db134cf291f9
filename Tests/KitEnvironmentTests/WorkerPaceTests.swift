import KitEnvironment
import TestSupport
import Testing

@Suite("The pace of a worker")
struct WorkerPaceTests {
  @Test(arguments: [Duration.milliseconds(200), .milliseconds(500), .seconds(20)])
  func `is its tick, and slower while the store refuses, ten seconds at the most`(
    tick: Duration
  ) {
    let random = seededRandom(3)
    var pace = WorkerPace(tick: tick)
    #expect(pace.wait(isRefused: false, random: random) == tick)
    let waits = (0..<12).map { _ in pace.wait(isRefused: true, random: random) }
    #expect(waits.allSatisfy { $0 <= WorkerPace.cap && $0 > .zero })
    // Half of the cap, by jitter, is the least at the end.
    #expect(waits.suffix(3).allSatisfy { $0 >= WorkerPace.cap / 2 })
    #expect(pace.wait(isRefused: false, random: random) == tick)
    #expect(pace.wait(isRefused: true, random: random) <= min(tick, WorkerPace.cap))
  }
}
