import CommandLineParser
import KitEnvironment
import Simulation
import StrictJSON
import SystemCrypto
import SystemRuntime

#if FaultInjection
  import PaymentModels
#endif

/// What a command line of `till-app simulate` asks for.
struct SimulateInvocation: Sendable {
  let runs: Int
  let seed: UInt64
  let kinds: Set<WorldPart.Kind>
  let showsTrace: Bool
  let isJSON: Bool
  let replays: String?
  /// Worlds at once.
  let jobs: Int
  /// Whether every world is played twice, in two processes, to see that both do the same.
  let playsTwice: Bool
  /// Whether worlds that go wrong are made smaller.
  let shrinks: Bool
  #if FaultInjection
    /// What is broken in the kit that is played.
    var fault: SeededFault?
  #endif

  /// Where a world that went wrong is kept for the tests, if the project is here.
  private static let regressions = "Tests/Fixtures/Worlds"

  /// The command, to be put under `till-app`.
  static func command<Action>(
    _ wrap: @escaping @Sendable (SimulateInvocation) -> Action
  ) -> Command<Action> {
    Command(
      "simulate", "Plays whole worlds of the production code, each decided by one seed",
      discussion: """
        A world has payers with devices, the merchant server, an operator and the five providers, \
        and everything that can go wrong between them. Its judge looks at the providers' ledgers \
        and at what reached the shop. Ends with the line “N worlds, 0 violations”. A world that \
        goes wrong is made smaller, told as sentences, and kept as a file that tests play again.
        """,
      options: [
        .option("runs", "N", "How many worlds", kind: .integer(1...1_000_000)),
        .option(
          "seed", "SEED", "The first seed; each later world has the next",
          kind: .checked(expected: "a whole number", { UInt64($0) != nil }), default: "1"),
        .option(
          "faults", "LIST",
          "Only these kinds of trouble: \(WorldPart.Kind.names), or none",
          kind: .checked(expected: "a list of kinds of trouble", { kinds($0) != nil })),
        .flag("trace", "Print everything that happens in the one world of the seed"),
        .option("replay", "FILE", "Play the world of a file again"),
        .option(
          "jobs", "N", "Worlds at once; as many as there are processors unless told",
          kind: .integer(1...256)),
        .flag("twice", "Play each world in two processes, which must do the very same"),
        .flag("no-shrink", "Tell a world that goes wrong as it is"),
        .flag("json", "One JSON object a line: each world, those that went wrong, a summary"),
      ] + faultOptions,
      examples: [
        ("till-app simulate --runs 200", "two hundred worlds"),
        ("till-app simulate --runs 1000 --twice", "and whether each is decided by its seed"),
        ("till-app simulate --seed 17 --trace", "one of them, with all that happens in it"),
      ]
    ) { arguments throws(UsageError) in
      wrap(try SimulateInvocation(arguments))
    }
  }

  #if FaultInjection
    private static let faultOptions: [Parameter] = [
      .option(
        "fault", "NAME", "Play the kit with this seeded fault",
        kind: .choice(SeededFault.allCases.map { "\($0)" }))
    ]
  #else
    private static let faultOptions: [Parameter] = []
  #endif

  fileprivate static func kinds(_ text: String) -> Set<WorldPart.Kind>? {
    if text == "none" { return [] }
    let words = text.split(separator: ",", omittingEmptySubsequences: false)
    let kinds = words.compactMap { WorldPart.Kind(rawValue: String($0)) }
    return kinds.count == words.count ? Set(kinds) : nil
  }

  /// Plays the worlds.
  func run(_ environment: KitEnvironment, _ variables: [String: String]) async throws -> Int32 {
    let program = ProcessFacts.programPath()
    #if FaultInjection
      return try await SeededFault.$active.withValue(fault) {
        try await play(environment, variables, program: program)
      }
    #else
      return try await play(environment, variables, program: program)
    #endif
  }

