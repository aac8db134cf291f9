import CommandLineParser

private let providerName = Parameter.positional("name", "The provider's name")
private let accountOption = Parameter.option(
  "account", "NAME", "One of its accounts alone; all of them if not given")

let providerCommands = Command<TillAction>(
  group: "provider", "Takes no new checkouts at a provider for a while",
  options: [jsonFlag],
  commands: [
    Command("list", "Lists the server's accounts, and which are paused") {
      .ask(.listProviders, asJSON: $0.has("json"))
    },
    Command(
      "pause", "Takes no new checkouts at a provider",
      discussion: """
        Apps get 503 with provider_paused. Payments that there are go on: their pages, reads, \
        webhooks, captures and refunds. It stays through restarts, until resume.
        """,
      options: [accountOption, reasonOption], positionals: [providerName]
    ) { pause($0, isPaused: true) },
    Command(
      "resume", "Takes new checkouts at a provider again",
      options: [accountOption, reasonOption], positionals: [providerName]
    ) { pause($0, isPaused: false) },
  ])

private func pause(_ arguments: Arguments, isPaused: Bool) -> TillAction {
  .ask(
    .pause(
      provider: arguments.required("name"), account: arguments.text("account"),
      isPaused: isPaused, reason: arguments.required("reason")), asJSON: arguments.has("json"))
}

let buyerCommands = Command<TillAction>(
  group: "buyer", "What is kept of buyers", options: [jsonFlag],
  commands: [
    Command(
      "erase", "Erases what the server keeps of a buyer, and says what stays",
      discussion: """
        Bytes of webhooks, requests and pages go, also from the database's files; ids, sums and \
        journals stay. Backups are yours to erase. What is still worked on stays until then: the \
        command says so, and may be repeated.
        """,
      options: [reasonOption],
      positionals: [.positional("subject", "Whom, as the merchant's own user id")]
    ) {
      .ask(
        .eraseBuyer($0.required("subject"), reason: $0.required("reason")),
        asJSON: $0.has("json"))
    }
  ])
