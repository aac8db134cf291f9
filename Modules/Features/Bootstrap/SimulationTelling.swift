import Simulation
import StrictJSON
import SystemRuntime

/// Tells how a campaign went: each world that went wrong, made smaller and kept, and the last line.
struct SimulationTelling: Sendable {
  /// One JSON object a line, for programs.
  let isJSON: Bool
  /// Whether each world that went wrong is told: a worker leaves that to whoever began it.
  var tellsWorlds = true
  /// Whether worlds that go wrong are made smaller.
  let shrinks: Bool
  /// Whether every world was played twice.
  let playsTwice: Bool
  /// Where a world that went wrong is kept for the tests; nil keeps none.
  let folder: String?
  /// What the worlds were played with.
  let settings: WorldSettings
  var write: @Sendable (String) -> Void = { Output.write($0) }
  var complain: @Sendable (String) -> Void = { Output.complain($0) }

  /// Returns the exit code: 1 if a world went wrong or was not decided by its seed.
  func tell(_ tally: SimulationTally) async -> Int32 {
    for failure in tellsWorlds ? tally.result.failures : [] {
      let report = await World.play(failure.plan, settings)
      if report.violations.isEmpty {
        complain("seed \(failure.plan.seed): \(failure.found.joined(separator: "; "))")
        complain("seed \(failure.plan.seed): nothing is wrong when it is played again")
        continue
      }
      var shrinker = WorldShrinker(report, settings: settings)
      tell(shrinks ? await shrinker.shrink() : report)
    }
    for seed in tally.unequal.sorted() {
      complain("seed \(seed): two plays were not the same")
    }
    let result = tally.result
    if isJSON {
      write(Self.line(tally.summaryJSON))
    } else {
      let twice = playsTwice ? ", \(tally.equal) played twice with the same trace" : ""
      write("\(result.worlds) worlds, \(result.failures.count) violations\(twice)\n")
    }
    return result.failures.isEmpty && tally.unequal.isEmpty ? 0 : 1
  }

  static func line(_ json: JSONValue) -> String {
    String(decoding: json.serialized(), as: UTF8.self) + "\n"
  }

  private func tell(_ report: WorldReport) {
    let json = WorldRegression(report).json
    if isJSON { return write(Self.line(json)) }
    let story = WorldStory(report)
    write("\nseed \(report.plan.seed)\n")
    for sentence in story.sentences { write("  \(sentence)\n") }
    for moment in story.moments.suffix(60) { write("    \(moment)\n") }
    guard let folder else { return }
    let path = "\(folder)/seed-\(report.plan.seed).json"
    do {
      try Files.write([String(decoding: json.serialized(), as: UTF8.self)], to: path)
      write("kept in \(path)\n")
      write("play it again: \(Program.nameAsTyped) simulate --replay \(path)\n")
    } catch {
      write(Self.line(json))
    }
  }
}
