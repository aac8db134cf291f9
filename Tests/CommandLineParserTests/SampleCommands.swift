import CommandLineParser

/// What the sample command line asks for.
enum SampleAction: Hashable {
  case show(id: String, waitSeconds: Int, json: Bool, server: String)
  case refund(id: String, amount: String)
  case create(lines: [String], tags: [String], mode: String)
  case version
}

/// A command line with every kind of parameter.
let sample = Command<SampleAction>(
  group: "till", "Asks a merchant server about payments",
  options: [.option("server", "URL", "Where the server listens", default: "http://127.0.0.1")],
  commands: [
    Command(
      group: "payment", "Looks at payments and changes them",
      options: [.flag("json", "Print JSON")],
      commands: [
        Command(
          "show", "Shows one payment",
          discussion: "Asks the provider first if the answer could be stale.",
          options: [
            .option(
              "wait", "SECONDS", "How long to wait for an end", kind: .integer(0...60),
              default: "0")
          ],
          positionals: [
            .positional(
              "id", "Id of the payment",
              kind: .checked(expected: "a payment id") { $0.hasPrefix("pay_") })
          ],
          examples: [("till payment show pay_A1 --wait 30", "Waits until the payer is done.")]
        ) {
          .show(
            id: $0.required("id"), waitSeconds: $0.integer("wait") ?? -1, json: $0.has("json"),
            server: $0.required("server"))
        },
        Command(
          "refund", "Gives money back", options: [.option("reason", "TEXT", "Why")],
          positionals: [
            .positional("id", "Id of the payment"),
            .positional("amount", "How much; all if left out", count: .optional),
          ]
        ) { arguments throws(UsageError) in
          let amount = arguments.text("amount") ?? "all"
          guard !amount.hasPrefix("-") else { throw UsageError("AMOUNT is negative") }
          return .refund(id: arguments.required("id"), amount: amount)
        },
      ]),
    Command(
      "create", "Creates a checkout",
      options: [
        .option("tag", "WORD", "Marks it", count: .repeated),
        .option("mode", "MODE", "Which keys", kind: .choice(["test", "live"]), count: .required),
      ],
      positionals: [.positional("line", "What is bought", count: .repeated)]
    ) {
      .create(lines: $0.all("line"), tags: $0.all("tag"), mode: $0.required("mode"))
    },
    Command("version", "Shows the version") { _ in .version },
  ])

/// The action of a command line, split at spaces; nil if there is none.
func action(_ line: String) -> SampleAction? {
  if case .run(let action) = sample.parse(words(line)) { action } else { nil }
}

/// The refusal of a command line; nil if it is none.
func refusal(_ line: String) -> UsageError? {
  if case .refused(let error) = sample.parse(words(line)) { error } else { nil }
}

/// The help text that a command line asks for; nil if it asks for none.
func help(_ line: String) -> String? {
  if case .help(let text) = sample.parse(words(line)) { text } else { nil }
}

private func words(_ line: String) -> [String] {
  line.split(separator: " ").map(String.init)
}
