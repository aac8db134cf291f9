extension Command {
  /// The script for fish.
  func fishCompletions(_ spots: [CompletionSpot]) -> String {
    let rows = spots.flatMap { spot in
      let here = "complete -c \(name) -n \"__\(name)_at \(spot.path)\""
      return spot.commands.map { "\(here) -a \($0.name) -d '\(plain($0.summary))'" }
        + (spot.words.isEmpty ? [] : ["\(here) -a '\(spot.words.joined(separator: " "))'"])
        + (spot.takesFile ? ["\(here) -F"] : [])
        + spot.options.map { "\(here) -l \($0.name)\(value($0)) -d '\(plain($0.summary))'" }
        + ["\(here) -l help -d 'Show help'"]
    }
    return """
      # Completions of \(name) for fish: put this file as \(name).fish into
      # ~/.config/fish/completions.
      function __\(name)_at
        set -l spot \(name)
        for word in (commandline -opc)[2..]
          switch "$spot $word"
            case \(alternatives(spots, separator: " "))
              set spot "$spot $word"
          end
        end
        test "$spot" = "$argv"
      end
      complete -c \(name) -f
      \(rows.joined(separator: "\n"))

      """
  }

  private func value(_ option: Parameter) -> String {
    if option.isFlag { return "" }
    if option.takesFile { return " -r -F" }
    return option.words.isEmpty ? " -x" : " -x -a '\(option.words.joined(separator: " "))'"
  }

  private func plain(_ text: String) -> String { text.replacing("'", with: "’") }
}
