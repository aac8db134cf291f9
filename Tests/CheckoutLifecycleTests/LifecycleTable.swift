import CheckoutLifecycle
import StrictJSON

/// The transitions for other languages: what the walks saw, each line under no more conditions than
/// tell it from its neighbours. What has no line does nothing.
struct LifecycleTable {
  /// One step that a walk took.
  struct Step: Hashable {
    var from: String
    var event: String
    var context: Context
    var result: Result
  }

  /// What a step may depend on beside state and event, by the name that it has in the table.
  struct Context: Hashable {
    var values: [String]

    static let names = ["stage", "page", "teardown", "outlives_view", "tells_of_closing"]

    init(_ state: CheckoutState, under rule: PresentationRule) {
      values = [
        state.record.stage.rawValue, state.record.payment?.checkoutURL == nil ? "no" : "yes",
        rule.teardown.word, rule.strategy.traits.outlivesView ? "yes" : "no",
        rule.strategy.traits.gives.contains(.closed) ? "yes" : "no",
      ]
    }

    func picking(_ columns: [Int]) -> [String] { columns.map { values[$0] } }
  }

  struct Result: Hashable {
    var to: String
    /// The record's new stage, if it changes.
    var stage: String?
    var effects: [String]
  }

  struct Line {
    var from: String
    var event: String
    var when: [(name: String, value: String)]
    var result: Result
  }

  private(set) var lines: [Line] = []
  /// Where the named conditions do not decide: the table would be no table.
  private(set) var undecided: [String] = []

  init(_ steps: Set<Step>) {
    let groups = Dictionary(grouping: steps) { [$0.from, $0.event] }
    for (key, group) in groups.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      guard let columns = Self.choices.first(where: { Self.decides($0, group) }) else {
        undecided.append(key.joined(separator: " on "))
        continue
      }
      let cases = Dictionary(grouping: group) { $0.context.picking(columns) }
      for (values, steps) in cases.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
        let result = steps[0].result
        if result.to == key[0], result.effects.isEmpty { continue }
        lines.append(
          Line(
            from: key[0], event: key[1],
            when: zip(columns, values).map { (name: Context.names[$0], value: $1) },
            result: result))
      }
    }
  }

  /// Every choice of conditions, fewest first.
  private static let choices = Context.names.indices.reduce([[Int]]([[]])) { sofar, column in
    sofar + sofar.map { $0 + [column] }
  }.enumerated().sorted { ($0.element.count, $0.offset) < ($1.element.count, $1.offset) }
    .map(\.element)

  private static func decides(_ columns: [Int], _ steps: [Step]) -> Bool {
    Dictionary(grouping: steps) { $0.context.picking(columns) }
      .allSatisfy { Set($0.value.map(\.result)).count == 1 }
  }
}

extension LifecycleTable.Line {
  /// Both states without what belongs to them.
  var states: (from: String, to: String) {
    (from: String(from.prefix(while: \.isLetter)), to: String(result.to.prefix(while: \.isLetter)))
  }

  var json: JSONValue {
    .object([
      "from": .string(from), "event": .string(event),
      "when": .object(when.map { JSONMember(name: $0.name, value: .string($0.value)) }),
      "to": .string(result.to), "stage": .optional(result.stage),
      "effects": .array(result.effects.map { .string($0) }),
    ])
  }
}

extension PresentationRule.Teardown {
  /// The word in the table.
  var word: String {
    switch self {
    case .atOnce: "at_once"
    case .afterFirstAnswer: "after_first_answer"
    case .beforeResult: "before_result"
    }
  }
}
