import CommandLineParser

let doctorCommand = Command<TillAction>(
  "doctor", "Looks at settings, store, server and providers, and says what to do",
  discussion: """
    Run it where till-server runs, in the same environment. It changes nothing. Of each account \
    it makes one harmless call: the list of webhooks, or a read of its newest payment.

    Exit codes: 0 nothing is wrong, warnings included; 1 something is wrong; 78 the settings \
    cannot be read at all.
    """,
  options: [
    .option("config", "FILE", "The settings of till-server", count: .required),
    .flag("offline", "Asks no provider"), .flag("json", "Print a JSON document"),
  ]
) {
  .doctor(
    settings: $0.required("config"), asksProviders: !$0.has("offline"), asJSON: $0.has("json"))
}
