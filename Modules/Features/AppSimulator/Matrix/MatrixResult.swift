import CheckoutLifecycle
import StrictJSON

/// How one run went.
public struct MatrixResult: RunRecord {
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
  ///
  /// - Parameter kept: where the run's files are, if they were kept.
  func json(kept: String?) -> JSONValue {
    let members =
      run.members + [
        JSONMember(name: "right", value: .bool(isRight)),
        JSONMember(name: "problems", value: .array(problems.map { .string($0) })),
        JSONMember(name: "milliseconds", value: .integer(milliseconds)),
      ]
    return .object(members + (kept.map { [JSONMember(name: "kept", value: .string($0))] } ?? []))
  }
}

extension MatrixPlan.Exclusion {
  /// One line for a program.
  var json: JSONValue {
    .object(run.members + [JSONMember(name: "not_applicable", value: .string(reason))])
  }
}

extension MatrixPlan.Run {
  /// What names it in a line for a program.
  fileprivate var members: [JSONMember] {
    [
      JSONMember(name: "provider", value: .string("\(row.provider)")),
      JSONMember(name: "strategy", value: .string(row.strategy.rawValue)),
      JSONMember(name: "story", value: .string(story.name)),
    ]
  }
}
