import CommandLineParser

/// The files of a new shop that `till init` is to write.
public struct ShopDraftOptions: Hashable, Sendable {
  /// With an account at each of these.
  public var providers: [String]
  /// Where.
  public var directory: String
  /// The local sandboxes that stand for the providers; nil for the providers themselves.
  public var sandbox: String?
  /// Whether files that are there are replaced.
  public var replaces: Bool

  /// Builds options.
  public init(providers: [String], directory: String, sandbox: String? = nil, replaces: Bool) {
    self.providers = providers
    self.directory = directory
    self.sandbox = sandbox
    self.replaces = replaces
  }
}

let initCommand = Command<TillAction>(
  "init", "Writes the settings of a new shop, with comments, and checks them",
  discussion: """
    Writes till-server.json, catalogue.json, buyers.json and app-tokens.json for an account for \
    tests at each provider, till-server.env with the server's secrets, and till.env with what \
    till takes. Keys of ours are made, in files that this user alone can read; what only a \
    provider can give is left empty, with a comment where to get it. Then the files are read as \
    till-server reads them, and what is missing is listed.

    A file that is there is replaced with --force alone, and kept beside with .replaced at the \
    end of its name, or .replaced-2 and so on: what was kept once stays. All of the \
    files are written, or none.

    Exit codes: 0 written, and till-server starts with it; 73 a file is there already, or cannot \
    be written; 78 written, and something is to be filled in.
    """,
  options: [
    .option(
      "providers", "NAMES", "At which, with commas between: tabby,seb", kind: providerNames,
      count: .required),
    .option("directory", "DIRECTORY", "Where to; it is made if need be", kind: path, default: "."),
    .option("sandbox", "URL", "A till sandbox stands for the providers", kind: webURL),
    .flag("force", "Replaces files that are there"),
  ],
  examples: [
    ("till init --providers tabby,seb --directory shop", "then fill in what it lists"),
    (
      "till init --providers futa --directory shop --sandbox http://127.0.0.1:4010",
      "complete at once, for a try"
    ),
  ]
) { arguments in
  .draft(
    ShopDraftOptions(
      providers: arguments.required("providers").split(separator: ",").map(String.init),
      directory: arguments.required("directory"),
      // As a browser shows the address, with a stroke behind it.
      sandbox: arguments.text("sandbox").map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 },
      replaces: arguments.has("force")))
}

private let path = Parameter.Kind.checked(expected: "a path", { !$0.isEmpty })

private let providerNames = Parameter.Kind.checked(
  expected: "names of providers with commas between, each once",
  { text in
    let names = text.split(separator: ",", omittingEmptySubsequences: false)
    return Set(names).count == names.count
      && names.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { (97...122).contains($0) } }
  })
