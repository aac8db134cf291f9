@testable import Bootstrap
import KitEnvironment
import SystemRuntime
import TestSupport
import Testing

struct SimulationWorkersTests {
  @Test(arguments: [(119_999, false), (120_000, true)])
  func `a process may be silent for so long`(milliseconds: Int, isStuck: Bool) async {
    let clock = ManualClock()
    let silence = Silence(of: SimulationWorkers.silenceMax, clock: clock.clock)
    await withTaskGroup(of: Bool.self) { group in
      group.addTask { (try? await silence.lasts()) != nil }
      await clock.untilSleepers(1)
      clock.advance(by: .milliseconds(milliseconds))
      #expect((clock.sleeperCount == 0) == isStuck)
      group.cancelAll()
      #expect(await group.next() == isStuck)
    }
  }

  @Test func `what it says begins the wait anew`() async {
    let clock = ManualClock()
    let silence = Silence(of: .seconds(10), clock: clock.clock)
    await withTaskGroup(of: Bool.self) { group in
      group.addTask { (try? await silence.lasts()) != nil }
      await clock.untilSleepers(1)
      clock.advance(by: .seconds(9))
      await silence.heard()
      clock.advance(by: .seconds(1))
      await clock.untilSleepers(1)
      clock.advance(by: .seconds(9))
      #expect(await group.next() == true)
    }
  }

  @Test func `a process that is stuck is ended, and its world named`() async throws {
    try await withTemporaryDirectory { directory in
      let program = "\(directory)/stuck"
      try Files.replace(program, with: Array("#!/bin/sh\nexec sleep 600\n".utf8), mode: 0o755)
      let clock = ManualClock()
      let workers = SimulationWorkers(
        command: SimulateInvocation(
          runs: 3, seed: 41, kinds: [], showsTrace: false, isJSON: true, replays: nil, jobs: 1,
          playsTwice: false, shrinks: false),
        program: program, scratch: directory, variables: [:], clock: clock.clock)
      await withTaskGroup(of: String.self) { group in
        group.addTask {
          do {
            try await workers.run { _, _ in true }
            return "it ended"
          } catch {
            return "\(error)"
          }
        }
        await clock.untilSleepers(1)
        clock.advance(by: SimulationWorkers.silenceMax)
        let said = await group.next() ?? ""
        #expect(said.contains("said nothing for 120 s in the world of seed 41"), "\(said)")
      }
    }
  }
}
