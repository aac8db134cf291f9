import AppSimulator
import CommandLineParser
import KitEnvironment
import StrictJSON

/// What a command line of `till-app soak` asks for.
struct SoakInvocation: Sendable {
  let minutes: String
  let seed: UInt64?
  let payers: Int
  let isJSON: Bool
  let keepsFiles: Bool
  let broken: String?

  /// The command, to be put under `till-app`.
  static func command<Action>(
    _ wrap: @escaping @Sendable (SoakInvocation) -> Action
  ) -> Command<Action> {
    Command(
      "soak", "Lets payers come for minutes while providers misbehave and the server is killed",
      discussion: """
        Webhooks are lost, late, doubled and overtake each other; answers are slow, lost, cut \
        short or errors; providers are out for seconds; the server dies by SIGKILL. Payers pay, \
        fail, leave, cancel and come back; operators capture, refund, close and cancel. Then \
        the faults stop, and all books must agree: the store, the providers' ledgers, the goods. \
        Ends with the line “N payments, 0 wrong”.
        """,
      options: [
        .option(
          "minutes", "M", "How long payers come",
          kind: .checked(
            expected: "a number from 0.1 to 600", { (0.1...600).contains(Double($0) ?? 0) }),
          default: "10"),
        .option(
          "seed", "S",
          "Decides who does what and what goes wrong; another one each time if not "
            + "given", kind: .integer(0...Int.max)),
        .option(
          "payers", "N", "Payers at once", kind: .integer(1...64),
          default: "\(SoakPlan.payersUsual)"),
        .flag("json", "One JSON object a line: each order that is wrong, and a summary"),
        .flag("keep", "Keep what was written, and print where"),
      ] + BrokenServer.options,
      examples: [
        ("till-app soak --minutes 1 --seed 7", "one minute, with the choices of seed 7")
      ]
    ) { arguments in
      let minutes = arguments.required("minutes")
      return wrap(
        SoakInvocation(
          minutes: minutes, seed: arguments.integer("seed").map { UInt64($0) },
          payers: arguments.integer("payers") ?? SoakPlan.payersUsual,
          isJSON: arguments.has("json"), keepsFiles: arguments.has("keep"),
          broken: BrokenServer.options.isEmpty ? nil : arguments.text("broken")))
    }
  }

  /// Plays it.
  func run(
    _ environment: KitEnvironment, _ variables: [String: String]
  ) async throws -> Int32 {
    let seed = seed ?? environment.random.below(Self.seedsMax)
    let plan = SoakPlan(
      duration: .milliseconds(Int64((Double(minutes) ?? 0) * 60_000)), seed: seed, payers: payers)
    var output = RunOutput.live("soak", isJSON: isJSON, broken: broken, variables)
    let breaking = broken.map { "--broken \($0) " } ?? ""
    output.command =
      "\(Program.nameAsTyped) soak \(breaking)--minutes \(minutes) --seed \(seed) "
      + "--payers \(payers)"
    return try await LiveStages.run(
      environment, broken: broken, keepsFiles: keepsFiles
    ) { [output, isJSON] stages in
      let (end, kept) = try await stages.play(
        "soak", StageSettings(capturesByItself: false, takesLoad: true)
      ) {
        await SoakRunner(stage: $0, output: output).run(plan)
      }
      if let kept {
        let json = JSONValue.object(["kept": .string(kept)])
        output.line(isJSON ? String(decoding: json.serialized(), as: UTF8.self) : "soak: \(kept)")
      }
      if let end { output.line(end.closing) }
      return end?.wrong ?? 0
    }
  }

  /// Short enough to be typed.
  private static let seedsMax: UInt64 = 1_000_000
}
