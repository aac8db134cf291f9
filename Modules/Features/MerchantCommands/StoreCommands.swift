import CommandLineParser

/// A copy of a server's store, or a store from a copy.
public struct StoreCopy: Hashable, Sendable {
  /// Which way.
  public enum Direction: String, Hashable, Sendable {
    /// From the store to a file.
    case backup
    /// From a file to the store.
    case restore
  }

  /// Which way.
  public var direction: Direction
  /// The file beside the store.
  public var path: String
  /// Whether what stands at the target is replaced.
  public var replaces: Bool

  /// Builds a command.
  public init(_ direction: Direction, path: String, replaces: Bool = false) {
    self.direction = direction
    self.path = path
    self.replaces = replaces
  }
}

private let settingsOption = Parameter.option(
  "config", "FILE", "The settings of till-server", count: .required)

let backupCommand = Command<TillAction>(
  "backup", "Copies the server's store while it runs",
  discussion: """
    The copy shows the store as it is at one moment, is checked (pages, references, and as many \
    rows as the store has), and only then gets its name. No secret of the settings is needed.

    Exit codes: 0 done; 73 the file is there already, or cannot be written; 74 the store cannot \
    be read, or is damaged.
    """,
  options: [
    settingsOption, .option("to", "PATH", "The file of the copy", count: .required),
    .flag("force", "Replaces a file that is there"), .flag("json", "Print a JSON document"),
  ],
  examples: [
    (
      "till backup --config till-server.json --to till-0300.sqlite --force",
      "from cron, a name for each hour; that of yesterday is replaced"
    )
  ]
) { copy(.backup, "to", $0) }

let restoreCommand = Command<TillAction>(
  "restore", "Puts a copy in the place of a stopped server's store",
  discussion: """
    Checks the copy first. A store that is there is replaced with --force alone, and kept beside \
    with .replaced at the end of its name. The copy stays.

    Exit codes: 0 done; 69 a process has the store open; 73 a store is there, or cannot be \
    written; 74 the copy is missing, damaged, or of a newer program.
    """,
  options: [
    settingsOption, .option("from", "PATH", "The file of the copy", count: .required),
    .flag("force", "Replaces a store that is there"), .flag("json", "Print a JSON document"),
  ],
  examples: [
    ("till restore --config till-server.json --from till-0300.sqlite --force", "server stopped")
  ]
) { copy(.restore, "from", $0) }

private func copy(
  _ direction: StoreCopy.Direction, _ option: String, _ arguments: Arguments
) -> TillAction {
  .copyStore(
    StoreCopy(
      direction, path: arguments.required(option), replaces: arguments.has("force")),
    settings: arguments.required("config"), asJSON: arguments.has("json"))
}
