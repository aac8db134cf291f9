/// Rows of RFC 4180 that a spreadsheet opens without running anything of them.
enum CSVText {
  /// What a spreadsheet takes for the beginning of a formula.
  private static let formulaStarts: Set<Character> = ["=", "+", "-", "@", "\t", "\r", "\n"]

  /// One row with its line end.
  static func row(_ cells: [Cell]) -> String {
    cells.map { quoted($0.text) }.joined(separator: ",") + "\r\n"
  }

  /// What stands in a row.
  enum Cell {
    /// Somebody's words: what looks like a formula gets an apostrophe in front.
    case text(String)
    /// Digits of ours.
    case number(String)

    fileprivate var text: String {
      switch self {
      case .text(let text): text.first.map(formulaStarts.contains) == true ? "'" + text : text
      case .number(let text): text
      }
    }
  }

  private static func quoted(_ text: String) -> String {
    let needsQuotes = text.unicodeScalars.contains { ",\"\r\n".unicodeScalars.contains($0) }
    return needsQuotes ? "\"\(text.replacing("\"", with: "\"\""))\"" : text
  }
}
