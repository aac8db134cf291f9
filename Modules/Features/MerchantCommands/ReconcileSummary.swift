import PaymentModels
import StrictJSON

/// What the pages of a comparison found so far.
struct ReconcileSummary {
  /// Lines that are shown of each list; `--json` has them all.
  static let rowsMax = 1_000

  private var payments: Int64 = 0
  private var examined: Int64 = 0
  private var compared: Int64 = 0
  private var notReadCount = 0
  private var openCount = 0
  private var foundCount = 0
  /// Kinds, in the order in which they were found first.
  private var kinds: [(kind: String, count: Int)] = []
  private var findings: [JSONValue] = []
  private var notRead: [JSONValue] = []
  private var totals: [Total] = []
  private var learned: [Learned] = []
  private var limits: [JSONValue] = []

  struct Total {
    let place: [String]
    let currency: Currency?
    var compared: Int64 = 0
    /// Captured in the book and at the provider, and gone back in both.
    var sums: [Int64] = [0, 0, 0, 0]
  }

  struct Learned {
    let words: [String]
    var count: Int64 = 0
    var timed: Int64 = 0
    var lateMs: Int64 = 0
    var latestMs: Int64 = 0
  }

  mutating func add(_ page: JSONValue) {
    payments = max(payments, page["payments"]?.int64 ?? 0)
    examined += page["examined"]?.int64 ?? 0
    for finding in page["differences"]?.elements ?? [] { add(finding: finding) }
    let unread = page["not_read"]?.elements ?? []
    notReadCount += unread.count
    notRead += unread.prefix(Self.rowsMax - min(Self.rowsMax, notRead.count))
    for total in page["totals"]?.elements ?? [] { add(total: total) }
    for outcome in page["learned"]?.elements ?? [] { add(learned: outcome) }
    limits += page["cannot_find"]?.elements ?? []
  }

  private mutating func add(finding: JSONValue) {
    foundCount += 1
    if finding["settled"]?.boolean != true { openCount += 1 }
    let kind = finding["kind"]?.text ?? "?"
    if let index = kinds.firstIndex(where: { $0.kind == kind }) {
      kinds[index].count += 1
    } else {
      kinds.append((kind, 1))
    }
    if findings.count < Self.rowsMax { findings.append(finding) }
  }

  private mutating func add(total: JSONValue) {
    let place = Self.place(total) + [total["currency"]?.text ?? "?"]
    if !totals.contains(where: { $0.place == place }) {
      let exponent = Int(total["exponent"]?.int64 ?? 0)
      totals.append(
        Total(place: place, currency: Currency(code: place[2], exponent: exponent)))
    }
    guard let index = totals.firstIndex(where: { $0.place == place }) else { return }
    compared += total["compared"]?.int64 ?? 0
    totals[index].compared += total["compared"]?.int64 ?? 0
    for (number, path) in [
      ("captured", "booked"), ("captured", "told"), ("gone_back", "booked"), ("gone_back", "told"),
    ].enumerated() {
      totals[index].sums[number] += total[path.0]?["\(path.1)_minor_units"]?.int64 ?? 0
    }
  }

  private mutating func add(learned outcome: JSONValue) {
    let words =
      Self.place(outcome) + [outcome["outcome"]?.text ?? "?", outcome["channel"]?.text ?? "?"]
    if !learned.contains(where: { $0.words == words }) { learned.append(Learned(words: words)) }
    guard let index = learned.firstIndex(where: { $0.words == words }) else { return }
    learned[index].count += 1
    guard let late = outcome["late_ms"]?.int64 else { return }
    learned[index].timed += 1
    learned[index].lateMs += late
    learned[index].latestMs = max(learned[index].latestMs, late)
  }

  private static func differences(_ count: Int) -> String {
    "\(count) difference\(count == 1 ? "" : "s")"
  }

  private static func place(_ json: JSONValue) -> [String] {
    [json["provider"]?.text ?? "?", json["account"]?.text ?? "?"]
  }

  // MARK: What came of it

  /// Nil if the books agree, or were brought together.
  var failure: CommandFailure? {
    if notReadCount > 0 {
      return CommandFailure(
        .notKnownYet, "\(notReadCount) not read, so nothing is known of them; run it again")
    }
    guard openCount > 0 else { return nil }
    return CommandFailure(.notAllowed, "the books differ: \(Self.differences(openCount)) left")
  }

