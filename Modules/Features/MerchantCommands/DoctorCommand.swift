import CommandLineParser

let doctorCommand = Command<TillAction>(
  "doctor", "Looks at settings, store, server and providers, and says what to do",
  discussion: """
    Run it where till-server runs, in the same environment. It changes nothing. Of each account \
    it makes one harmless call: the list of webhooks, or a read of its newest payment.

    With --live it goes through what must be so before real money moves, for the server and each \
    account: yes, no, cannot tell yet, or a question that you alone can answer. Each call is a \
    read. Docs/GoLive has a page for each provider.

    Exit codes: 0 nothing is wrong, warnings included; 1 something is wrong; 75 with --live \
    nothing is wrong, and something cannot be told yet; 78 the settings cannot be read at all.
    """,
  options: [
    .option("config", "FILE", "The settings of till-server", count: .required),
    .flag("offline", "Asks no provider"),
    .flag("live", "Goes through the checklist before real money moves"),
    .option(
      "public-url", "URL", "Where providers and payers reach the server, with --live",
      kind: .checked(expected: "an http or https URL without query and slash at the end", isBase)),
    .flag("json", "Print a JSON document"),
  ],
  examples: [
    (
      "till doctor --live --config till-server.json --public-url https://pay.shop.example",
      "what is still to do before going live"
    )
  ]
) { arguments throws(UsageError) in
  let settings = arguments.required("config")
  let publicURL = arguments.text("public-url")
  guard arguments.has("live") else {
    guard publicURL == nil else { throw UsageError("--public-url goes with --live") }
    return .doctor(
      settings: settings, asksProviders: !arguments.has("offline"), asJSON: arguments.has("json"))
  }
  guard !arguments.has("offline") else {
    throw UsageError("--live asks the providers: it does not go with --offline")
  }
  return .goLive(settings: settings, publicURL: publicURL, asJSON: arguments.has("json"))
}

/// Something that a path can be put behind.
@Sendable private func isBase(_ text: String) -> Bool {
  (text.hasPrefix("https://") || text.hasPrefix("http://"))
    && !text.contains { "?#@ ".contains($0) } && !text.hasSuffix("/")
    && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
}
