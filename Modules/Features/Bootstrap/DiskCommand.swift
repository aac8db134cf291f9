import AppSimulator
import CommandLineParser
import KitEnvironment
import SystemRuntime

/// What a command line of `till-app disk` asks for.
struct DiskInvocation: Sendable {
  let plan: DiskPlan
  let keepsFiles: Bool

  /// The command, to be put under `till-app`.
  static func command<Action>(
    _ wrap: @escaping @Sendable (DiskInvocation) -> Action
  ) -> Command<Action> {
    Command(
      "disk", "Lets the disk of server or app go bad at every part of a payment",
      discussion: """
        Has strace fail the unchanged till-server's writes or syncs, or the app's, from the Nth on \
        in a phase of a payment or at a start: no room (full), refused (read-only), an error \
        (failing). Meanwhile nothing may be acknowledged, reads go on, and /readyz says why. Some \
        seconds later the disk is good, and the payment must end right, after a kill and a \
        restart as well as without. Ends with the line “N bad disks, 0 lost, 0 doubled”; a scene \
        without a bad disk is a failure. Needs strace, and to be let trace.
        """,
      options: [
        .option(
          "every", "N", "Only every Nth number",
          kind: .checked(
            expected: "a number from 1 to 100", { (1...100).contains(Int($0) ?? 0) }),
          default: "1"),
        .option(
          "filter", "TEXT", "Only series whose KIND/SCENE contains TEXT, or one run by its name"),
        .flag("keep", "Keep what each run wrote, and print where"),
      ],
      examples: [
        ("till-app disk --filter full/", "full disks alone"),
        ("till-app disk --filter failing/capture/3 --keep", "one run, to look at its files"),
      ]
    ) { arguments throws(UsageError) in
      let plan = DiskPlan(
        every: Int(arguments.required("every")) ?? 1, filter: arguments.text("filter"))
      guard !plan.isEmpty else {
        throw UsageError("no run contains “\(arguments.text("filter") ?? "")”")
      }
      return wrap(DiskInvocation(plan: plan, keepsFiles: arguments.has("keep")))
    }
  }

  /// Plays it.
  func run(
    _ environment: KitEnvironment, _ variables: [String: String]
  ) async throws -> Int32 {
    try await Tracer.check()
    let output = RunOutput.live("disk", broken: nil, variables)
    return try await LiveStages.run(environment, broken: nil, keepsFiles: keepsFiles) { stages in
      let runner = DiskRunner(
        clock: environment.clock,
        stages: { fault, play in
          let settings = StageSettings(capturesByItself: false)
          let (result, kept) = try await stages.perform(fault.name, settings) {
            await play($0.diskStage())
          }
          if let kept, let result { try result.keep(in: kept) }
          return (result, kept)
        }, output: output)
      return await runner.run(plan)
    }
  }
}
