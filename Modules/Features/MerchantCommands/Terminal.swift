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
  /// Columns of the terminal, into which tables are made to fit; nil where nothing is cut, as in a
  /// file or a pipe.
  public var columnsMax: Int?

  /// Describes a terminal.
  public init(
    isInteractive: Bool, usesColor: Bool, columnsMax: Int? = nil,
    write: @escaping @Sendable (String) -> Void, complain: @escaping @Sendable (String) -> Void
  ) {
    self.isInteractive = isInteractive
    self.usesColor = usesColor
    self.columnsMax = columnsMax
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
