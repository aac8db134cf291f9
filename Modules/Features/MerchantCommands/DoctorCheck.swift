public import StrictJSON

/// One thing that `till doctor` looked at.
public struct DoctorCheck: Hashable, Sendable {
  /// How it is.
  public enum Standing: String, Hashable, Sendable, CaseIterable {
    /// As it should be.
    case ok
    /// It could not be looked at here.
    case skipped
    /// Not wrong yet.
    case warn
    /// Wrong.
    case fail
  }

  /// What was looked at, in a word or two.
  public var name: String
  /// How it is.
  public var standing: Standing
  /// What was found.
  public var fact: String
  /// What to do next; nil if nothing.
  public var advice: String?

  /// Builds a check.
  public init(_ name: String, _ standing: Standing, _ fact: String, advice: String? = nil) {
    self.name = name
    self.standing = standing
    self.fact = fact
    self.advice = advice
  }
}

/// What `till doctor` prints.
public struct DoctorReport: Sendable {
  private let checks: [DoctorCheck]

  /// Reports these checks in their order.
  public init(_ checks: [DoctorCheck]) { self.checks = checks }

  /// 0 if nothing is wrong, also with warnings; 1 otherwise.
  public var exitCode: Int32 { checks.contains { $0.standing == .fail } ? 1 : 0 }

  /// One aligned line for each check, and what to do next below those that need it.
  public func text(usesColor: Bool) -> String {
    let width = checks.map(\.name.count).max() ?? 0
    return checks.map { check in
      let (word, color) = Self.word(check.standing)
      return ReportRow(
        word: word, color: color, name: check.name, fact: check.fact, advice: check.advice
      ).text(margin: 0, wordWidth: 4, nameWidth: width, usesColor: usesColor)
    }.joined()
  }

  /// One document.
  public var json: JSONValue {
    .object([
      "ok": .bool(exitCode == 0),
      "checks": .array(
        checks.map { check in
          .object([
            "name": .string(check.name), "standing": .string(check.standing.rawValue),
            "fact": .string(check.fact), "advice": .optional(check.advice),
          ])
        }),
    ])
  }

  private static func word(_ standing: DoctorCheck.Standing) -> (word: String, color: String) {
    switch standing {
    case .ok: ("ok", "32")
    case .skipped: ("-", "36")
    case .warn: ("warn", "33")
    case .fail: ("FAIL", "31")
    }
  }
}
