public import StrictJSON

/// One line of the checklist that is gone through before real money moves.
public struct LiveCheck: Hashable, Sendable {
  /// Whether it is so.
  public enum Answer: String, Hashable, Sendable, CaseIterable {
    /// It was seen to be so.
    case yes
    /// It was seen not to be so.
    case no
    /// It might be seen, and was not: no call answers it yet, or the call failed.
    case cannotTell = "cannot_tell"
    /// No call can show it: a person has to know.
    case youSay = "you_say"
  }

  /// Whom it is about: `server`, or a provider and its account.
  public var subject: String
  /// What is asked, in a word; Docs/GoLive has a line for each.
  public var item: String
  /// Whether it is so.
  public var answer: Answer
  /// What was seen, or what to ask oneself. Holds no secret and no buyer's data.
  public var fact: String
  /// What to do next; nil if nothing.
  public var advice: String?

  /// Builds a line.
  public init(
    _ subject: String, _ item: String, _ answer: Answer, _ fact: String, advice: String? = nil
  ) {
    self.subject = subject
    self.item = item
    self.answer = answer
    self.fact = fact
    self.advice = advice
  }
}

/// What `till doctor --live` prints.
public struct LiveReport: Sendable {
  private let checks: [LiveCheck]

  /// Reports these lines in their order.
  public init(_ checks: [LiveCheck]) { self.checks = checks }

  /// 1 if anything is not so, 75 if something could not be seen yet, else 0: what a person alone
  /// can know is printed and decides nothing.
  public var exitCode: Int32 {
    if count(.no) > 0 { return 1 }
    return count(.cannotTell) > 0 ? 75 : 0
  }

  /// A heading for each subject, an aligned line for each check, what to do next below those that
  /// need it, and how many there are of each answer.
  public func text(usesColor: Bool) -> String {
    let width = checks.map(\.item.count).max() ?? 0
    var text = ""
    for (index, check) in checks.enumerated() {
      if index == 0 || checks[index - 1].subject != check.subject {
        text += (index == 0 ? "" : "\n") + printable(check.subject) + "\n"
      }
      let (word, color) = Self.word(check.answer)
      text += ReportRow(
        word: word, color: color, name: check.item, fact: check.fact, advice: check.advice
      ).text(margin: 2, wordWidth: 11, nameWidth: width, usesColor: usesColor)
    }
    return text + """

      \(count(.yes)) yes, \(count(.no)) no, \(count(.cannotTell)) that cannot be told yet, \
      \(count(.youSay)) that you alone can say.

      """
  }

  /// One document.
  public var json: JSONValue {
    .object([
      "ok": .bool(exitCode == 0),
      "checks": .array(
        checks.map { check in
          .object([
            "subject": .string(check.subject), "item": .string(check.item),
            "answer": .string(check.answer.rawValue), "fact": .string(check.fact),
            "advice": .optional(check.advice),
          ])
        }),
    ])
  }

  private func count(_ answer: LiveCheck.Answer) -> Int { checks.count { $0.answer == answer } }

  private static func word(_ answer: LiveCheck.Answer) -> (word: String, color: String) {
    switch answer {
    case .yes: ("yes", "32")
    case .no: ("no", "31")
    case .cannotTell: ("cannot tell", "33")
    case .youSay: ("you say", "36")
    }
  }
}
