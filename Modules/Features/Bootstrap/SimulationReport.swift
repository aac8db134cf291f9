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

  private func rate(_ result: Campaign.Result) -> Double {
    Double(result.worlds) / max(0.001, (clock.uptime() - start).asSeconds)
  }

  /// One line to be drawn over the last.
  func text(_ result: Campaign.Result) -> String {
    let filled = Self.width * result.worlds / max(1, worlds)
    let bar =
      String(repeating: "#", count: filled) + String(repeating: "·", count: Self.width - filled)
    return "[\(bar)] \(result.worlds)/\(worlds)  \(Int(rate(result))) worlds/s  "
      + "\(result.failures.count) wrong"
  }

  /// What was reached and what was not, as a table, and how fast it went.
  func summary(_ result: Campaign.Result) -> String {
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
      "\(result.jobs) jobs, \(hours) virtual hours, \(Int(rate(result) * 10) / 10) worlds/s, "
        + "hash \(String(result.hash, radix: 16))")
    return lines.joined(separator: "\n") + "\n"
  }
}

/// What a summary says as JSON.
struct CampaignTotals: Sendable {
  let worlds: Int
  private let jobs: Int
  private let hash: UInt64
  private let coverage: CoverageTable

  init(of result: Campaign.Result) {
    worlds = result.worlds
    jobs = result.jobs
    hash = result.hash
    coverage = result.coverage
  }

  init(of report: WorldReport) {
    worlds = 1
    jobs = report.trace.jobs
    hash = report.trace.hash
    coverage = report.coverage
  }

  func json(violations: Int) -> String {
    let sections = CoverageTable.Section.allCases.map { section in
      JSONMember(
        name: section.rawValue,
        value: .object(
          [
            JSONMember(
              name: "reached",
              value: .object(
                coverage.reached(section).map {
                  JSONMember(name: $0.what, value: .integer($0.times))
                })),
            JSONMember(
              name: "never_reached",
              value: .array(coverage.missing(section).map { .string($0) })),
          ]))
    }
    let summary: JSONValue = .object([
      "worlds": .integer(worlds), "violations": .integer(violations), "jobs": .integer(jobs),
      "hash": .string(String(hash, radix: 16)), "coverage": .object(sections),
    ])
    return String(decoding: summary.serialized(), as: UTF8.self)
  }
}
