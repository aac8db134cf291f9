public import StrictJSON

/// Body of `POST /v1/reconcile`.
public struct ReconcileBody: Hashable, Sendable {
  /// How far back activity counts, in seconds.
  public var sinceSeconds: Int64
  /// Whether payments that differ are read so that a read may settle them.
  public var applies: Bool
  /// Where the page begins: `next_cursor` of the page before; nil for the first.
  public var cursor: String?

  /// A year: beyond it no provider of the kit gives money back.
  public static let sinceSecondsMax: Int64 = 366 * 86_400

  /// Longest cursor.
  static let cursorMax = 256

  /// Builds a body.
  public init(sinceSeconds: Int64, applies: Bool = false, cursor: String? = nil) {
    self.sinceSeconds = sinceSeconds
    self.applies = applies
    self.cursor = cursor
  }

  /// The JSON that ``init(json:)`` reads.
  public var json: JSONValue {
    .object([
      "since_seconds": .integer(sinceSeconds), "apply": .bool(applies),
      "cursor": .optional(cursor),
    ])
  }

  /// Reads and checks a body.
  ///
  /// - Throws: ``BodyError``, which names the member.
  public init(json: JSONValue) throws(BodyError) {
    let body = try BodyReader(json, allowed: ["since_seconds", "apply", "cursor"])
    guard let seconds = json["since_seconds"]?.int64, (1...Self.sinceSecondsMax).contains(seconds)
    else {
      throw BodyError(
        path: "since_seconds", "must be a whole number from 1 to \(Self.sinceSecondsMax)")
    }
    let applies = json["apply"]
    guard applies?.isNull ?? true || applies?.boolean != nil else {
      throw BodyError(path: "apply", "must be true or false")
    }
    self.init(
      sinceSeconds: seconds, applies: applies?.boolean ?? false,
      cursor: try body.optionalText("cursor", lengthMax: Self.cursorMax))
  }
}

extension ReconcileBody {
  /// What ``init(json:)`` takes.
  static var schema: JSONSchema {
    .object(
      [
        JSONSchema.Member("since_seconds", .integer(from: 1, to: sinceSecondsMax)),
        JSONSchema.Member("apply", .boolean.orNull, isRequired: false),
        JSONSchema.Member(
          "cursor",
          .text(1...cursorMax).orNull.described("next_cursor of the page before."),
          isRequired: false),
      ], isClosed: true)
  }
}
