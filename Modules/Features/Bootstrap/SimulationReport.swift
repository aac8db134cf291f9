import KitEnvironment
import Simulation
import StrictJSON

/// How far a campaign is, and what it has reached.
struct SimulationBar: Sendable {
  private static let width = 24

  let worlds: Int
  let clock: KitClock
  private let start: Duration

  init(worlds: Int, clock: KitClock) {
    self.worlds = worlds
    self.clock = clock
    start = clock.uptime()
  }

  private func rate(_ tally: SimulationTally) -> Double {
    Double(tally.plays) / max(0.001, (clock.uptime() - start).asSeconds)
  }

  /// One line to be drawn over the last.
  func text(_ tally: SimulationTally) -> String {
    let filled = Self.width * tally.plays / max(1, worlds)
    let bar =
      String(repeating: "#", count: filled) + String(repeating: "·", count: Self.width - filled)
    return "[\(bar)] \(tally.plays)/\(worlds)  \(Int(rate(tally))) worlds/s  "
      + "\(tally.result.failures.count + tally.unequal.count) wrong"
  }

  /// What was reached and what was not, as a table, and how fast it went.
  func summary(_ tally: SimulationTally) -> String {
    let result = tally.result
    var lines: [String] = []
    for section in CoverageTable.Section.allCases {
      let rows = result.coverage.reached(section)
      lines.append("\(section.rawValue)s reached: \(rows.count)")
      let wide = rows.map(\.what.count).max() ?? 0
      for (what, times) in rows {
        lines.append("  \(what)\(String(repeating: " ", count: wide - what.count))  \(times)")
      }
      let missing = result.coverage.missing(section)
      if !missing.isEmpty { lines.append("  never reached: \(missing.joined(separator: ", "))") }
    }
    let hours = Int(result.length.asSeconds / 3_600)
    lines.append(
      "\(result.jobs) jobs, \(hours) virtual hours, \(Int(rate(tally) * 10) / 10) worlds/s, "
        + "hash \(String(result.hash, radix: 16))")
    return lines.joined(separator: "\n") + "\n"
  }
}

/// What came of the worlds so far, and whether those that were played twice did the same.
struct SimulationTally: Sendable {
  private(set) var result = Campaign.Result()
  /// Worlds played, each play counted.
  private(set) var plays = 0
  /// Worlds whose two plays did the same.
  private(set) var equal = 0
  /// Seeds of those whose did not.
  private(set) var unequal: [UInt64] = []
  private var hashes: [UInt64: UInt64] = [:]

  /// Counts a play; of the two plays of one world, whichever ends first counts for the result.
  mutating func add(_ outcome: WorldOutcome) {
    plays += 1
    guard let first = hashes.updateValue(outcome.hash, forKey: outcome.seed) else {
      return result.add(outcome)
    }
    if first == outcome.hash { equal += 1 } else { unequal.append(outcome.seed) }
  }

  var summaryJSON: JSONValue {
    let sections = CoverageTable.Section.allCases.map { section in
      JSONMember(
        name: section.rawValue,
        value: .object(
          [
            JSONMember(name: "reached", value: result.coverage.json(of: section)),
            JSONMember(
              name: "never_reached",
              value: .array(result.coverage.missing(section).map { .string($0) })),
          ]))
    }
    return .object([
      "worlds": .integer(result.worlds), "violations": .integer(result.failures.count),
      "unequal": .array(unequal.sorted().map { .string("\($0)") }),
      "jobs": .integer(result.jobs), "hash": .string(String(result.hash, radix: 16)),
      "coverage": .object(sections),
    ])
  }
}
