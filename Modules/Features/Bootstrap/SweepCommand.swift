import AppSimulator
import CommandLineParser
import KitEnvironment
import SystemRuntime

/// What a command line of `till-app sweep` asks for.
struct SweepInvocation: Sendable {
  let plan: SweepPlan
  let keepsFiles: Bool
  let broken: String?

  /// The command, to be put under `till-app`.
  static func command<Action>(
    _ wrap: @escaping @Sendable (SweepInvocation) -> Action
  ) -> Command<Action> {
    Command(
      "sweep", "Kills server and app at every system call of a payment that writes or talks",
      discussion: """
        Has strace end the unchanged till-server, or the app, with SIGKILL as it enters the Nth \
        fdatasync, sendto or recvfrom of one of its threads in a phase of a payment, from 1 up \
        until payments end without a kill. What was killed is started again, and whoever was \
        talking to it says the same again. Ends with the line “K kill points, 0 lost, 0 \
        doubled”; a phase without a kill is a failure. Needs strace, and to be let trace.
        """,
      options: [
        .option(
          "every", "N", "Only every Nth number",
          kind: .checked(
            expected: "a number from 1 to 100", { (1...100).contains(Int($0) ?? 0) }),
          default: "1"),
        .option(
          "filter", "TEXT",
          "Only series whose PROGRAM/PHASE/CALL contains TEXT, or one run by its name"),
        .flag("keep", "Keep what each run wrote, and print where"),
      ] + BrokenServer.options,
      examples: [
        ("till-app sweep --filter /fdatasync", "every commit"),
        ("till-app sweep --filter server/capture/sendto/2 --keep", "one run, to look at its files"),
      ]
    ) { arguments throws(UsageError) in
      let step = Int(arguments.required("every")) ?? 1
      let plan = SweepPlan(every: step, filter: arguments.text("filter"))
      guard !plan.isEmpty else {
        throw UsageError(
          "no run contains “\(arguments.text("filter") ?? "")”",
          hint: "a series is PROGRAM/PHASE/CALL, such as server/capture/fdatasync")
      }
      return wrap(
        SweepInvocation(
          plan: plan, keepsFiles: arguments.has("keep"),
          broken: BrokenServer.options.isEmpty ? nil : arguments.text("broken")))
    }
  }

  /// Plays it.
  func run(
    _ environment: KitEnvironment, _ variables: [String: String]
  ) async throws -> Int32 {
    try await Tracer.check()
    let output = RunOutput.live("sweep", broken: broken, variables)
    return try await LiveStages.run(environment, broken: broken, keepsFiles: keepsFiles) { stages in
      let runner = SweepRunner(
        clock: environment.clock,
        stages: { point, play in
          let settings = StageSettings(
            capturesByItself: false,
            serverKill: point.program == .server && point.isFromLaunch ? point : nil)
          let (result, kept) = try await stages.perform(point.name, settings) {
            await play($0.sweepStage())
          }
          if let kept, let result { try result.keep(in: kept) }
          return (result, kept)
        }, output: output)
      return await runner.run(plan)
    }
  }
}
