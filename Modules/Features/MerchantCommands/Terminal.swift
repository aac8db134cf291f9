/// Where a command writes, and what can be shown there.
public struct Terminal: Sendable {
  /// Writes to standard output, without adding a line end.
  public var write: @Sendable (String) -> Void
  /// Writes one line to standard error.
  public var complain: @Sendable (String) -> Void
  /// Whether standard output is a terminal: progress lines are redrawn only there.
  public var isInteractive: Bool
  /// Whether colour is wanted: only on a terminal, and not if `NO_COLOR` is set.
  public var usesColor: Bool

  /// Describes a terminal.
  public init(
    isInteractive: Bool, usesColor: Bool, write: @escaping @Sendable (String) -> Void,
    complain: @escaping @Sendable (String) -> Void
  ) {
    self.isInteractive = isInteractive
    self.usesColor = usesColor
    self.write = write
    self.complain = complain
  }

  func line(_ text: String) { write(text + "\n") }

  /// A state in the colour that goes with it.
  func state(_ text: String) -> String {
    guard usesColor else { return text }
    let code =
      switch text {
      case "paid", "captured", "done": "32"
      case "authorized", "creating", "created", "pending", "intent", "cancelling": "33"
      case "rejected", "expired", "cancelled", "refused", "needs_review": "31"
      default: "36"
      }
    return "\u{1B}[\(code)m\(text)\u{1B}[0m"
  }
}

/// Rows of a table, its columns aligned by their widest cell. The last cell of a row is not padded,
/// and it alone may hold colour, which has no width.
func table(_ rows: [[String]]) -> [String] {
  let columns = rows.map(\.count).max() ?? 0
  let widths = (0..<columns).map { column in
    rows.map { $0.indices.contains(column) ? $0[column].count : 0 }.max() ?? 0
  }
  return rows.map { row in
    // An empty last cell would leave the padding of the one before at the end of the line.
    let row = row.last?.isEmpty == true ? row.dropLast() : row
    let cells = row.enumerated().map { column, cell in
      column == row.count - 1
        ? cell : cell + String(repeating: " ", count: widths[column] - cell.count)
    }
    return cells.joined(separator: "  ")
  }
}

/// A text of a server, a provider or a payer as it may be shown: what would move the cursor, colour
/// the screen, break the line or turn the writing direction is escaped.
func printable(_ text: String) -> String {
  String(
    text.unicodeScalars.map { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator:
        "\\u{\(String(scalar.value, radix: 16))}"
      default: String(scalar)
      }
    }.joined())
}
