public import StrictJSON
import PaymentModels

/// What came of one world, in a form that crosses from process to process.
public struct WorldOutcome: Sendable {
  /// What it was drawn from.
  public var seed: UInt64
  /// Over all that happened in it.
  public var hash: UInt64
  /// Jobs that its scheduler ran.
  public var jobs: Int
  /// How long it lasted, in virtual time.
  public var length: Duration
  /// What it has reached.
  public var coverage: CoverageTable
  /// The world, if it had a violation.
  public var failure: WorldRegression?

  /// What is worth telling of a report.
  public init(_ report: WorldReport) {
    seed = report.plan.seed
    hash = report.trace.hash
    jobs = report.trace.jobs
    length = report.length
    coverage = report.coverage
    failure = report.violations.isEmpty ? nil : WorldRegression(report)
  }

  /// Why a text is no outcome.
  public struct Malformed: Error, CustomStringConvertible {
    /// What is wrong.
    public let description = "an outcome has seed, hash, jobs, virtual_ms and coverage"
  }

  /// Reads what ``json`` gives.
  ///
  /// - Throws: ``Malformed``, ``WorldRegression/Malformed``.
  public init(json: JSONValue) throws {
    guard let seed = json["seed"]?.text.flatMap({ UInt64($0) }),
      let hash = json["hash"]?.text.flatMap({ UInt64($0, radix: 16) }),
      let jobs = json["jobs"]?.int64, let length = json["virtual_ms"]?.int64,
      let coverage = json["coverage"].flatMap(CoverageTable.init(json:))
    else { throw Malformed() }
    self.seed = seed
    self.hash = hash
    self.jobs = Int(jobs)
    self.length = .milliseconds(length)
    self.coverage = coverage
    failure = try json["failure"].map { try WorldRegression(json: $0) }
  }

  /// The outcome as one JSON object; `failure` only if there is one.
  public var json: JSONValue {
    var members = [
      JSONMember(name: "seed", value: .string("\(seed)")),
      JSONMember(name: "hash", value: .string(String(hash, radix: 16))),
      JSONMember(name: "jobs", value: .integer(jobs)),
      JSONMember(name: "virtual_ms", value: .integer(length.wholeMilliseconds)),
      JSONMember(name: "coverage", value: coverage.json),
    ]
    if let failure { members.append(JSONMember(name: "failure", value: failure.json)) }
    return .object(members)
  }
}

extension CoverageTable {
  /// Reads what ``json`` gives.
  fileprivate init?(json: JSONValue) {
    self.init()
    for section in json.members ?? [] {
      guard let known = Section(rawValue: section.name) else { return nil }
      for row in section.value.members ?? [] {
        guard let times = row.value.int64 else { return nil }
        reach(known, row.name, Int(times))
      }
    }
  }

  /// How often what was reached, by section.
  fileprivate var json: JSONValue {
    .object(Section.allCases.map { JSONMember(name: $0.rawValue, value: json(of: $0)) })
  }

  /// How often what of a section was reached, as one JSON object.
  public func json(of section: Section) -> JSONValue {
    .object(reached(section).map { JSONMember(name: $0.what, value: .integer($0.times)) })
  }
}
