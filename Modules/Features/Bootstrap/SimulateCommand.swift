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
        .flag("json", "One JSON object a line: each world that went wrong, and a summary"),
      ],
      examples: [
        ("till-app simulate --runs 200", "two hundred worlds"),
        ("till-app simulate --seed 17 --trace", "one of them, with all that happens in it"),
      ]
    ) { arguments throws(UsageError) in
      let seed = arguments.text("seed").flatMap { UInt64($0) } ?? 1
      let runs = arguments.integer("runs")
      guard !arguments.has("trace") || runs ?? 1 == 1 else {
        throw UsageError("--trace is of one world: leave --runs out")
      }
      return wrap(
        SimulateInvocation(
          runs: runs ?? (arguments.has("trace") || arguments.text("replay") != nil ? 1 : 100),
          seed: seed,
          kinds: arguments.text("faults").flatMap(kinds) ?? Set(WorldPart.Kind.allCases),
          showsTrace: arguments.has("trace"), isJSON: arguments.has("json"),
          replays: arguments.text("replay")))
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
    let directory = try Self.scratchDirectory()
    defer { _ = try? Files.removeTree(directory) }
    var settings = WorldSettings(hashing: .openSSL)
    settings.scratch = Self.scratch(in: directory, environment)
    if showsTrace || replays != nil {
      let report = try await World.play(plan(), settings)
      if showsTrace { Output.write(report.trace.text) }
      return await tell([report], CampaignTotals(of: report), settings)
    }
    let campaign = Campaign(
      firstSeed: seed, runs: runs, kinds: kinds, width: ProcessFacts.processorCount,
      settings: settings)
    let isTerminal = ProcessFacts.isTerminal(.output) && variables["TERM"] != "dumb" && !isJSON
    let bar = SimulationBar(worlds: runs, clock: environment.clock)
    let result = await campaign.run { result in
      if isTerminal { Output.write("\r\u{1B}[K\(bar.text(result))") }
    }
    if isTerminal { Output.write("\r\u{1B}[K") }
    if !isJSON { Output.write(bar.summary(result)) }
    return await tell(result.failures, CampaignTotals(of: result), settings)
  }

  private func plan() throws -> WorldPlan {
    guard let replays else { return WorldPlan(seed: seed, kinds: kinds) }
    return try WorldRegression(json: JSONValue(parsing: Files.read(replays, bytesMax: 1 << 20)))
      .plan
  }

  // MARK: Telling

  /// Makes each failure smaller and tells it; the last line says how it went.
  private func tell(
    _ reports: [WorldReport], _ totals: CampaignTotals, _ settings: WorldSettings
  ) async -> Int32 {
    let failures = reports.filter { !$0.violations.isEmpty }
    for failure in failures {
      var shrinker = WorldShrinker(failure, settings: settings)
      let report = replays == nil ? await shrinker.shrink() : failure
      tell(report, settings)
    }
    if isJSON {
      Output.write(totals.json(violations: failures.count) + "\n")
    } else {
      Output.write("\(totals.worlds) worlds, \(failures.count) violations\n")
    }
    return failures.isEmpty ? 0 : 1
  }

  private func tell(_ report: WorldReport, _ settings: WorldSettings) {
    let json = WorldRegression(report).json
    if isJSON { return Output.write(String(decoding: json.serialized(), as: UTF8.self) + "\n") }
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

  /// In memory where the system has such a place: a world has no use for a real disk's waits.
  private static func scratchDirectory() throws -> String {
    if let directory = try? Files.makeTemporaryDirectory(in: "/dev/shm") { return directory }
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
