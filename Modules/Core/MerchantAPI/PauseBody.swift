public import PaymentModels
public import StrictJSON

/// Body of `POST /v1/providers/{provider}/pause` and `…/resume`.
public struct PauseBody: Hashable, Sendable {
  /// Which account; nil for all of the provider.
  public var account: ProviderAccount?
  /// Why; kept with the pause and in the journal.
  public var reason: String

  /// Longest name of an account.
  static let accountMax = 64

  /// Builds a body.
  public init(account: ProviderAccount? = nil, reason: String) {
    self.account = account
    self.reason = reason
  }

  /// The JSON that ``init(json:)`` reads.
  public var json: JSONValue {
    .object(["account": .optional(account?.rawValue), "reason": .string(reason)])
  }

  /// Reads and checks a body.
  ///
  /// - Throws: ``BodyError``, which names the member.
  public init(json: JSONValue) throws(BodyError) {
    let body = try BodyReader(json, allowed: ["account", "reason"])
    self.init(
      account: try body.optionalText("account", lengthMax: Self.accountMax).map {
        ProviderAccount($0)
      },
      reason: try body.reason())
  }
}

/// Body of `POST /v1/buyers/erase`.
public struct EraseBody: Hashable, Sendable {
  /// Whom.
  public var subject: Subject
  /// Why; kept in the journals of their orders.
  public var reason: String

  /// Longest name of a subject.
  static let subjectMax = 255

  /// Builds a body.
  public init(subject: Subject, reason: String) {
    self.subject = subject
    self.reason = reason
  }

  /// The JSON that ``init(json:)`` reads.
  public var json: JSONValue {
    .object(["subject": .string(subject.rawValue), "reason": .string(reason)])
  }

  /// Reads and checks a body.
  ///
  /// - Throws: ``BodyError``, which names the member.
  public init(json: JSONValue) throws(BodyError) {
    let body = try BodyReader(json, allowed: ["subject", "reason"])
    self.init(
      subject: Subject(try body.text("subject", lengthMax: Self.subjectMax)),
      reason: try body.reason())
  }
}

extension PauseBody {
  /// What ``init(json:)`` takes.
  static var schema: JSONSchema {
    .object(
      [
        JSONSchema.Member(
          "account",
          .text(1...accountMax).orNull.described("All accounts of the provider without it."),
          isRequired: false),
        JSONSchema.Member("reason", .reason),
      ], isClosed: true)
  }
}

extension EraseBody {
  /// What ``init(json:)`` takes.
  static var schema: JSONSchema {
    .object(
      [
        JSONSchema.Member("subject", .text(1...subjectMax)),
        JSONSchema.Member("reason", .reason),
      ], isClosed: true)
  }
}
