import CommandLineParser

/// What `till outbox` asks of the merchant server.
public enum OutboxRequest: Hashable, Sendable {
  /// Messages, newest first.
  case list(state: String?, limit: Int, before: String?)
  /// One of them, with all of its order.
  case show(String)
  /// Send it again.
  case redeliver(String, reason: String)
}

let outboxCommands = Command<TillAction>(
  group: "outbox", "Messages to the shop's own systems: list, show, send again",
  options: [jsonFlag],
  commands: [
    Command(
      "list", "Lists messages, newest first",
      options: [
        .flag("dead", "Those that were given up after their last try"),
        .flag("waiting", "Those that are to be sent, or sent again"), limitOption,
        .option("before", "MESSAGE_ID", "Those older than this one", kind: uuid),
      ]
    ) { arguments throws(UsageError) in
      guard !arguments.has("dead") || !arguments.has("waiting") else {
        throw UsageError("take --dead or --waiting, not both")
      }
      let state: String? =
        if arguments.has("dead") { "dead" } else { arguments.has("waiting") ? "waiting" : nil }
      return ask(
        .list(
          state: state, limit: arguments.integer("limit") ?? 20, before: arguments.text("before")),
        arguments)
    },
    Command(
      "show", "Shows a message and the others of its order",
      positionals: [.positional("id", "The message's id", kind: uuid)]
    ) { ask(.show($0.required("id")), $0) },
    Command(
      "redeliver", "Has a message sent again, with all its tries",
      discussion: """
        The receiver knows it by its id. A message that a later one of its order has overtaken is \
        not sent again: it would undo that.
        """,
      options: [reasonOption],
      positionals: [.positional("id", "The message's id", kind: uuid)]
    ) { ask(.redeliver($0.required("id"), reason: $0.required("reason")), $0) },
  ])

private func ask(_ request: OutboxRequest, _ arguments: Arguments) -> TillAction {
  .ask(.outbox(request), asJSON: arguments.has("json"))
}
