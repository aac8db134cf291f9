public import KitEnvironment
import PaymentModels

/// Plays a ``DiskPlan``, each run on a stage of its own, some side by side, and tells where disks
/// went bad and what that did to money and goods.
public struct DiskRunner: Sendable {
  /// Where there is no terminal, a line after so many runs.
  private static let runsByLine = 20

  /// Sets a stage up for a run, plays on it and takes it down. The text that comes back names where
  /// its files were kept, if they were.
  public typealias Stages =
    @Sendable (
      _ fault: DiskFault, _ play: @escaping @Sendable (DiskStage) async -> DiskResult?
    ) async throws -> (result: DiskResult?, kept: String?)

  private let clock: KitClock
  private let stages: Stages
  private let output: RunOutput

  /// Plays on stages that `stages` sets up.
  public init(clock: KitClock, stages: @escaping Stages, output: RunOutput) {
    self.clock = clock
    self.stages = stages
    self.output = output
  }

  /// Plays the plan; gives how many runs ended wrong, and scenes had no bad disk of a kind.
  public func run(_ plan: DiskPlan) async -> Int {
    let begun = clock.uptime()
    var plan = plan
    var tally = DiskTally()
    await SideBySide.play(next: { plan.take() }, play: play) { result, kept in
      plan.note(result.fault, isHit: result.isHit)
      tally.add(result)
      tell(result, kept, tally)
    }
    guard !Task.isCancelled else { return tally.failed }
    output.draw?("")
    for line in tally.table { output.line(line) }
    output.line("\(tally.runs) runs in \((clock.uptime() - begun).wholeMilliseconds / 1_000) s")
    output.tellWrong(tally.wrongNames)
    // A part of the plan need not reach everything.
    let missed = plan.isWhole ? tally.missed : []
    for cell in missed { output.line("MISSED  no such bad disk: \(cell)") }
    output.line(tally.closing)
    return tally.failed + missed.count
  }

  private func play(_ fault: DiskFault) async -> (DiskResult, String?)? {
    do {
      let (played, kept) = try await stages(fault) { await DiskPlay.play(fault, on: $0) }
      return played.map { ($0, kept) }
    } catch {
      guard !Task.isCancelled else { return nil }
      let wrong = SweepFault.wrong("the stage could not be set up: \(error)")
      return (
        DiskResult(fault: fault, isHit: false, faults: [wrong], timeline: [], printed: []), nil
      )
    }
  }

  private func tell(_ result: DiskResult, _ kept: String?, _ tally: DiskTally) {
    let name = result.fault.name
    if !result.faults.isEmpty {
      output.line("\(name): \(result.isHit ? "the disk went bad" : "no call failed")")
      for line in result.timeline { output.line(line) }
      for line in result.problems { output.line("  \(line)") }
      output.line(output.again(name))
    }
    if let kept { output.line("\(name): \(kept)") }
    if output.draw == nil, tally.runs.isMultiple(of: Self.runsByLine) {
      output.line("\(tally.runs) runs, \(tally.closing)")
    }
    output.draw?("\(name)  \(tally.runs) runs, \(tally.closing)")
  }
}

/// What the runs so far came to.
struct DiskTally: Sendable {
  private(set) var runs = 0
  private(set) var wrongNames: [String] = []
  private var lost = 0
  private var doubled = 0
  private var hits: [String: Int] = [:]

  /// Takes a result in. A run counts once, as the worst that it found.
  mutating func add(_ result: DiskResult) {
    runs += 1
    if result.isHit { hits[Self.cell(result.fault.kind, result.fault.scene), default: 0] += 1 }
    guard !result.faults.isEmpty else { return }
    wrongNames.append(result.fault.name)
    if result.faults.contains(where: { if case .lost = $0 { true } else { false } }) {
      lost += 1
    } else if result.faults.contains(where: { if case .doubled = $0 { true } else { false } }) {
      doubled += 1
    }
  }

  /// Runs that did not end right.
  var failed: Int { wrongNames.count }

  /// The last line.
  var closing: String {
    let wrong = failed - lost - doubled
    return "\(hits.values.reduce(0, +)) bad disks, \(lost) lost, \(doubled) doubled"
      + (wrong == 0 ? "" : ", \(wrong) wrong otherwise")
  }

  /// Kinds and scenes that no run brought together. A server that starts over an old store waits
  /// for no disk, so none can fail it there.
  var missed: [String] {
    DiskScene.allCases.flatMap { scene in
      DiskFault.Kind.allCases.filter { ($0, scene) != (.failing, .oldStore) }
        .map { Self.cell($0, scene) }
    }.filter { hits[$0] == nil }
  }

  private func count(in scene: DiskScene) -> Int {
    DiskFault.Kind.allCases.reduce(0) { $0 + (hits[Self.cell($1, scene)] ?? 0) }
  }

  private static func cell(_ kind: DiskFault.Kind, _ scene: DiskScene) -> String {
    "\(kind.rawValue) \(scene.rawValue)"
  }

  /// Bad disks by scene and kind.
  var table: [String] {
    func line(_ head: String, _ cells: [String]) -> String {
      head + String(repeating: " ", count: max(0, 10 - head.count))
        + cells.map { String(repeating: " ", count: max(1, 11 - $0.count)) + $0 }.joined()
    }
    let kinds = DiskFault.Kind.allCases
    return [line("scene", kinds.map(\.rawValue) + ["all"])]
      + DiskScene.allCases.map { scene in
        line(
          scene.rawValue,
          kinds.map { "\(hits[Self.cell($0, scene)] ?? 0)" } + ["\(count(in: scene))"])
      }
  }
}
