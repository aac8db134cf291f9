import AppSimulator
import CommandLineParser
import KitEnvironment

/// What a command line of `till-app load` asks for.
struct LoadInvocation: Sendable {
  let plan: LoadPlan
  let keepsFiles: Bool

  /// The command, to be put under `till-app`.
  static func command<Action>(
    _ wrap: @escaping @Sendable (LoadInvocation) -> Action
  ) -> Command<Action> {
    Command(
      "load", "Has many write and read at once, and reads back what was acknowledged",
      discussion: """
        Writers create checkouts, deliver webhooks and give money back, some with one key several \
        times at once; as many readers look at payments, orders and lists, and wait for changes. \
        Once over one server, once over two on the same store. Then the servers are killed, and \
        every write that they acknowledged has to be in the store. Ends with the line \
        “W writes acknowledged, 0 lost, 0 "database is locked"”.
        """,
      options: [
        .option(
          "seconds", "S", "How long with each number of servers", kind: .integer(1...3_600),
          default: "30"),
        .option(
          "writers", "N", "Writers at once, and readers", kind: .integer(1...256),
          default: "\(LoadPlan.writersUsual)"),
        .flag("keep", "Keep store and logs, and print where"),
      ],
      examples: [("till-app load --seconds 5", "two times five seconds")]
    ) { arguments in
      wrap(
        LoadInvocation(
          plan: LoadPlan(
            duration: .seconds(arguments.integer("seconds") ?? 30),
            writers: arguments.integer("writers") ?? LoadPlan.writersUsual),
          keepsFiles: arguments.has("keep")))
    }
  }

  /// Plays it.
  func run(
    _ environment: KitEnvironment, _ variables: [String: String]
  ) async throws -> Int32 {
    let output = RunOutput.live("load", broken: nil, variables)
    return try await LiveStages.run(environment, broken: nil, keepsFiles: keepsFiles) { stages in
      let runner = LoadRunner(
        stages: { servers, play in
          let (played, kept) = try await stages.perform(
            "load-\(servers)", StageSettings(takesLoad: true)
          ) { stage -> Result<LoadResult?, any Error> in
            do {
              return .success(await play(try await stage.loadStage(servers: servers)))
            } catch {
              return .failure(error)
            }
          }
          if let kept { output.line("\(servers) servers: \(kept)") }
          return try played.get()
        }, output: output)
      return await runner.run(plan)
    }
  }
}
