public import KitEnvironment
import PaymentModels

/// Plays a ``SweepPlan``, each run on a stage of its own, some side by side, and tells where kills
/// came and what they did to money and goods.
public struct SweepRunner: Sendable {
  /// Where there is no terminal, a line after so many runs.
  private static let runsByLine = 50

  /// Sets a stage up for a run, plays on it and takes it down. The text that comes back names where
  /// its files were kept, if they were.
  public typealias Stages =
    @Sendable (
      _ point: KillPoint, _ play: @escaping @Sendable (SweepStage) async -> SweepResult?
    ) async throws -> (result: SweepResult?, kept: String?)

  private let clock: KitClock
  private let stages: Stages
  private let output: RunOutput

  /// Plays on stages that `stages` sets up.
  public init(clock: KitClock, stages: @escaping Stages, output: RunOutput) {
    self.clock = clock
    self.stages = stages
    self.output = output
  }

  /// Plays the plan; gives how many runs ended wrong, and phases had no kill.
  public func run(_ plan: SweepPlan) async -> Int {
    let begun = clock.uptime()
    var plan = plan
    var tally = SweepTally()
    var wrong: [String] = []
    await SideBySide.play(next: { plan.take() }, play: play) { result, kept in
      plan.note(result.point, isHit: result.killedIn == result.point.phase)
      tally.add(result)
      if !result.faults.isEmpty { wrong.append(result.point.name) }
      tell(result, kept, tally)
    }
    guard !Task.isCancelled else { return tally.failed }
    return close(plan, tally, wrong, took: clock.uptime() - begun)
  }

  private func play(_ point: KillPoint) async -> (SweepResult, String?)? {
    do {
      let (played, kept) = try await stages(point) { stage in
        await SweepPlay.play(point, on: stage).map {
          SweepResult(
            point: point, killedIn: $0.killedIn, faults: $0.faults, timeline: $0.timeline.lines(),
            printed: $0.printed)
        }
      }
      return played.map { ($0, kept) }
    } catch {
      guard !Task.isCancelled else { return nil }
      let fault = SweepFault.wrong("the stage could not be set up: \(error)")
      return (
        SweepResult(point: point, killedIn: nil, faults: [fault], timeline: [], printed: []), nil
      )
    }
  }

  // MARK: Telling

  private func tell(_ result: SweepResult, _ kept: String?, _ tally: SweepTally) {
    let name = result.point.name
    if !result.faults.isEmpty {
      output.line("\(name): killed in \(result.killedIn?.rawValue ?? "no phase")")
      for line in result.timeline { output.line(line) }
      for fault in result.faults { output.line("  \(fault.line)") }
      output.line(output.again(name))
    }
    if let kept { output.line("\(name): \(kept)") }
    if output.draw == nil, tally.runs.isMultiple(of: Self.runsByLine) {
      output.line("\(tally.runs) runs, \(tally.closing)")
    }
    output.draw?("\(name)  \(tally.runs) runs, \(tally.closing)")
  }

  private func close(
    _ plan: SweepPlan, _ tally: SweepTally, _ wrong: [String], took: Duration
  ) -> Int {
    output.draw?("")
    for line in tally.table { output.line(line) }
    output.line("\(tally.runs) runs in \(took.wholeMilliseconds / 1_000) s")
    output.tellWrong(wrong)
    // A part of a sweep need not reach every phase.
    let missed = plan.isWhole ? tally.missed : []
    for phase in missed { output.line("MISSED  no kill in \(phase.rawValue)") }
    output.line(tally.closing)
    return tally.failed + missed.count
  }
}
