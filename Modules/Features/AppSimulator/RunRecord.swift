/// What is told of a run that was played on a stage.
public protocol RunRecord: Sendable {
  /// What was wrong, line by line; nothing if it ended right.
  var problems: [String] { get }
  /// Who knew what when, for a person.
  var timeline: [String] { get }
  /// What the apps printed, process after process.
  var printed: [[String]] { get }
}
