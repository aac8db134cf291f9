/// Help texts fit this width, the narrowest terminal in common use.
private let columnsMax = 80
/// A longer left column pushes its explanation to the next line.
private let leftColumnMax = 28

extension Command {
  /// `till payment show ID [--json]`; `options` are all that hold here, own ones first.
  func usageLine(path: [String], options: [Parameter]) -> String {
    let own = (positionals + options).map { parameter in
      parameter.count == .required
        ? parameter.written
        : "[\(parameter.written)]"
          + (parameter.count == .repeated ? "…" : "")
    }
    return (path + [name] + (commands.isEmpty ? [] : ["COMMAND"]) + own).joined(separator: " ")
  }

  /// What the command does, how it is written, its parts, and examples.
  func helpText(path: [String], options: [Parameter]) -> String {
    let optionRows =
      options.map { ($0.written, $0.explanation) }
      + [("--help", "Show this text")]
    let sections = [
      wrapped(summary + ".", indent: 0),
      "Usage:\n" + wrapped(usageLine(path: path, options: options), indent: 2),
      wrapped(discussion, indent: 0),
      section("Arguments", positionals.map { ($0.placeholder, $0.explanation) }),
      section("Options", optionRows),
      section("Commands", commands.map { ($0.name, $0.summary) }),
      examples.isEmpty
        ? ""
        : "Examples:\n"
          + examples.map { "  \($0.line)\n" + wrapped($0.effect, indent: 6) }
          .joined(separator: "\n"),
    ]
    return sections.filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
  }
}

extension Parameter {
  /// As it stands in a command line: `ID`, `--json`, `--wait SECONDS`.
  var written: String {
    isPositional ? placeholder : isFlag ? "--\(name)" : "--\(name) \(placeholder)"
  }

  fileprivate var explanation: String {
    var notes: [String] = []
    if case .choice(let words) = kind { notes.append(words.joined(separator: ", ")) }
    if case .integer(let range) = kind {
      notes.append("\(range.lowerBound) to \(range.upperBound)")
    }
    if let defaultText { notes.append("default \(defaultText)") }
    if count == .repeated { notes.append("may be repeated") }
    return notes.isEmpty ? summary : "\(summary) (\(notes.joined(separator: "; ")))"
  }
}

private func section(_ title: String, _ rows: [(left: String, right: String)]) -> String {
  guard !rows.isEmpty else { return "" }
  let fitting = rows.map(\.left.count).filter { $0 <= leftColumnMax }
  let indent = 2 + (fitting.max() ?? leftColumnMax) + 2
  let lines = rows.map { row in
    let right = wrapped(row.right, indent: indent)
    let left = "  " + row.left
    guard left.count + 2 <= indent else { return left + "\n" + right }
    return left + right.dropFirst(left.count)
  }
  return "\(title):\n" + lines.joined(separator: "\n")
}

/// Breaks a text at spaces; line breaks of the text stay, and so do lines that begin with a space:
/// they are tables.
private func wrapped(_ text: String, indent: Int) -> String {
  let margin = String(repeating: " ", count: indent)
  let paragraphs = text.split(separator: "\n", omittingEmptySubsequences: false)
  let lines = paragraphs.flatMap { paragraph in
    if paragraph.hasPrefix(" ") { return [String(paragraph)] }
    let words = paragraph.split(separator: " ")
    return words.dropFirst().reduce(into: [String(words.first ?? "")]) { lines, word in
      if let last = lines.last, indent + last.count + 1 + word.count <= columnsMax {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        lines.append(String(word))
      }
    }
  }
  return lines.map { $0.isEmpty ? "" : margin + $0 }.joined(separator: "\n")
}
