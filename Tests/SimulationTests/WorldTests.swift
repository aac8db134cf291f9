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
    var reports: [WorldReport] = []
    for seed in 1...60 { reports.append(await World.run(seed: UInt64(seed))) }
    let lines = reports.flatMap(\.trace.lines)
    #expect(reports.contains { $0.serverCrashes > 0 && $0.appCrashes > 0 })
    for word in [
      "lost", "answer lost", "(copy)", "(too late)", "refused", "failed: reset",
      "shows succeeded", "shows expired", "shows rejected", "order.fulfil", "by its link",
      "by closing it", "has its clock set", "died before its commit",
      "between its commit and the answer",
    ] {
      #expect(lines.contains { $0.contains(word) }, "no world shows “\(word)”")
    }
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