  /// How far it has come, on one line.
  var bar: String {
    let width: Int64 = 24
    let done = payments > 0 ? min(width, width * examined / payments) : width
    let full = String(repeating: "#", count: Int(done))
    let rest = String(repeating: "-", count: Int(width - done))
    return "[\(full)\(rest)] \(examined) of \(payments) payments, \(compared) read, "
      + "\(Self.differences(foundCount)), \(notReadCount) not read"
  }

  var json: JSONValue {
    .object([
      "examined": .integer(examined), "compared": .integer(compared),
      "differences": .integer(foundCount), "left": .integer(openCount),
      "not_read": .integer(notReadCount),
      "kinds": .object(kinds.map { JSONMember(name: $0.kind, value: .integer($0.count)) }),
    ])
  }

  func lines(applies: Bool, columnsMax: Int?) -> [String] {
    var lines: [String] = []
    func part(_ heading: [String], _ rows: [[String]]) {
      guard !rows.isEmpty else { return }
      lines += TextTable(heading: heading, rows: rows).lines(columnsMax: columnsMax) + [""]
    }
    part(
      ["DIFFERENCE", "PROVIDER", "PAYMENT", "AMOUNT", "BOOK", "PROVIDER SAYS", "SETTLED BY"],
      findings.map(Self.row))
    if foundCount > findings.count {
      lines += ["and \(foundCount - findings.count) more; --json has them all", ""]
    }
    part(
      [
        "PROVIDER", "ACCOUNT", "MONEY", "READ", "CAPTURED", "AT PROVIDER", "GONE BACK",
        "AT PROVIDER",
      ],
      totals.map { $0.place + ["\($0.compared)"] + $0.amounts }.map { $0.map(printable) })
    part(
      ["PROVIDER", "ACCOUNT", "LEARNED", "BY", "COUNT", "MEAN DELAY", "LONGEST"],
      learned.map { ($0.words + ["\($0.count)"] + $0.delays).map(printable) })
    part(
      ["NOT READ", "PROVIDER", "WHY"],
      notRead.map { json in
        [
          json["payment_id"]?.text ?? "-", Self.place(json).joined(separator: " "),
          json["reason"]?.text ?? "?",
        ].map(printable)
      })
    for json in limits {
      for sentence in json["cannot_find"]?.elements ?? [] {
        lines.append(
          printable("\(Self.place(json).joined(separator: " ")): \(sentence.text ?? "?")"))
      }
    }
    let counts = kinds.map { "\($0.kind) \($0.count)" }.joined(separator: ", ")
    let found = Self.differences(foundCount) + (counts.isEmpty ? "" : " (\(counts))")
    lines.append(
      "\(compared) of \(payments) payments read, \(found), \(notReadCount) not read; "
        + (applies ? "\(foundCount - openCount) settled" : "nothing was changed"))
    return lines
  }

  private static func row(_ json: JSONValue) -> [String] {
    let amount = [json["amount"]?.text, json["currency"]?.text].compactMap(\.self)
    let settled =
      json["settled"]?.boolean == true ? "done" : json["settled_by"]?.text ?? "?"
    return [
      json["kind"]?.text ?? "?", place(json).joined(separator: " "),
      json["payment_id"]?.text ?? json["provider_payment_id"]?.text ?? "-",
      amount.isEmpty ? "-" : amount.joined(separator: " "), json["booked"]?.text ?? "?",
      json["told"]?.text ?? "?", settled,
    ].map(printable)
  }
}

extension ReconcileSummary.Total {
  /// The four sums, decimal; a provider's side is marked where it differs.
  var amounts: [String] {
    let texts = sums.map { sum in
      currency.map { Money(minorUnits: sum, currency: $0).decimal } ?? "\(sum)"
    }
    return [
      texts[0], sums[0] == sums[1] ? texts[1] : "\(texts[1]) !",
      texts[2], sums[2] == sums[3] ? texts[3] : "\(texts[3]) !",
    ]
  }
}

extension ReconcileSummary.Learned {
  /// Mean and longest delay; `-` where the provider names no times.
  var delays: [String] {
    guard timed > 0 else { return ["-", "-"] }
    return ["\(lateMs / timed / 1_000) s", "\(latestMs / 1_000) s"]
  }
}
