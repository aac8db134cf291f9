import AppSimulator
import CommandLineParser
import KitEnvironment
import StrictJSON
import SystemRuntime

/// What a command line of `till-app matrix` asks for.
struct MatrixInvocation: Sendable {
  let plan: MatrixPlan
  let isJSON: Bool
  let keepsFiles: Bool
  let broken: String?

  /// The command, to be put under `till-app`.
  static func command<Action>(
    _ wrap: @escaping @Sendable (MatrixInvocation) -> Action
  ) -> Command<Action> {
    Command(
      "matrix", "Plays every story at every way of showing every provider's page",
      discussion: """
        Each run has a sandbox, a server and a phone of its own. A run that ends wrong prints its \
        timeline and the command that repeats it. Ends with the line “N runs, 0 wrong”; takes \
        about two minutes on two cores.
        """,
      options: [
        .option("filter", "TEXT", "Only runs whose PROVIDER/STRATEGY/STORY contains TEXT"),
        .flag("pairwise", "\(MatrixPlan.quickRuns) runs that stand for all, always the same"),
        .flag("json", "One JSON object a line: each run, what is not applicable, a summary"),
        .flag("keep", "Keep what each run wrote, and print where"),
      ] + BrokenKit.options,
      examples: [
        ("till-app matrix --filter tabby/web_view", "all stories at one row"),
        ("till-app matrix --filter /rotated --keep", "one story at all rows, to look at its files"),
      ]
    ) { arguments throws(UsageError) in
      var plan = MatrixPlan.whole
      if arguments.has("pairwise") { plan = plan.quick() }
      if let text = arguments.text("filter") { plan = plan.filtered(by: text) }
      guard !plan.isEmpty else {
        throw plan.refusal(of: arguments.text("filter") ?? "", isQuick: arguments.has("pairwise"))
      }
      return wrap(
        MatrixInvocation(
          plan: plan, isJSON: arguments.has("json"), keepsFiles: arguments.has("keep"),
          broken: BrokenKit.word(arguments)))
    }
  }

  /// Plays it.
  func run(
    _ environment: KitEnvironment, _ variables: [String: String]
  ) async throws -> Int32 {
    let output = RunOutput.live("matrix", isJSON: isJSON, broken: broken, variables)
    return try await LiveStages.run(environment, broken: broken, keepsFiles: keepsFiles) { stages in
      let runner = MatrixRunner(
        clock: environment.clock,
        stages: { name, settings, play in
          let (result, kept) = try await stages.play(name, settings, play)
          if let kept, let result { try result.keep(in: kept) }
          return (result, kept)
        }, output: output)
      return await runner.run(plan)
    }
  }
}