  /// - Parameter program: what plays worlds in processes of their own.
  func play(
    _ environment: KitEnvironment, _ variables: [String: String], program: String?
  ) async throws -> Int32 {
    let scratch = try SimulationScratch(variables)
    defer { scratch.remove() }
    var settings = WorldSettings(hashing: .openSSL)
    settings.scratch = scratch.worlds(environment)
    let telling = SimulationTelling(
      isJSON: isJSON, tellsWorlds: !isJSON || shrinks, shrinks: shrinks && replays == nil,
      playsTwice: playsTwice,
      folder: replays == nil && !isBroken ? Self.regressions : nil, settings: settings)
    if showsTrace || replays != nil {
      let report = try await World.play(plan(), settings)
      if showsTrace { Output.write(report.trace.text) }
      var tally = SimulationTally()
      tally.add(WorldOutcome(report))
      return await telling.tell(tally)
    }
    let isTerminal = ProcessFacts.isTerminal(.output) && variables["TERM"] != "dumb" && !isJSON
    let bar = SimulationBar(worlds: playsTwice ? 2 * runs : runs, clock: environment.clock)
    var tally = SimulationTally()
    func add(_ outcome: WorldOutcome, play: Int) {
      tally.add(outcome)
      if isJSON, play == 0 { Output.write(SimulationTelling.line(outcome.json)) }
      if isTerminal { Output.write("\r\u{1B}[K\(bar.text(tally))") }
    }
    if isOneProcess {
      let campaign = Campaign(
        firstSeed: seed, runs: runs, kinds: kinds, width: jobs, settings: settings,
        failuresMax: failuresMax)
      await campaign.run { add($0, play: 0) }
    } else {
      let workers = SimulationWorkers(
        command: self, program: program, scratch: scratch.directory, variables: variables,
        clock: environment.clock)
      do {
        try await workers.run { outcome, play in
          add(outcome, play: play)
          return tally.result.failures.count < failuresMax
        }
      } catch {
        // What was found until then is told all the same.
        if isTerminal { Output.write("\n") }
        _ = await telling.tell(tally)
        throw error
      }
    }
    if isTerminal { Output.write("\r\u{1B}[K") }
    if !isJSON { Output.write(bar.summary(tally)) }
    return await telling.tell(tally)
  }

  /// Worlds with a violation after which no more are begun.
  var failuresMax: Int {
    // One that only stalls shows no broken promise, so whoever plays a fault goes on behind it.
    isBroken ? .max : Campaign.failuresUsual
  }

  private var isBroken: Bool {
    #if FaultInjection
      fault != nil
    #else
      false
    #endif
  }

  /// The arguments that tell a broken kit; none tell the kit as it is.
  var faultArguments: [String] {
    #if FaultInjection
      fault.map { ["--fault", "\($0)"] } ?? []
    #else
      []
    #endif
  }

  /// A worker of another process, or as little as one could do.
  private var isOneProcess: Bool {
    !playsTwice && jobs == 1 && runs <= SimulationWorkers.worldsMax
  }

  /// What `--faults` would be told.
  var kindNames: String {
    let names = kinds.filter { $0 != .payers }.map(\.rawValue).sorted()
    return names.isEmpty ? "none" : names.joined(separator: ",")
  }

  private func plan() throws -> WorldPlan {
    guard let replays else { return WorldPlan(seed: seed, kinds: kinds) }
    return try WorldRegression(json: JSONValue(parsing: Files.read(replays, bytesMax: 1 << 20)))
      .plan
  }
}

extension SimulateInvocation {
  /// - Throws: ``UsageError`` for options that do not go together.
  fileprivate init(_ arguments: Arguments) throws(UsageError) {
    replays = arguments.text("replay")
    showsTrace = arguments.has("trace")
    playsTwice = arguments.has("twice")
    let isOne = showsTrace || replays != nil
    runs = arguments.integer("runs") ?? (isOne ? 1 : 100)
    guard !showsTrace || runs == 1 else {
      throw UsageError("--trace is of one world: leave --runs out")
    }
    guard !isOne || !playsTwice else {
      throw UsageError("--twice is of a campaign: leave --trace and --replay out")
    }
    let drawn = ["runs", "seed", "faults"].filter { arguments.has($0) }
    guard replays == nil || drawn.isEmpty else {
      let names = drawn.map { "--\($0)" }.joined(separator: " and ")
      throw UsageError("--replay plays the world of its file: leave \(names) out")
    }
    seed = arguments.text("seed").flatMap { UInt64($0) } ?? 1
    kinds = arguments.text("faults").flatMap(Self.kinds) ?? Set(WorldPart.Kind.allCases)
    isJSON = arguments.has("json")
    jobs = arguments.integer("jobs") ?? ProcessFacts.processorCount
    shrinks = !arguments.has("no-shrink")
    #if FaultInjection
      fault = SeededFault.allCases.first { "\($0)" == arguments.text("fault") }
    #endif
  }
}

extension WorldPart.Kind {
  fileprivate static var names: String {
    allCases.filter { $0 != .payers }.map(\.rawValue).joined(separator: ",")
  }
}
