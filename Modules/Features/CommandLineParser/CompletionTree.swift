/// A shell that completes command lines.
public enum CompletionShell: String, Hashable, Sendable, CaseIterable {
  /// GNU Bash, from 4 on.
  case bash
  /// The Z shell.
  case zsh
  /// The friendly interactive shell.
  case fish
}

extension Command {
  /// A script by which a shell completes this command line: names of commands and options, and the
  /// values of those that have a list of them. It comes out of the same data as the help.
  public func completions(for shell: CompletionShell) -> String {
    let spots = spots(path: [], options: [])
    return switch shell {
    case .bash: bashCompletions(spots)
    case .zsh: zshCompletions(spots)
    case .fish: fishCompletions(spots)
    }
  }

  /// Every command with all options that hold there, in the order of the help.
  private func spots(path: [String], options: [Parameter]) -> [CompletionSpot] {
    let path = path + [name]
    let options = self.options + options
    let own = CompletionSpot(
      path: path.joined(separator: " "), commands: commands.map { ($0.name, $0.summary) },
      options: options, positional: positionals.first)
    return [own] + commands.flatMap { $0.spots(path: path, options: options) }
  }
}

/// A place in the command line, and what may stand next.
struct CompletionSpot {
  /// The words that lead to it: `till payment show`.
  let path: String
  let commands: [(name: String, summary: String)]
  let options: [Parameter]
  let positional: Parameter?

  /// Values that the first positional may have, if they are a list.
  var words: [String] { positional?.words ?? [] }
  /// Whether a file may stand here.
  var takesFile: Bool { positional?.takesFile ?? false }
}

extension Parameter {
  /// The words that it may be, if they are a list.
  var words: [String] {
    if case .choice(let words) = kind { words } else { [] }
  }

  /// Whether its value is the name of a file.
  var takesFile: Bool { placeholder.hasSuffix("FILE") || placeholder == "DIRECTORY" }
}
