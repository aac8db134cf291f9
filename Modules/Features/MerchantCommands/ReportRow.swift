/// A line of a report: how something is, what it is, and what to do next below it.
struct ReportRow {
  var word: String
  /// Its colour, as a terminal numbers it.
  var color: String
  var name: String
  var fact: String
  var advice: String?

  /// One line or two, aligned with others of the same widths.
  func text(margin: Int, wordWidth: Int, nameWidth: Int, usesColor: Bool) -> String {
    let padded = word + spaces(wordWidth - word.count)
    let shown = usesColor ? "\u{1B}[\(color)m\(padded)\u{1B}[0m" : padded
    let line = "\(spaces(margin))\(shown)  \(name)\(spaces(nameWidth - name.count))  "
    let below = spaces(margin + wordWidth + nameWidth + 4)
    return line + printable(fact) + "\n"
      + (advice.map { "\(below)→ \(printable($0))\n" } ?? "")
  }
}

private func spaces(_ count: Int) -> String { String(repeating: " ", count: max(count, 0)) }
