#if FaultInjection
  import CommandLineParser
  import KitEnvironment
  import PaymentModels
  import Simulation
  import SystemRuntime

  /// What a command line of `till-app mutants` asks for.
  struct MutantsInvocation: Sendable {
    /// Each fault gets so many worlds, unless told. One that they do not find shows a hole in the
    /// worlds or in their judge.
    private static let worldsUsual = 1_500
    /// Where the rows stand in a document.
    private static let marks = (begin: "<!-- mutants -->", end: "<!-- end of mutants -->")

    let worlds: Int
    let seed: UInt64
    let only: [SeededFault]
    let document: String?
    /// Processes at once.
    let jobs: Int

    /// The command, to be put under `till-app`.
    static func command<Action>(
      _ wrap: @escaping @Sendable (MutantsInvocation) -> Action
    ) -> Command<Action> {
      Command(
        "mutants", "Breaks the kit in each way it knows, and has worlds find it",
        discussion: """
          Plays the worlds with the kit as it is, which must all be right, and then with one \
          seeded fault at a time until the judge finds it. Exits with 0 if it finds every one.
          """,
        options: [
          .option(
            "worlds", "N", "Worlds after which a fault counts as not found",
            kind: .integer(1...100_000), default: "\(worldsUsual)"),
          .option(
            "seed", "SEED", "The first seed; each later world has the next",
            kind: .checked(expected: "a whole number", { UInt64($0) != nil }), default: "1"),
          .option(
            "only", "NAME", "Only this fault, and not the kit as it is",
            kind: .choice(SeededFault.allCases.map { "\($0)" }), count: .repeated),
          .option(
            "jobs", "N", "Processes at once; as many as there are processors unless told",
            kind: .integer(1...256)),
          .option("write", "FILE", "Write the rows between the marks of a document"),
        ],
        examples: [("till-app mutants --only trustsRedirect", "one fault")]
      ) { arguments in
        let names = arguments.all("only")
        return wrap(
          MutantsInvocation(
            worlds: arguments.integer("worlds") ?? worldsUsual,
            seed: arguments.text("seed").flatMap { UInt64($0) } ?? 1,
            only: SeededFault.allCases.filter { names.contains("\($0)") },
            document: arguments.text("write"),
            jobs: arguments.integer("jobs") ?? ProcessFacts.processorCount))
      }
    }

    /// Plays the worlds.
    func run(_ environment: KitEnvironment, _ variables: [String: String]) async throws -> Int32 {
      let scratch = try SimulationScratch(variables)
      defer { scratch.remove() }
      let proof = MutationProof(
        firstSeed: seed, worldsMax: worlds, jobs: jobs, program: ProcessFacts.programPath(),
        scratch: scratch.directory, variables: variables, clock: environment.clock)
      if only.isEmpty {
        let healthy = await proof.playHealthy()
        Output.write("the kit as it is: \(healthy.worlds) worlds\(healthy.end.words)\n")
        guard case .right = healthy.end else { return 1 }
      }
      let faults = only.isEmpty ? SeededFault.allCases : only
      let rows = await proof.play(faults) { row in Output.write(line(row)) }
      let missed = rows.filter { $0.invariant == nil }
      let most = rows.map(\.worlds).max() ?? 0
      Output.write("\(rows.count) faults, \(missed.count) not found, \(most) worlds at the most\n")
      if let document { try write(rows, to: document) }
      return missed.isEmpty ? 0 : 1
    }

    private func line(_ row: MutationProof.Row) -> String {
      let name = row.fault.map { "\($0)" } ?? ""
      if case .right = row.end {
        return "NOT FOUND in \(row.worlds) worlds: \(name): \(row.fault?.rawValue ?? "")\n"
      }
      return "\(name): \(row.worlds) worlds\(row.end.words)\n"
    }

    private func write(_ rows: [MutationProof.Row], to document: String) throws {
      let text = String(decoding: try Files.read(document, bytesMax: 1 << 20), as: UTF8.self)
      guard let begin = text.firstRange(of: Self.marks.begin),
        let end = text.firstRange(of: Self.marks.end), begin.upperBound < end.lowerBound
      else {
        throw ConfigurationError(document, "has no \(Self.marks.begin) … \(Self.marks.end)")
      }
      let cells = rows.map { row in
        "| `\(row.fault.map { "\($0)" } ?? "")` | \(row.fault?.rawValue ?? "") "
          + "| \(row.invariant == nil ? "not found" : "\(row.worlds)") "
          + "| \(row.seed.map { "\($0)" } ?? "") | \(row.invariant ?? "") |"
      }
      let table =
        [
          "", "", "| fault | the broken kit … | worlds | seed | found by |",
          "|---|---|---|---|---|",
        ]
        + cells + ["", ""]
      let rest = (text[..<begin.upperBound], text[end.lowerBound...])
      let whole = rest.0 + table.joined(separator: "\n") + rest.1
      try Files.replace(document, with: Array(whole.utf8), mode: 0o644)
    }
  }
#endif
