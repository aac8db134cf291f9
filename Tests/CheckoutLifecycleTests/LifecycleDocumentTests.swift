import CheckoutLifecycle
import FoundationEssentials
import PaymentModels
import StrictJSON
import Testing

/// The diagram and the tables in the documentation are written by the walk; `make docs` writes
/// them anew.
@Suite("CheckoutLifecycle, as documented", .serialized)
struct LifecycleDocumentTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
  private static let page = root.appending(path: "Docs/Modules/CheckoutLifecycle.md")
  private static let file = root.appending(path: "Docs/Modules/checkout-lifecycle.json")
  private static let isWriting = ProcessInfo.processInfo.environment["TILL_WRITE_DOCS"] != nil

  private static let table = LifecycleTable(
    LifecycleExhaustiveTests.walks.reduce(into: []) { $0.formUnion($1.steps) })

  @Test func `the diagram is the one that is walked`() throws {
    try expect(between: ("```mermaid\n", "\n```"), Self.diagram)
  }

  @Test func `each state names the successors that it has`() throws {
    let source = Self.root.appending(
      path: "Modules/Core/CheckoutLifecycle/CheckoutState.swift")
    let phases = try #require(
      String(contentsOf: source, encoding: .utf8).split(separator: "enum Phase").last?
        .split(separator: "\n  }").first)
    var told: [String: Set<String>] = [:]
    var comment = ""
    for line in phases.split(separator: "\n").map({ $0.drop { $0 == " " } }) {
      if line.hasPrefix("///") { comment += line.dropFirst(3) }
      guard line.hasPrefix("case ") else { continue }
      let next = try #require(comment.split(separator: "Next:").dropFirst().last, "\(line)")
      let name = String(line.dropFirst(5).prefix { $0 != "(" })
      told[name] = Set(next.matches(of: #/`(\w+)`/#).map { String($0.1) })
      comment = ""
    }
    let walked = Self.table.lines.map(\.states).filter { $0.from != $0.to }
      .reduce(into: [String: Set<String>]()) { $0[$1.from, default: []].insert($1.to) }
    #expect(told == walked)
  }

  @Test func `the tables of strategies and providers are those of the code`() throws {
    try expect(between: ("<!-- strategies -->\n", "\n<!-- end -->"), Self.strategies)
    try expect(between: ("<!-- pairs -->\n", "\n<!-- end -->"), Self.pairs)
  }

  @Test func `the table for other platforms is the one that is walked`() throws {
    if Self.isWriting { try Self.json.write(to: Self.file, atomically: true, encoding: .utf8) }
    let written = try String(contentsOf: Self.file, encoding: .utf8)
    let isCurrent = written == Self.json
    #expect(isCurrent, "the file is not what is walked: write it anew")
    _ = try JSONValue(parsing: Array(written.utf8))
    #expect(Self.table.undecided == [], "these steps depend on what the table does not name")
  }

  private func expect(between marks: (String, String), _ text: String) throws {
    let page = try String(contentsOf: Self.page, encoding: .utf8)
    let start = try #require(page.firstRange(of: marks.0)).upperBound
    let end = try #require(page[start...].firstRange(of: marks.1)).lowerBound
    if Self.isWriting {
      try (page[..<start] + text + page[end...]).write(
        to: Self.page, atomically: true, encoding: .utf8)
    } else {
      #expect(page[start..<end] == text, "the page should hold:\n\(text)")
    }
  }

  // MARK: The page

  private static var diagram: String {
    var events: [[String]: Set<String>] = [:]
    for line in table.lines {
      let (from, to) = line.states
      guard from != to else { continue }
      events[[from, to], default: []].insert(String(line.event.prefix { $0 != " " }))
    }
    let lines = events.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { ends, names in
      "  \(ends[0]) --> \(ends[1]): \(names.sorted().joined(separator: ", "))"
    }
    return (["stateDiagram-v2", "  [*] --> new"] + lines).joined(separator: "\n")
  }

  private static var strategies: String {
    let rows = PresentationTraits.all.map { row in
      cells([
        "`\(row.strategy)`", row.platforms.map(\.rawValue).joined(separator: ", "),
        words(row.gives), words(row.loses), words(row.repeats), words(row.invents),
        row.matchesHTTPSReturns ? "yes" : "no", row.chrome.rawValue, row.permissions.rawValue,
        row.outlivesView ? "yes" : "no", row.outlivesProcess ? "yes" : "no",
      ])
    }
    let names = [
      "Strategy", "On", "Gives", "May lose", "May repeat", "May invent", "https returns", "Chrome",
      "Permissions", "Outlives the screen", "Outlives the process",
    ]
    return ([cells(names), cells(names.map { _ in "---" })] + rows).joined(separator: "\n")
  }

  private static var pairs: String {
    let rows = PresentationRule.all.map { rule in
      let isFirst = PresentationRule.recommended(for: rule.provider) == rule.strategy
      return cells([
        rule.provider.rawValue, "`\(rule.strategy)`\(isFirst ? " (recommended)" : "")",
        words(rule.teardown), rule.reason,
      ])
    }
    let refused = PresentationRefusal.all.map {
      cells([$0.provider.rawValue, "`\($0.strategy)`", "refused", $0.reason])
    }
    let names = ["Provider", "Strategy", "Page goes", "Why"]
    return ([cells(names), cells(names.map { _ in "---" })] + rows + refused)
      .joined(separator: "\n")
  }

  private static func cells(_ texts: [String]) -> String {
    "| \(texts.joined(separator: " | ")) |"
  }

  private static func words(_ signals: [PageSignal]) -> String {
    signals.isEmpty ? "–" : signals.map(\.rawValue).joined(separator: ", ")
  }

  private static func words(_ teardown: PresentationRule.Teardown) -> String {
    switch teardown {
    case .atOnce: "with the return"
    case .afterFirstAnswer(let cap): "after the first answer, or \(cap.components.seconds) s"
    case .beforeResult: "before the result is shown"
    }
  }

  // MARK: The file

  private static var json: String {
    let parts: [(String, [JSONValue])] = [
      ("strategies", PresentationTraits.all.map(strategy)),
      ("rules", PresentationRule.all.map(rule)),
      ("refusals", PresentationRefusal.all.map(refusal)),
      ("transitions", table.lines.map(\.json)),
    ]
    let texts = parts.map { name, rows in
      let lines = rows.map { "    " + String(decoding: $0.serialized(), as: UTF8.self) }
      return "  \"\(name)\": [\n\(lines.joined(separator: ",\n"))\n  ]"
    }
    return "{\n\(texts.joined(separator: ",\n"))\n}\n"
  }

  private static func list(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }

  private static func strategy(_ row: PresentationTraits) -> JSONValue {
    .object([
      "strategy": .string(row.strategy.rawValue), "platforms": list(row.platforms.map(\.rawValue)),
      "gives": list(row.gives.map(\.rawValue)), "loses": list(row.loses.map(\.rawValue)),
      "repeats": list(row.repeats.map(\.rawValue)), "invents": list(row.invents.map(\.rawValue)),
      "https_returns": .bool(row.matchesHTTPSReturns), "chrome": .string(row.chrome.rawValue),
      "permissions": .string(row.permissions.rawValue), "outlives_view": .bool(row.outlivesView),
      "outlives_process": .bool(row.outlivesProcess),
    ])
  }

  private static func rule(_ rule: PresentationRule) -> JSONValue {
    .object([
      "provider": .string(rule.provider.rawValue), "strategy": .string(rule.strategy.rawValue),
      "teardown": .string(rule.teardown.word), "teardown_cap_seconds": cap(rule.teardown),
      "page_scope": .string(rule.pageScope.rawValue),
      "return_mode": .string(rule.returnMode.rawValue),
      "permissions": list(rule.permissions.map(\.rawValue)),
      "payment_id_parameter": .optional(rule.paymentIDParameter),
      "holds_verification_key": .bool(rule.holdsVerificationKey), "reason": .string(rule.reason),
    ])
  }

  private static func cap(_ teardown: PresentationRule.Teardown) -> JSONValue {
    guard case .afterFirstAnswer(let cap) = teardown else { return .null }
    return .integer(Int(cap.components.seconds))
  }

  private static func refusal(_ refusal: PresentationRefusal) -> JSONValue {
    .object([
      "provider": .string(refusal.provider.rawValue),
      "strategy": .string(refusal.strategy.rawValue), "reason": .string(refusal.reason),
    ])
  }
}
