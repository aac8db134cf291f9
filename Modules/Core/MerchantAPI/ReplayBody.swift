public import PaymentModels
public import StrictJSON

/// Body of `POST /v1/webhooks/replay`: a delivery that was saved elsewhere, byte for byte.
public struct ReplayBody: Hashable, Sendable {
  /// One header line.
  public struct Header: Hashable, Sendable {
    /// The name.
    public var name: String
    /// The value.
    public var value: String

    /// Builds a line.
    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// Whose delivery it is.
  public var provider: ProviderName
  /// Its headers.
  public var headers: [Header]
  /// Its body.
  public var body: String
  /// When it came; now if nil.
  public var receivedAt: Instant?
  /// Why it is replayed.
  public var reason: String

  /// Header lines at the most; a delivery has a dozen.
  public static let headersMax = 100
  /// Longest name of a header.
  static let headerNameMax = 128
  /// Longest value of a header.
  public static let headerValueMax = 8_192

  /// Builds a body.
  public init(
    provider: ProviderName, headers: [Header], body: String, receivedAt: Instant?, reason: String
  ) {
    self.provider = provider
    self.headers = headers
    self.body = body
    self.receivedAt = receivedAt
    self.reason = reason
  }

  /// The JSON that ``init(json:bodyBytesMax:)`` reads.
  public var json: JSONValue {
    .object([
      "provider": .string(provider.rawValue),
      "headers": .array(
        headers.map { .object(["name": .string($0.name), "value": .string($0.value)]) }),
      "body": .string(body), "received_at": .optional(receivedAt?.description),
      "reason": .string(reason),
    ])
  }

  /// Reads and checks a body.
  ///
  /// - Throws: ``BodyError``, which names the member.
  public init(json: JSONValue, bodyBytesMax: Int) throws(BodyError) {
    let body = try BodyReader(
      json, allowed: ["provider", "headers", "body", "received_at", "reason"])
    var headers: [Header] = []
    guard let lines = json["headers"]?.elements ?? (json["headers"] == nil ? [] : nil),
      lines.count <= Self.headersMax
    else {
      throw BodyError(path: "headers", "must be an array of at most \(Self.headersMax) lines")
    }
    for (index, line) in lines.enumerated() {
      let line = try BodyReader(line, allowed: ["name", "value"], path: "headers[\(index)]")
      headers.append(
        Header(
          name: try line.text("name", lengthMax: Self.headerNameMax),
          value: try line.optionalText("value", lengthMax: Self.headerValueMax) ?? ""))
    }
    var receivedAt: Instant?
    if let text = try body.optionalText("received_at", lengthMax: Self.momentMax) {
      receivedAt = Instant(iso8601: text)
      guard receivedAt != nil else {
        throw BodyError(path: "received_at", "is no time as ISO 8601 writes it")
      }
    }
    self.init(
      provider: ProviderName(try body.text("provider", lengthMax: BodyReader.nameMax)),
      headers: headers,
      body: try body.text("body", lengthMax: bodyBytesMax), receivedAt: receivedAt,
      reason: try body.reason())
  }
}

extension ReplayBody {
  /// Longest `received_at`.
  static let momentMax = 40

  /// What ``init(json:bodyBytesMax:)`` takes; how long a delivery may be is the server's setting.
  static var schema: JSONSchema {
    let header = JSONSchema.object(
      [
        JSONSchema.Member("name", .text(1...headerNameMax)),
        JSONSchema.Member("value", .text(1...headerValueMax).orNull, isRequired: false),
      ], isClosed: true)
    return .object(
      [
        JSONSchema.Member("provider", .providerName),
        JSONSchema.Member("headers", .array(of: header, 0...headersMax), isRequired: false),
        JSONSchema.Member("body", .text(1...(64 << 10))),
        JSONSchema.Member(
          "received_at", .text(1...momentMax, format: "date-time").orNull, isRequired: false),
        JSONSchema.Member("reason", .reason),
      ], isClosed: true)
  }
}
