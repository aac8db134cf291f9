/// Rows of RFC 4180 that a spreadsheet opens without running anything of them.
///
/// Texts are looked at scalar by scalar: a combining mark behind a quote or an equals sign would
/// hide it from a search by characters, and a spreadsheet sees it all the same.
package enum CSVText {
  /// What a spreadsheet takes for the beginning of a formula.
  private static let formulaStarts: Set<Unicode.Scalar> = ["=", "+", "-", "@", "\t", "\r", "\n"]

  /// One row with its line end.
  package static func row(_ cells: [Cell]) -> String {
    cells.map { quoted($0.text) }.joined(separator: ",") + "\r\n"
  }

  /// What stands in a row.
  package enum Cell {
    /// Somebody's words: what looks like a formula gets an apostrophe in front.
    case text(String)
    /// Digits of ours.
    case number(String)

    fileprivate var text: String {
      switch self {
      case .text(let text):
        text.unicodeScalars.first.map(formulaStarts.contains) == true ? "'" + text : text
      case .number(let text): text
      }
    }
  }

  private static func quoted(_ text: String) -> String {
    let needsQuotes = text.unicodeScalars.contains { ",\"\r\n".unicodeScalars.contains($0) }
    guard needsQuotes else { return text }
    let parts = text.unicodeScalars.split(separator: "\"", omittingEmptySubsequences: false)
    return "\"\(parts.map { String($0) }.joined(separator: "\"\""))\""
  }
}
