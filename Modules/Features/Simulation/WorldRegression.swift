public import StrictJSON
import PaymentModels

/// A world that once went wrong, as a file that tests play again.
///
/// It holds the seed and what was left out of its world, so it stays a world of the same parts as
/// long as those are drawn in the same way.
public struct WorldRegression: Sendable, Hashable {
  /// The world.
  public var plan: WorldPlan
  /// What was found in it then, for people.
  public var found: [String]

  /// Why a text is no such file.
  public struct Malformed: Error, CustomStringConvertible {
    /// What is wrong.
    public let description: String
  }

  /// The file of a report.
  public init(_ report: WorldReport) {
    plan = report.plan
    found = report.violations
  }

  /// Reads a file.
  ///
  /// - Throws: ``Malformed``.
  public init(json: JSONValue) throws(Malformed) {
    guard let seed = json["seed"]?.text.flatMap({ UInt64($0) }),
      let end = json["faults_end_ms"]?.int64, end > 0,
      let parts = json["parts"]?.elements?.compactMap(\.text),
      let found = json["found"]?.elements?.compactMap(\.text)
    else { throw Malformed(description: "a world has a seed, faults_end_ms, parts and found") }
    let whole = WorldPlan(seed: seed)
    let known = Set(whole.parts.map(\.name))
    if let stranger = parts.first(where: { !known.contains($0) }) {
      throw Malformed(description: "the world of seed \(seed) has no part “\(stranger)” any more")
    }
    plan = whole.without(known.subtracting(parts))
    plan.faultsEnd = .milliseconds(end)
    self.found = found
  }

  /// The JSON that ``init(json:)`` reads; the story in it is for people.
  public var json: JSONValue {
    func texts(_ list: [String]) -> JSONValue { .array(list.map { .string($0) }) }
    return .object([
      "seed": .string("\(plan.seed)"),
      "faults_end_ms": .integer(plan.faultsEnd.wholeMilliseconds),
      "parts": texts(plan.parts.map(\.name)), "found": texts(found),
      "story": texts(plan.parts.map(\.sentence)),
    ])
  }
}
