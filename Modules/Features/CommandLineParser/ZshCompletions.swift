extension Command {
  /// The script for the Z shell.
  func zshCompletions(_ spots: [CompletionSpot]) -> String {
    let values = spots.flatMap { spot in
      spot.options.filter { !$0.isFlag }.map { option in
        let action =
          option.takesFile ? "_files" : "compadd -- \(option.words.joined(separator: " "))"
        return "    '\(spot.path) --\(option.name)') \(action); return ;;"
      }
    }
    let places = spots.map { spot in
      let rows =
        spot.commands.map { entry($0.name, $0.summary) } + spot.words.map { entry($0, "") }
        + spot.options.map { entry("--\($0.name)", $0.summary) } + [entry("--help", "Show help")]
      return "    '\(spot.path)') entries=(\(rows.joined(separator: " ")))"
        + (spot.takesFile ? "; _files" : "") + " ;;"
    }
    return """
      #compdef \(name)
      # Completions of \(name) for zsh: put this file as _\(name) into a folder of $fpath.
      _\(name)() {
        local spot=\(name) word
        local -a entries
        for word in ${words[2,CURRENT-1]}; do
          case "$spot $word" in
          \(alternatives(spots, separator: " | "))) spot+=" $word" ;;
          esac
        done
        case "$spot ${words[CURRENT-1]}" in
      \(values.map { String($0.dropFirst(2)) }.joined(separator: "\n"))
        esac
        case "$spot" in
      \(places.map { String($0.dropFirst(2)) }.joined(separator: "\n"))
        esac
        _describe '\(name)' entries
      }
      compdef _\(name) \(name)

      """
  }

  /// A word and what it means, quoted; a colon parts the two.
  private func entry(_ word: String, _ summary: String) -> String {
    let text = summary.replacing("'", with: "’").replacing(":", with: "\\:")
    return "'\(word)\(text.isEmpty ? "" : ":\(text)")'"
  }
}
