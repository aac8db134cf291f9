import Simulation
import Testing

struct WorldTests {
  @Test(arguments: 0..<10)
  func `three hundred worlds hold what the kit promises`(_ part: UInt64) async {
    for seed in (part * 30 + 1)...(part * 30 + 30) {
      let report = await World.run(seed: seed)
      #expect(report.violations == [], "seed \(seed)")
    }
  }

  @Test func `the worlds reach what they are for`() async {
    var missing: Set = [
      "lost", "answer lost", "(copy)", "(too late)", "refused", "failed: reset",
      "shows succeeded", "shows expired", "shows rejected", "order.fulfil", "by its link",
      "by closing it", "has its clock set", "died before its commit",
      "between its commit and the answer",
    ]
    var haveBothCrashed = false
    // The rarest of these comes once in a hundred worlds.
    for seed in 1...UInt64(300) where !missing.isEmpty || !haveBothCrashed {
      let report = await World.run(seed: seed)
      haveBothCrashed = haveBothCrashed || report.serverCrashes > 0 && report.appCrashes > 0
      for line in report.trace.lines { missing = missing.filter { !line.contains($0) } }
    }
    #expect(missing == [] && haveBothCrashed)
  }

  @Test func `a world is the same in two processes with hashes of their own`() async throws {
    func run() async -> ExitTest.Result? {
      await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
        print("hash \("seed".hashValue)")
        for seed in 1...5 { print(await World.run(seed: UInt64(seed)).trace.text) }
      }
    }
    let first = try OutputOfProcess(await run())
    let second = try OutputOfProcess(await run())
    #expect(first.hash != second.hash, "hash seeding is on")
    #expect(first.trace == second.trace)
    #expect(first.trace.contains("order.fulfil"))
  }
}
