extension Command {
  /// The script for Bash.
  func bashCompletions(_ spots: [CompletionSpot]) -> String {
    let values = spots.flatMap { spot in
      spot.options.filter { !$0.isFlag }.map { option in
        "    '\(spot.path) --\(option.name)') " + value(option) + "; return ;;"
      }
    }
    let places = spots.map { spot in
      let words = spot.commands.map(\.name) + spot.words + spot.options.map { "--\($0.name)" }
      let files = spot.takesFile ? "; COMPREPLY+=($(compgen -f -- \"$word\"))" : ""
      let all = (words + ["--help"]).joined(separator: " ")
      return "    '\(spot.path)') _\(name)_words '\(all)'\(files) ;;"
    }
    return """
      # Completions of \(name) for Bash: source this file, or put it where bash-completion looks.
      _\(name)_words() { COMPREPLY=($(compgen -W "$1" -- "$word")); }
      _\(name)() {
        local word="${COMP_WORDS[COMP_CWORD]}" spot=\(name) index
        for ((index = 1; index < COMP_CWORD; index++)); do
          case "$spot ${COMP_WORDS[index]}" in
          \(alternatives(spots, separator: " | "))) spot+=" ${COMP_WORDS[index]}" ;;
          esac
        done
        COMPREPLY=()
        case "$spot ${COMP_WORDS[COMP_CWORD - 1]}" in
      \(values.map { String($0.dropFirst(2)) }.joined(separator: "\n"))
        esac
        case "$spot" in
      \(places.map { String($0.dropFirst(2)) }.joined(separator: "\n"))
        esac
      }
      complete -F _\(name) \(name)

      """
  }

  private func value(_ option: Parameter) -> String {
    option.takesFile
      ? "COMPREPLY=($(compgen -f -- \"$word\"))"
      : "_\(name)_words '\(option.words.joined(separator: " "))'"
  }

  /// The ways to all commands below the root, as a pattern of `case`.
  func alternatives(_ spots: [CompletionSpot], separator: String) -> String {
    spots.dropFirst().map { "'\($0.path)'" }.joined(separator: separator)
  }
}
