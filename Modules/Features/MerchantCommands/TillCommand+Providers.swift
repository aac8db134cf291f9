import CommandLineParser

let endpointCommands = Command<TillAction>(
  group: "endpoint", "Where a provider sends its webhooks: list, register, remove",
  discussion: """
    Speaks to the provider itself, with the keys that the server's settings name: run it where \
    till-server runs, in the same environment. A provider without such an API is told by hand; \
    the command then says where.
    """,
  options: [
    .option("config", "FILE", "The settings of till-server", count: .required),
    .option("provider", "NAME", "At which provider", default: usualProvider),
    .option("account", "NAME", "Which account, where there are several"),
    .flag("json", "Print a JSON document"),
  ],
  commands: [
    Command(
      "list", "Lists the webhooks that the provider knows for the account's key",
      discussion: "Header titles are shown, their values never."
    ) { action(.list, $0) },
    Command(
      "register", "Has the provider deliver to a URL",
      discussion: """
        Looks first, so a repeat changes nothing. After the first secret of the account's \
        settings was changed, a repeat changes it at the provider. A test key and a live key \
        each need a registration of their own.
        """,
      positionals: [
        .positional("url", "Where the server is reached from outside, with its /webhooks/ path")
      ],
      examples: [
        (
          "till endpoint register https://pay.shop.example/webhooks/tabby --config s.json",
          "once for each account"
        )
      ]
    ) { action(.register(url: $0.required("url")), $0) },
    Command(
      "remove", "Has the provider deliver to a webhook no more",
      positionals: [.positional("id", "The provider's id of it, as list shows it")]
    ) { action(.remove(id: $0.required("id")), $0) },
  ])

private func action(_ request: EndpointCommand.Request, _ arguments: Arguments) -> TillAction {
  .endpoint(
    EndpointCommand(
      request, provider: arguments.required("provider"), account: arguments.text("account")),
    settings: arguments.required("config"), asJSON: arguments.has("json"))
}

let providersCommand = Command<TillAction>(
  "providers", "Shows what each provider can do and what its answers prove",
  discussion: "The accounts of till run are shown; settings of your own may differ.",
  options: [.flag("json", "Print a JSON document")]
) { .providers($0.has("json") ? .json : .table) }
