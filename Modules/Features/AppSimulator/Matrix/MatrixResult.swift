import CheckoutLifecycle
import StrictJSON

/// How one run went.
public struct MatrixResult: Sendable {
  let run: MatrixPlan.Run
  /// Nothing if it ended right.
  public let problems: [String]
  /// Who knew what when, for a person.
  public let timeline: [String]
  /// What the apps printed, process after process.
  public let printed: [[String]]
  let milliseconds: Int64

  var isRight: Bool { problems.isEmpty }

  /// One line for a program.
  var json: JSONValue {
    .object([
      "provider": .string("\(run.row.provider)"), "strategy": .string(run.row.strategy.rawValue),
      "story": .string(run.story.name), "right": .bool(isRight),
      "problems": .array(problems.map { .string($0) }), "milliseconds": .integer(milliseconds),
    ])
  }
}

extension MatrixPlan.Exclusion {
  /// One line for a program.
  var json: JSONValue {
    .object([
      "provider": .string("\(run.row.provider)"), "strategy": .string(run.row.strategy.rawValue),
      "story": .string(run.story.name), "not_applicable": .string(reason),
    ])
  }
}
