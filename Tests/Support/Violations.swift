/// What a contract check found wrong. Framework-free, so that any test runner can use the suites.
public struct Violations: Sendable {
  /// One sentence each; empty if the contract was kept.
  public private(set) var found: [String] = []

  /// Nothing found yet.
  public init() {}

  /// Notes `claim` as broken unless `holds`.
  public mutating func expect(_ holds: Bool, _ claim: String) {
    if !holds { found.append(claim) }
  }

  /// Notes `claim` as broken, with both values, unless they are equal.
  public mutating func equal<Value: Equatable>(_ seen: Value?, _ right: Value?, _ claim: String) {
    if seen == right { return }
    let words = [seen, right].map { $0.map { "\($0)" } ?? "nothing" }
    found.append("\(claim): \(words[0]) instead of \(words[1])")
  }

  /// Notes `claim` as broken unless `body` throws an error that `isRight` accepts.
  public mutating func fails(
    _ claim: String, _ isRight: (any Error) -> Bool, _ body: () async throws -> Void
  ) async {
    do {
      try await body()
      found.append("\(claim): nothing was thrown")
    } catch {
      if !isRight(error) { found.append("\(claim): threw \(error)") }
    }
  }
}

/// One check of a contract suite, on a fresh subject.
public struct ContractCase<Subject: Sendable>: Sendable, CustomStringConvertible {
  /// What the subject promises, as a sentence.
  public let name: String
  private let body: @Sendable (Subject, inout Violations) async throws -> Void

  /// A check named by the promise that it looks at.
  public init(
    _ name: String, _ body: @escaping @Sendable (Subject, inout Violations) async throws -> Void
  ) {
    self.name = name
    self.body = body
  }

  /// The sentences that are not true of `subject`.
  public func violations(of subject: Subject) async throws -> [String] {
    var violations = Violations()
    try await body(subject, &violations)
    return violations.found
  }

  /// The sentence.
  public var description: String { name }
}
