import CommandLineParser
import KitEnvironment
import Simulation
import StrictJSON
import SystemCrypto
import SystemRuntime

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
      ],
      examples: [
        ("till-app simulate --runs 200", "two hundred worlds"),
        ("till-app simulate --runs 1000 --twice", "and whether each is decided by its seed"),
        ("till-app simulate --seed 17 --trace", "one of them, with all that happens in it"),
      ]
    ) { arguments throws(UsageError) in
      let seed = arguments.text("seed").flatMap { UInt64($0) } ?? 1
      let runs = arguments.integer("runs")
      guard !arguments.has("trace") || runs ?? 1 == 1 else {
        throw UsageError("--trace is of one world: leave --runs out")
      }
      let isOne = arguments.has("trace") || arguments.text("replay") != nil
      guard !isOne || !arguments.has("twice") else {
        throw UsageError("--twice is of a campaign: leave --trace and --replay out")
      }
      return wrap(
        SimulateInvocation(
          runs: runs ?? (arguments.has("trace") || arguments.text("replay") != nil ? 1 : 100),
          seed: seed,
          kinds: arguments.text("faults").flatMap(kinds) ?? Set(WorldPart.Kind.allCases),
          showsTrace: arguments.has("trace"), isJSON: arguments.has("json"),
          replays: arguments.text("replay"),
          jobs: arguments.integer("jobs") ?? ProcessFacts.processorCount,
          playsTwice: arguments.has("twice"), shrinks: !arguments.has("no-shrink")))
    }
  }

  private static func kinds(_ text: String) -> Set<WorldPart.Kind>? {
    if text == "none" { return [] }
    let words = text.split(separator: ",", omittingEmptySubsequences: false)
    let kinds = words.compactMap { WorldPart.Kind(rawValue: String($0)) }
    return kinds.count == words.count ? Set(kinds) : nil
  }

  /// Plays the worlds.
  func run(_ environment: KitEnvironment, _ variables: [String: String]) async throws -> Int32 {
    let directory = try Self.scratchDirectory(variables)
    defer { _ = try? Files.removeTree(directory) }
    var settings = WorldSettings(hashing: .openSSL)
    settings.scratch = Self.scratch(in: directory, environment)
    if showsTrace || replays != nil {
      let report = try await World.play(plan(), settings)
      if showsTrace { Output.write(report.trace.text) }
      var tally = SimulationTally()
      tally.add(WorldOutcome(report))
      return try await tell(tally, settings)
    }
    let isTerminal = ProcessFacts.isTerminal(.output) && variables["TERM"] != "dumb" && !isJSON
    let bar = SimulationBar(worlds: playsTwice ? 2 * runs : runs, clock: environment.clock)
    var tally = SimulationTally()
    func add(_ outcome: WorldOutcome, play: Int) {
      tally.add(outcome)
      if isJSON, play == 0 { Output.write(line(outcome.json)) }
      if isTerminal { Output.write("\r\u{1B}[K\(bar.text(tally))") }
    }
    if isOneProcess {
      let campaign = Campaign(
        firstSeed: seed, runs: runs, kinds: kinds, width: jobs, settings: settings)
      await campaign.run { add($0, play: 0) }
    } else {
      let workers = SimulationWorkers(
        command: self, program: ProcessFacts.programPath(), scratch: directory,
        variables: variables, clock: environment.clock)
      do {
        try await workers.run { outcome, play in
          add(outcome, play: play)
          return tally.result.failures.count < Campaign.failuresMax
        }
      } catch {
        // What was found until then is told all the same.
        if isTerminal { Output.write("\n") }
        _ = try await tell(tally, settings)
        throw error
      }
    }
    if isTerminal { Output.write("\r\u{1B}[K") }
    if !isJSON { Output.write(bar.summary(tally)) }
    return try await tell(tally, settings)
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

  // MARK: Telling

  /// Makes each failure smaller and tells it; the last line says how it went.
  private func tell(_ tally: SimulationTally, _ settings: WorldSettings) async throws -> Int32 {
    for failure in tally.result.failures {
      // A worker's world is told, with what it did, by whoever began the worker.
      if isJSON, !shrinks { continue }
      let report = await World.play(failure.plan, settings)
      if report.violations.isEmpty {
        Output.complain("seed \(failure.plan.seed): \(failure.found.joined(separator: "; "))")
        Output.complain("seed \(failure.plan.seed): nothing is wrong when it is played again")
        continue
      }
      var shrinker = WorldShrinker(report, settings: settings)
      tell(replays == nil && shrinks ? await shrinker.shrink() : report, settings)
    }
    for seed in tally.unequal.sorted() {
      Output.complain("seed \(seed): two plays were not the same")
    }
    let result = tally.result
    if isJSON {
      Output.write(line(tally.summaryJSON))
    } else {
      let twice = playsTwice ? ", \(tally.equal) played twice with the same trace" : ""
      Output.write("\(result.worlds) worlds, \(result.failures.count) violations\(twice)\n")
    }
    return result.failures.isEmpty && tally.unequal.isEmpty ? 0 : 1
  }

  private func line(_ json: JSONValue) -> String {
    String(decoding: json.serialized(), as: UTF8.self) + "\n"
  }

  private func tell(_ report: WorldReport, _ settings: WorldSettings) {
    let json = WorldRegression(report).json
    if isJSON { return Output.write(line(json)) }
    let story = WorldStory(report)
    Output.write("\nseed \(report.plan.seed)\n")
    for sentence in story.sentences { Output.write("  \(sentence)\n") }
    for moment in story.moments.suffix(60) { Output.write("    \(moment)\n") }
    guard replays == nil else { return }
    let path = "\(Self.regressions)/seed-\(report.plan.seed).json"
    do {
      try Files.write([String(decoding: json.serialized(), as: UTF8.self)], to: path)
      Output.write("kept in \(path)\n")
      Output.write("play it again: \(Program.nameAsTyped) simulate --replay \(path)\n")
    } catch {
      Output.write("\(String(decoding: json.serialized(), as: UTF8.self))\n")
    }
  }

  // MARK: Scratch files

  /// In memory where the system has such a place and nobody wants another: a world has no use for
  /// a real disk's waits.
  private static func scratchDirectory(_ variables: [String: String]) throws -> String {
    if variables["TMPDIR"] == nil, let directory = try? Files.makeTemporaryDirectory(in: "/dev/shm")
    {
      return directory
    }
    return try Program.makeTemporaryDirectory()
  }

  private static func scratch(
    in directory: String, _ environment: KitEnvironment
  ) -> WorldScratch {
    WorldScratch(
      path: {
        let place = "\(directory)/\(environment.newUUID())"
        // A place that cannot be made shows when the store is opened there.
        _ = try? Files.makeDirectory(place)
        return "\(place)/store.sqlite"
      },
      remove: { path in
        let place = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        _ = try? Files.removeTree(place.joined(separator: "/"))
      })
  }
}

extension WorldPart.Kind {
  fileprivate static var names: String {
    allCases.filter { $0 != .payers }.map(\.rawValue).joined(separator: ",")
  }
}
