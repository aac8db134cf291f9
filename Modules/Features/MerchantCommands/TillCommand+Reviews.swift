import CommandLineParser
import PaymentModels

private let number = Parameter.positional(
  "number", "The case's number", kind: .integer(1...Int.max))

let reviewCommands = Command<TillAction>(
  group: "review", "Cases that a person should decide", options: [jsonFlag],
  commands: [
    Command(
      "list", "Lists open cases, the oldest first",
      options: [
        .option("limit", "N", "At most so many", kind: .integer(1...100), default: "20"),
        .option("after", "NUMBER", "Those behind this one", kind: .integer(0...Int.max)),
      ]
    ) { arguments in
      .ask(
        .listReviews(
          limit: arguments.integer("limit") ?? 20, after: arguments.integer("after") ?? 0),
        asJSON: arguments.has("json"))
    },
    Command("show", "Shows one case, and what may be decided now", positionals: [number]) {
      .ask(.showReview($0.integer("number") ?? 0), asJSON: $0.has("json"))
    },
    Command(
      "resolve", "Decides a case",
      discussion: """
        Decisions:
          accept   the money pays the order: a cancelled order is revived, a short
                   one is content with what was captured
          refund   the money goes back: what is held is let go, what was captured
                   is refunded
          keep     somebody has looked and decides later; the case stays open
          dismiss  the case was looked at; money that it is about is settled
                   elsewhere and counts for nothing
        """,
      options: [
        .option(
          "decision", "DECISION", "What is decided",
          kind: .choice(ReviewDecision.allCases.map(\.rawValue)), count: .required), reasonOption,
        keyOption,
      ], positionals: [number],
      examples: [
        (
          "till review resolve 12 --decision refund --reason \"came after the cancel\"",
          "gives the money back"
        )
      ]
    ) { arguments in
      .ask(
        .resolveReview(
          arguments.integer("number") ?? 0,
          ReviewDecision(rawValue: arguments.required("decision")) ?? .keep,
          reason: arguments.required("reason"), key: arguments.text("key")),
        asJSON: arguments.has("json"))
    },
  ])
