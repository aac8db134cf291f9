/// A command of a command line, declared as data: a *group* of further commands (`till payment`)
/// or a *leaf* that makes an action out of its arguments (`till payment show ID`).
///
/// ```swift
/// let show = Command("show", "Shows one payment", positionals: [.positional("id", "Its id")]) {
///   Action.showPayment($0.required("id"))
/// }
/// let till = Command(group: "till", "Asks the merchant server", commands: [
///   Command(group: "payment", "Payments", commands: [show])
/// ])
/// switch till.parse(["payment", "show", "pay_A1"]) {
/// case .run(let action): …
/// case .help(let text): …          // standard output, exit code 0
/// case .refused(let error): …      // standard error, exit code UsageError.exitCode
/// }
/// ```
public struct Command<Action>: Sendable {
  /// The word that selects it; for the root, the program's name.
  public let name: String
  /// What it does, in one sentence without a full stop.
  public let summary: String
  /// What a newcomer should know before using it. May be empty.
  public let discussion: String
  /// Options and flags; those of a group hold for all commands below it.
  public let options: [Parameter]
  /// Positional arguments of a leaf, in their order.
  public let positionals: [Parameter]
  /// Whole command lines, each with what it does.
  public let examples: [(line: String, effect: String)]
  /// The commands of a group; none for a leaf.
  public let commands: [Command]
  let make: (@Sendable (Arguments) throws(UsageError) -> Action)?

  /// A leaf.
  ///
  /// - Parameter make: builds the action. It may refuse what the declared kinds cannot tell, by
  ///   throwing ``UsageError``.
  public init(
    _ name: String, _ summary: String, discussion: String = "", options: [Parameter] = [],
    positionals: [Parameter] = [], examples: [(line: String, effect: String)] = [],
    make: @escaping @Sendable (Arguments) throws(UsageError) -> Action
  ) {
    precondition(
      positionals.dropLast().allSatisfy { $0.count == .required },
      "only the last positional may be optional or repeated")
    self.name = name
    self.summary = summary
    self.discussion = discussion
    self.options = options
    self.positionals = positionals
    self.examples = examples
    commands = []
    self.make = make
  }

  /// A group.
  public init(
    group name: String, _ summary: String, discussion: String = "", options: [Parameter] = [],
    examples: [(line: String, effect: String)] = [], commands: [Command]
  ) {
    precondition(!commands.isEmpty, "a group has commands")
    self.name = name
    self.summary = summary
    self.discussion = discussion
    self.options = options
    positionals = []
    self.examples = examples
    self.commands = commands
    make = nil
  }
}

/// What a command line asks for. Nothing has been printed or done yet.
public enum CommandOutcome<Action> {
  /// Do this.
  case run(Action)
  /// Print this to standard output and exit with 0.
  case help(String)
  /// Print the error's description to standard error and exit with ``UsageError/exitCode``.
  case refused(UsageError)
}

extension CommandOutcome: Sendable where Action: Sendable {}

/// A command line that cannot be understood: what is wrong and what to write instead.
public struct UsageError: Error, Hashable, Sendable, CustomStringConvertible {
  /// `EX_USAGE` of sysexits(3), so that a script can tell its own mistake from a failed command.
  public static let exitCode: Int32 = 64

  /// What is wrong.
  public var message: String
  /// What to write instead, if that can be guessed.
  public var hint: String?
  /// The usage line of the command that was meant; the parser fills it in.
  public internal(set) var usage: String?

  /// Builds an error without usage line.
  public init(_ message: String, hint: String? = nil) {
    self.message = message
    self.hint = hint
  }

  /// Up to three lines: error, hint, usage.
  public var description: String {
    ["error: \(message)", hint.map { "hint: \($0)" }, usage.map { "usage: \($0)" }]
      .compactMap(\.self).joined(separator: "\n")
  }
}
