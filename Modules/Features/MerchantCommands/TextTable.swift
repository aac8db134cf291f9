/// Rows in aligned columns, as wide as the terminal allows.
///
/// Where a table is too wide, first its headings are cut, then cells go on in the lines below, and
/// at last each row is written as lines of its own. No word of a cell is ever cut: it may be an id
/// that is copied from there.
struct TextTable {
  /// The columns' names; empty where the first cell of a row names it.
  var heading: [String] = []
  var rows: [[String]]

  private static let gap = "  "
  /// As much of a heading as tells the columns apart.
  private static let headingMin = 3

  /// Columns of the widest line if nothing is cut.
  var width: Int { Self.sum(naturalWidths) }

  /// The lines; nothing is cut without a limit.
  func lines(columnsMax: Int? = nil) -> [String] {
    var widths = naturalWidths
    guard let columnsMax, Self.sum(widths) > columnsMax else { return lines(widths) }
    for measure in [Self.width, Self.longestWord] {
      let least = columns { column in
        max(
          rows.map { Self.cell($0, column) }.map(measure).max() ?? 0,
          min(Self.headingMin, Self.width(Self.cell(heading, column))))
      }
      Self.shrink(&widths, to: columnsMax, least)
    }
    let fits = Self.sum(widths) <= columnsMax
    return fits || heading.isEmpty ? lines(widths) : blocks(columnsMax)
  }

  // MARK: Widths

  private func columns<Element>(_ element: (Int) -> Element) -> [Element] {
    (0..<(([heading] + rows).map(\.count).max() ?? 0)).map(element)
  }

  private static func cell(_ row: [String], _ column: Int) -> String {
    row.indices.contains(column) ? row[column] : ""
  }

  private var naturalWidths: [Int] {
    columns { column in
      ([heading] + rows).map { Self.width(Self.cell($0, column)) }.max() ?? 0
    }
  }

  private static func sum(_ widths: [Int]) -> Int {
    widths.reduce(0, +) + gap.count * max(0, widths.count - 1)
  }

  /// Takes from the widest column of those that can still give.
  private static func shrink(_ widths: inout [Int], to columnsMax: Int, _ least: [Int]) {
    while sum(widths) > columnsMax,
      let widest = widths.indices.filter({ widths[$0] > least[$0] })
        .max(by: { widths[$0] < widths[$1] })
    {
      widths[widest] -= 1
    }
  }

  /// Columns that a text takes: colour takes none.
  private static func width(_ text: String) -> Int {
    guard text.utf8.contains(0x1B) else { return text.count }
    var count = 0
    var isColor = false
    for character in text {
      if character == "\u{1B}" { isColor = true }
      if !isColor { count += 1 }
      if character == "m" { isColor = false }
    }
    return count
  }

  private static func longestWord(_ text: String) -> Int {
    text.split(separator: " ").map { width(String($0)) }.max() ?? 0
  }

  // MARK: Lines

  private func lines(_ widths: [Int]) -> [String] {
    let names = heading.enumerated().map { Self.cut($1, to: widths[$0]) }
    return (heading.isEmpty ? rows : [names] + rows).flatMap { row in
      let cells = row.enumerated().map { Self.wrapped($1, to: widths[$0]) }
      return (0..<max(1, cells.map(\.count).max() ?? 0)).map { Self.line($0, of: cells, widths) }
    }
  }

  private static func line(_ number: Int, of cells: [[String]], _ widths: [Int]) -> String {
    var line = ""
    var missing = 0
    for (column, cell) in cells.enumerated() {
      let text = cell.indices.contains(number) ? cell[number] : ""
      // Spaces are written before the next text alone, so that no line ends with some.
      if !text.isEmpty {
        line += String(repeating: " ", count: missing) + text
        missing = 0
      }
      missing += max(0, widths[column] - width(text)) + gap.count
    }
    return line
  }

  private static func cut(_ text: String, to width: Int) -> String {
    text.count <= width ? text : text.prefix(width - 1) + "…"
  }

  /// The lines of a cell; a word that is wider than its column stays whole.
  private static func wrapped(_ text: String, to columns: Int) -> [String] {
    guard width(text) > columns else { return [text] }
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      let longer = line.isEmpty ? String(word) : "\(line) \(word)"
      if !line.isEmpty, width(longer) > columns {
        lines.append(String(line.reversed().drop { $0 == " " }.reversed()))
        line = String(word)
      } else {
        line = longer
      }
    }
    return line.isEmpty ? lines : lines + [line]
  }

  /// Each row as lines of its own, with the heading before each cell.
  private func blocks(_ columnsMax: Int) -> [String] {
    rows.enumerated().flatMap { number, row in
      let facts = zip(heading, row).filter { !$1.isEmpty }.map { [$0, $1] }
      return (number == 0 ? [] : [""]) + TextTable(rows: facts).lines(columnsMax: columnsMax)
    }
  }
}

extension Terminal {
  /// The columns for tables: what `COLUMNS` says, else what the terminal does. What goes to a file
  /// or a pipe is never cut, whatever `COLUMNS` says.
  public static func columnsMax(
    ofTerminal isTerminal: Bool, variables: [String: String], measured: Int?
  ) -> Int? {
    guard isTerminal else { return nil }
    return variables["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil } ?? measured
  }

  /// Prints a table that fits.
  func table(_ rows: [[String]], heading: [String] = []) {
    TextTable(heading: heading, rows: rows).lines(columnsMax: columnsMax).forEach { line($0) }
  }
}
