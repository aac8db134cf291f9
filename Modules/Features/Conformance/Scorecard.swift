public import StrictJSON

/// What a run saw, check by check.
public struct Scorecard: Sendable {
  /// How a check ended.
  public enum Result: Hashable, Sendable {
    /// As it must be; what was seen.
    case passed(String)
    /// Not as it must be; what was seen.
    case failed(String)
    /// Not looked at, and why; this is no pass.
    case notRun(String)

    /// One sentence about it.
    public var seen: String {
      switch self {
      case .passed(let text), .failed(let text), .notRun(let text): text
      }
    }

    /// `pass`, `FAIL` or `not run`.
    public var word: String {
      switch self {
      case .passed: "pass"
      case .failed: "FAIL"
      case .notRun: "not run"
      }
    }
  }

  /// One check at one provider.
  public struct Row: Sendable {
    /// The check.
    public let check: ConformanceCheck
    /// The document's line, and whose it is.
    public let rule: DocumentRule
    /// How it ended.
    public let result: Result
  }

  /// By provider, and for each in the order of the checks.
  public let rows: [Row]

  init(rows: [Row]) {
    let checks = ConformanceCheck.all.map(\.id)
    let providers = ConformanceProvider.allCases
    func place(_ row: Row) -> (Int, Int) {
      (
        checks.firstIndex(of: row.check.id) ?? 0,
        providers.firstIndex(of: row.rule.provider) ?? 0
      )
    }
    self.rows = rows.sorted { place($0) < place($1) }
  }

  /// Ids of the checks that failed at one provider or more.
  public var failedChecks: [String] {
    ConformanceCheck.all.map(\.id).filter { id in
      rows.contains { if case .failed = $0.result { $0.check.id == id } else { false } }
    }
  }

  /// Whether every check was run and passed.
  public var isPerfect: Bool {
    !rows.isEmpty
      && rows.allSatisfy { if case .passed = $0.result { true } else { false } }
  }

  /// The last line: how many of what.
  public var totals: String {
    func count(_ word: String) -> Int { rows.count { $0.result.word == word } }
    let ids = Set(rows.map(\.check.id)).count
    return "\(ids) checks, \(rows.count) rows: \(count("pass")) pass, \(count("FAIL")) fail "
      + "(\(failedChecks.count) checks), \(count("not run")) not run"
  }

  /// The table, a line a row.
  public var lines: [String] {
    let idWidth = rows.map { $0.check.id.count }.max() ?? 0
    var lines: [String] = []
    for row in rows {
      lines.append(
        padded(row.check.id, idWidth) + "  " + padded(row.rule.provider.rawValue, 5) + "  "
          + padded(row.result.word, 7) + "  " + row.result.seen)
      lines.append(padded("", idWidth) + "         from: " + row.rule.text)
      if case .failed = row.result {
        lines.append(padded("", idWidth) + "         must: " + row.check.title)
        lines.append(padded("", idWidth) + "         else: " + row.check.loss)
      }
    }
    return lines + [totals]
  }

  /// The same as a JSON document.
  public var json: JSONValue {
    .object([
      "rows": .array(
        rows.map {
          .object([
            "check": .string($0.check.id), "title": .string($0.check.title),
            "loss": .string($0.check.loss), "provider": .string($0.rule.provider.rawValue),
            "document": .string($0.rule.document), "place": .string($0.rule.place),
            "result": .string($0.result.word), "seen": .string($0.result.seen),
          ])
        }),
      "failed_checks": .array(failedChecks.map(JSONValue.string)),
      "perfect": .bool(isPerfect), "totals": .string(totals),
    ])
  }

  private func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}
