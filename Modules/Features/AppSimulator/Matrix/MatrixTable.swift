import CheckoutLifecycle

/// The results by row, as a table of at most 100 columns.
struct MatrixTable: Sendable {
  let plan: MatrixPlan
  let results: [MatrixResult]

  var lines: [String] {
    var lines = [
      Self.line("provider", "strategy", ["right", "wrong", "not applicable", "seconds"])
    ]
    for row in MatrixRow.all {
      guard plan.runs.contains(where: { $0.row.name == row.name }) else { continue }
      let own = results.filter { $0.run.row.name == row.name }
      let excluded = plan.exclusions.count { $0.run.row.name == row.name }
      let right = own.count { $0.isRight }
      let seconds = own.reduce(0) { $0 + $1.milliseconds } / 1_000
      lines.append(
        Self.line(
          "\(row.provider)", row.strategy.rawValue,
          ["\(right)", "\(own.count - right)", "\(excluded)", "\(seconds)"]))
    }
    return lines
  }

  private static func line(_ provider: String, _ strategy: String, _ cells: [String]) -> String {
    left(provider, 10) + left(strategy, 16)
      + cells.map { cell in
        String(repeating: " ", count: max(0, 16 - cell.count)) + cell
      }.joined()
  }

  private static func left(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}
