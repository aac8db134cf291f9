/// Where a command that plays many runs is told, and how.
public struct RunOutput: Sendable {
  /// Takes a whole line.
  public var line: @Sendable (String) -> Void
  /// Draws text over what was drawn last; nil where there is no terminal.
  public var draw: (@Sendable (String) -> Void)?
  /// One JSON object a line instead of a table.
  public var isJSON: Bool
  /// The command that repeats a run, without the run's name.
  public var command: String

  /// Collects them.
  public init(
    line: @escaping @Sendable (String) -> Void, draw: (@Sendable (String) -> Void)?,
    isJSON: Bool = false, command: String
  ) {
    self.line = line
    self.draw = draw
    self.isJSON = isJSON
    self.command = command
  }

  /// How a run that ended wrong can be played again.
  func again(_ name: String) -> String { "  again: \(command) '\(name)'\n" }

  /// Names the runs that ended wrong, if any did.
  func tellWrong(_ names: [String]) {
    if !names.isEmpty { line("wrong: \(names.sorted().joined(separator: "\n       "))") }
  }
}
