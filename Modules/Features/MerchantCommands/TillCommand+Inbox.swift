import CommandLineParser
import PaymentModels

let limitOption = Parameter.option(
  "limit", "N", "At most so many", kind: .integer(1...100), default: "20")

let webhookCommands = Command<TillAction>(
  group: "webhook", "Received webhooks: list, show, put back, replay",
  discussion: """
    Deliveries that providers made, as the server keeps them. Where they are told to send them is \
    the matter of till endpoint.
    """,
  options: [jsonFlag],
  commands: [
    Command(
      "list", "Lists deliveries, newest first",
      discussion: """
        States: queued (to be worked on), done, unmatched (names no payment that is known), parked \
        (given up after its last try), rejected (verified, and not for this account).
        """,
      options: [
        .option(
          "state", "STATE", "Those in this state",
          kind: .choice(["queued", "done", "unmatched", "parked", "rejected"])),
        .option("provider", "NAME", "Those of this provider"), limitOption,
        .option("before", "WEBHOOK_ID", "Those older than this one", kind: uuid),
      ]
    ) { arguments in
      ask(
        .list(
          state: arguments.text("state"), provider: arguments.text("provider"),
          limit: arguments.integer("limit") ?? 20, before: arguments.text("before")), arguments)
    },
    Command(
      "show", "Shows a delivery: what it names, what was checked, what came of it",
      options: [.flag("body", "Its bytes and headers too, which may name the buyer")],
      positionals: [.positional("id", "The delivery's id", kind: uuid)]
    ) { ask(.show($0.required("id"), withBody: $0.has("body")), $0) },
    Command(
      "requeue", "Puts a parked or unmatched delivery back into the queue",
      options: [reasonOption],
      positionals: [.positional("id", "The delivery's id", kind: uuid)]
    ) { ask(.requeue($0.required("id"), reason: $0.required("reason")), $0) },
    Command(
      "replay", "Checks a delivery once more and works on it; says what that changed",
      discussion: """
        Takes the id of a stored delivery, or a file with one: header lines, an empty line, and \
        the body byte for byte. What it has done already is not done again. Take it after a \
        setting was mended.
        """,
      options: [
        reasonOption, .option("provider", "NAME", "Whose delivery it is; for a file"),
        .option(
          "received-at", "TIME", "When it came, as 2026-09-21T15:33:20Z; for a file (now)"),
      ],
      positionals: [.positional("delivery", "A delivery's id, or a file")],
      examples: [
        (
          "till webhook replay saved.txt --provider tabby --reason 'lost by the proxy'",
          "as if it came now"
        )
      ]
    ) { arguments throws(UsageError) in
      let delivery = arguments.required("delivery")
      let (reason, provider) = (arguments.required("reason"), arguments.text("provider"))
      if isCanonicalUUID(delivery) { return ask(.replay(delivery, reason: reason), arguments) }
      guard let provider else { throw UsageError("a file needs --provider") }
      return ask(
        .replayFile(
          delivery, provider: provider, receivedAt: arguments.text("received-at"), reason: reason),
        arguments)
    },
  ])

private func ask(_ request: InboxRequest, _ arguments: Arguments) -> TillAction {
  .ask(.inbox(request), asJSON: arguments.has("json"))
}
