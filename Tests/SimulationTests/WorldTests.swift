import KitEnvironment
import PaymentModels
import Simulation
import StrictJSON
import SystemCrypto
import SystemRuntime
import TestSupport
import Testing

struct WorldTests {
  @Test(arguments: 0..<6)
  func `worlds hold what the kit promises`(_ part: UInt64) async throws {
    try await withWorlds { settings in
      for seed in (part * 20 + 1)...(part * 20 + 20) {
        let report = await World.play(WorldPlan(seed: seed), settings)
        #expect(report.violations == [], "seed \(seed)")
      }
    }
  }

  @Test(arguments: try WorldFile.all)
  func `a world that once went wrong goes right`(_ file: WorldFile) async throws {
    try await withWorlds { settings in
      let report = await World.play(try file.plan, settings)
      #expect(report.violations == [])
    }
  }

  @Test func `the worlds reach what they are for`() async throws {
    var coverage = CoverageTable()
    try await withWorlds { settings in
      for seed in 1...60 {
        coverage.add(await World.play(WorldPlan(seed: UInt64(seed)), settings).coverage)
      }
    }
    let few: [(CoverageTable.Section, Set<String>)] = [
      (
        .fault,
        [
          "answer of a provider: lost", "app crash", "clock set back", "doubled request",
          "late message", "lost answer",
          "lost request", "partition", "proxy's page", "server crash", "sign-in runs out",
          "the outcome at a provider comes late", "truncated answer",
          "webhooks of a provider come twice", "webhooks of a provider never come",
        ]
      ),
      (.edge, ["created → captured", "created → authorized", "authorized → captured"]),
      (.screen, ["succeeded", "rejected", "expired"]), (.message, ["order.fulfil"]),
      (.errand, ["refund", "reconcile", "pause"]),
      (
        .recovery,
        [
          "the server died before its commit",
          "the server died between its commit and the answer", "a world on SQLite",
          "a payer whose token had run out signed in again",
        ]
      ),
    ]
    for (section, wanted) in few {
      let missing = wanted.subtracting(coverage.reached(section).map(\.what))
      #expect(missing.isEmpty, "no world reached \(missing.sorted())")
    }
  }

  @Test func `a world is the same in two processes with hashes of their own`() async throws {
    func run() async -> ExitTest.Result? {
      await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
        print("hash \("seed".hashValue)")
        try await withWorlds { settings in
          for seed in 1...8 {
            print(await World.play(WorldPlan(seed: UInt64(seed)), settings).trace.text)
          }
        }
      }
    }
    let first = try OutputOfProcess(await run())
    let second = try OutputOfProcess(await run())
    #expect(first.hash != second.hash, "hash seeding is on")
    #expect(first.trace == second.trace)
    #expect(first.trace.contains("order.fulfil"))
  }

  @Test func `a plan keeps its parts when others are left out`() {
    let plan = WorldPlan(seed: 11)
    let network = plan.parts.filter { $0.kind == .network }
    let less = plan.without(Set(plan.parts.filter { $0.kind != .network }.map(\.name)))
    #expect(less.parts == network)
    #expect(WorldPlan(seed: 11, kinds: [.network]).parts.filter { $0.kind == .network } == network)
    #expect(Set(plan.parts.map(\.name)).count == plan.parts.count)
  }

  @Test func `the file of a world brings its plan back`() async throws {
    var report = await World.play(
      WorldPlan(seed: 3, kinds: []), WorldSettings(hashing: .openSSL))
    report.plan = report.plan.without([report.plan.parts.last?.name ?? ""])
    report.violations = ["something"]
    let file = WorldRegression(report)
    #expect(try WorldRegression(json: JSONValue(parsing: file.json.serialized())) == file)
  }

  @Test func `a file that names a part which is no more is refused`() throws {
    let json: JSONValue = .object([
      "seed": "3", "faults_end_ms": .integer(1_000), "parts": .array(["nothing"]),
      "found": .array([]),
    ])
    #expect(throws: WorldRegression.Malformed.self) { try WorldRegression(json: json) }
  }
}
