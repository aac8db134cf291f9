import CommandLineParser

/// How `till conformance` is to run.
public struct ConformanceOptions: Hashable, Sendable {
  /// URL of the backend that is judged.
  public var backend: String
  /// URL of the sandboxes that it talks to.
  public var sandbox: String
  /// The adapter file; nil takes the one for the kit's own server.
  public var adapter: String?
  /// Port on 127.0.0.1 where the suite listens.
  public var port: Int
  /// Ids of checks; all if empty.
  public var only: [String]
  /// Names of providers; all if empty.
  public var providers: [String]
  /// Whether a JSON document is printed.
  public var asJSON: Bool

  /// Builds options.
  public init(
    backend: String, sandbox: String, adapter: String?, port: Int, only: [String],
    providers: [String], asJSON: Bool
  ) {
    self.backend = backend
    self.sandbox = sandbox
    self.adapter = adapter
    self.port = port
    self.only = only
    self.providers = providers
    self.asJSON = asJSON
  }
}

let conformanceCommand = Command<TillAction>(
  "conformance", "Plays the providers' checklists against a merchant backend in any language",
  discussion: """
    The backend talks to `till sandbox`. The suite has the sandboxes' webhooks come to itself and \
    passes them on late, twice, forged or not at all; the backend's fulfilment messages go to \
    /fulfilment at the suite's port. It judges by the sandboxes' ledger and by what the backend \
    says. An adapter file tells the backend's routes and words; without one it is the kit's own \
    server, whose secrets are read from the environment.

    Exit codes: 0 every check passed; 1 one did not, or could not be run.
    """,
  options: [
    .option("backend", "URL", "The backend", count: .required),
    .option("sandbox", "URL", "The sandboxes", default: "http://127.0.0.1:4010"),
    .option("adapter", "FILE", "Routes and words of the backend"),
    .option(
      "port", "PORT", "Where the suite listens, on 127.0.0.1", kind: .integer(1...65_535),
      default: "4030"),
    .option("only", "ID", "Run this check", count: .repeated),
    .option("provider", "NAME", "Run at this provider", count: .repeated),
    .flag("json", "Print a JSON document"),
  ],
  examples: [
    (
      "till conformance --backend http://127.0.0.1:5000 --adapter shop.json",
      "the scorecard of a shop"
    )
  ]
) {
  .conformance(
    ConformanceOptions(
      backend: $0.required("backend"), sandbox: $0.required("sandbox"),
      adapter: $0.text("adapter"), port: $0.integer("port") ?? 4_030, only: $0.all("only"),
      providers: $0.all("provider"), asJSON: $0.has("json")))
}
