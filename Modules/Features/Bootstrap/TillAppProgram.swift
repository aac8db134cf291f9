import AppSimulator
import CheckoutSession
import CommandLineParser
import CurlTransport
import KitEnvironment
import MerchantClient
import PaymentModels
import SQLiteDeviceStore
import SystemRuntime

/// `till-app`: the app simulator as a process.
public enum TillAppProgram {
  enum Action: Sendable {
    case app(AppInvocation, BrokenClient?)
    case stories([String], broken: String?)
    case kills
    case matrix(MatrixInvocation)
    case sweep(SweepInvocation)
    case soak(SoakInvocation)
    case load(LoadInvocation)
    case disk(DiskInvocation)
    case simulate(SimulateInvocation)
    #if FaultInjection
      case mutants(MutantsInvocation)
    #endif
  }

  /// Runs the program and returns its exit code.
  public static func run(_ arguments: [String]) async -> Int32 {
    await Program.run(command, arguments) { action in
      let variables = ProcessFacts.environment()
      let environment = try KitEnvironment.live(variables)
      switch action {
      case .app(let invocation, let broken):
        return try await app(invocation, broken, variables, environment)
      case .stories(let names, let broken):
        return try await onOneStage(environment, broken: broken) { stage in
          await StoryRunner(stage: stage, tell: { Output.write($0 + "\n") }).run(names)
        }
      case .kills:
        return try await onOneStage(environment, broken: nil) { stage in
          await KillRunner(stage: stage, tell: { Output.write($0 + "\n") }).run()
        }
      case .matrix(let invocation): return try await invocation.run(environment, variables)
      case .sweep(let invocation): return try await invocation.run(environment, variables)
      case .soak(let invocation): return try await invocation.run(environment, variables)
      case .load(let invocation): return try await invocation.run(environment, variables)
      case .disk(let invocation): return try await invocation.run(environment, variables)
      case .simulate(let invocation): return try await invocation.run(environment, variables)
      #if FaultInjection
        case .mutants(let invocation): return try await invocation.run(environment, variables)
      #endif
      }
    }
  }

  private static func onOneStage(
    _ environment: KitEnvironment, broken: String?,
    _ body: @escaping @Sendable (Stage) async -> Int
  ) async throws -> Int32 {
    try await LiveStages.run(environment, broken: broken) { stages in
      try await stages.play("stage", StageSettings(), body).0
    }
  }

  /// One app process: buys, or takes up what its store holds.
  private static func app(
    _ invocation: AppInvocation, _ broken: BrokenClient?, _ variables: [String: String],
    _ environment: KitEnvironment
  ) async throws -> Int32 {
    guard let given = variables[AppInvocation.serverVariable] else {
      throw ConfigurationError(AppInvocation.serverVariable, "is not set; give the server's URL")
    }
    let server = try Program.serverURL(given)
    guard let token = variables[AppInvocation.tokenVariable].map({ Secret($0) }), !token.isBlank
    else {
      throw ConfigurationError(AppInvocation.tokenVariable, "is not set; give an app token")
    }
    let store: SQLiteDeviceStore
    do {
      store = try SQLiteDeviceStore(path: invocation.store)
    } catch {
      Output.complain("error: the device store cannot be opened: \(error)")
      return AppExit.storeUnavailable.rawValue
    }
    let transport = CurlTransport()
    let pausesAt = invocation.pausesAt
    let backend = MerchantClient(baseURL: server, transport: transport, token: { token })
    let process = AppProcess(
      store: broken?.wrap(store) ?? store,
      backend: broken?.wrap(backend, environment) ?? backend,
      environment: environment, stays: invocation.stays,
      checkoutOrigin: invocation.checkoutOrigin,
      reached: { point in if point == pausesAt { ProcessFacts.standStill() } },
      print: { Output.write($0 + "\n") })
    let lines = StandardStream.input.lines()
    let errand = broken?.wrap(invocation.errand) ?? invocation.errand
    let exit =
      if let broken {
        await broken.hearing(lines) { await process.run(errand, lines: $0) }
      } else {
        await process.run(errand, lines: lines)
      }
    await transport.close()
    return exit.rawValue
  }

  static let command = Command<Action>(
    group: "till-app", "Plays a phone with the merchant's app on it, and whole payment stories",
    discussion: """
      Exit codes:
        0   right                       74  the device store cannot be read
        1   a story ended wrong, or     75  still confirming
            the checkout is not paid    78  a setting is missing
        64  wrong usage
      """,
    examples: [
      ("till-app demo", "every story, with real processes on this machine"),
      ("till-app run killed-in-bank-app", "one story"),
    ],
    commands: [
      Command(
        "demo", "Plays every story and judges how each ended",
        discussion: "Starts a sandbox and a till-server on free ports over a store that is removed "
          + "afterwards. Ends with the line “N stories, 0 wrong”.",
        options: BrokenKit.options
      ) { .stories([], broken: BrokenKit.word($0)) },
      Command(
        "run", "Plays some stories; without a name, all", options: BrokenKit.options,
        positionals: [
          .positional("story", "Which one", kind: .choice(StoryRunner.names), count: .repeated)
        ]
      ) { .stories($0.all("story"), broken: BrokenKit.word($0)) },
      killCommand, MatrixInvocation.command { .matrix($0) },
      SweepInvocation.command { .sweep($0) }, SoakInvocation.command { .soak($0) },
      LoadInvocation.command { .load($0) },
      DiskInvocation.command { .disk($0) },
      SimulateInvocation.command { .simulate($0) },
    ] + faultCommands
      + appCommands(options: BrokenClient.options) {
        .app($0, BrokenKit.word($1).flatMap { BrokenClient(rawValue: $0) })
      })

  #if FaultInjection
    private static let faultCommands = [MutantsInvocation.command { Action.mutants($0) }]
  #else
    private static let faultCommands: [Command<Action>] = []
  #endif

  private static let killCommand = Command<Action>(
    "kill-test", "Kills server or app at every step of a payment; each story must still end right",
    discussion: "Lists the steps at which a kill hit. A step without a hit is a failure."
  ) { _ in .kills }
}
