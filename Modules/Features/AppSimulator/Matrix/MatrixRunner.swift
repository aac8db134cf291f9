public import KitEnvironment
import PaymentModels
import StrictJSON

/// Plays a ``MatrixPlan``, each run on a stage of its own, some side by side, and tells how each
/// ended.
public struct MatrixRunner: Sendable {
  /// Sets a stage up under a name, plays on it and takes it down. The text that comes back names
  /// where its files were kept, if they were.
  public typealias Stages =
    @Sendable (
      _ name: String, _ settings: StageSettings,
      _ play: @escaping @Sendable (Stage) async -> MatrixResult?
    ) async throws -> (result: MatrixResult?, kept: String?)

  private let clock: KitClock
  private let stages: Stages
  private let output: RunOutput

  /// Plays on stages that `stages` sets up.
  public init(clock: KitClock, stages: @escaping Stages, output: RunOutput) {
    self.clock = clock
    self.stages = stages
    self.output = output
  }

  /// Plays the plan; gives how many runs ended wrong.
  public func run(_ plan: MatrixPlan) async -> Int {
    let begun = clock.uptime()
    var results: [MatrixResult] = []
    var progress = MatrixProgress(total: plan.runs.count)
    output.draw?(progress.bar)
    var waiting = plan.runs[...]
    await SideBySide.play(next: { waiting.popFirst() }, play: play) { result, kept in
      results.append(result)
      let note = progress.add(isRight: result.isRight)
      tell(result, kept, note, progress)
    }
    guard !Task.isCancelled else { return progress.wrong }
    close(plan, results, took: clock.uptime() - begun)
    return progress.wrong
  }

  private func play(_ run: MatrixPlan.Run) async -> (MatrixResult, String?)? {
    let begun = clock.uptime()
    @Sendable func result(
      _ problems: [String], _ timeline: [String] = [], _ printed: [[String]] = []
    ) -> MatrixResult {
      MatrixResult(
        run: run, problems: problems, timeline: timeline, printed: printed,
        milliseconds: (clock.uptime() - begun).wholeMilliseconds)
    }
    do {
      let (played, kept) = try await stages(run.name, run.story.settings) { stage in
        await StoryPlay.play(run.story.story(at: run.row), on: stage).map {
          result($0.problems, $0.timeline.lines(), $0.printed)
        }
      }
      return played.map { ($0, kept) }
    } catch {
      return Task.isCancelled ? nil : (result(["the stage could not be set up: \(error)"]), nil)
    }
  }

  // MARK: Telling

  private func tell(
    _ result: MatrixResult, _ kept: String?, _ note: String?, _ progress: MatrixProgress
  ) {
    if output.isJSON {
      output.line(text(result.json(kept: kept)))
    } else {
      if !result.isRight { describe(result) }
      if let kept { output.line("\(result.run.name): \(kept)") }
      if output.draw == nil, let note { output.line(note) }
    }
    output.draw?(progress.bar)
  }

  private func describe(_ result: MatrixResult) {
    output.line("\(result.run.name): \(result.run.story.title)")
    for line in result.timeline { output.line(line) }
    for problem in result.problems { output.line("  WRONG  \(problem)") }
    output.line(output.again(result.run.name))
  }

  private func close(_ plan: MatrixPlan, _ results: [MatrixResult], took: Duration) {
    let wrong = results.filter { !$0.isRight }.map(\.run.name)
    output.draw?("")
    guard !output.isJSON else {
      for exclusion in plan.exclusions { output.line(text(exclusion.json)) }
      return output.line(
        text(
          .object([
            "runs": .integer(results.count), "wrong": .integer(wrong.count),
            "not_applicable": .integer(plan.exclusions.count),
            "milliseconds": .integer(took.wholeMilliseconds),
          ])))
    }
    for line in MatrixTable(plan: plan, results: results).lines { output.line(line) }
    output.line("took \(took.wholeMilliseconds / 1_000) s")
    output.tellWrong(wrong)
    output.line("\(results.count) runs, \(wrong.count) wrong")
  }

  private func text(_ json: JSONValue) -> String {
    String(decoding: json.serialized(), as: UTF8.self)
  }
}
