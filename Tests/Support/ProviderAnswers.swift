public import HTTPExchange
public import ProviderInterface

/// An answer that proves nothing, whatever the call was: it maps to `unknown`.
public struct UnreadableAnswer: Sendable, CustomStringConvertible {
  /// What is odd about it.
  public let description: String
  /// The answer.
  public let response: HTTPResponse
  /// What an operator must be shown of it; empty where nothing has to be.
  public let shows: String

  /// An answer, named.
  public init(
    _ description: String, status: Int = 200, type: String? = "application/json",
    body: [UInt8], shows: String = ""
  ) {
    var headers: HTTPHeaders = [:]
    headers["Content-Type"] = type
    headers["Location"] = status == 302 ? "/login" : nil
    self.description = description
    self.shows = shows
    response = HTTPResponse(status: status, headers: headers, body: body)
  }

  private init(
    _ description: String, status: Int = 200, type: String? = "application/json",
    _ body: String, shows: String = ""
  ) {
    self.init(description, status: status, type: type, body: Array(body.utf8), shows: shows)
  }

  /// A transport that gives this answer.
  public var transport: ClosureTransport { ClosureTransport { _ in response } }

  /// FB-25, and what an edge in front of an API is known to send, each for a call whose right
  /// answer is `whole`.
  public static func all(whole: String) -> [UnreadableAnswer] {
    let html = "<html><title>Bad Gateway</title></html>"
    return [
      UnreadableAnswer("502 html", status: 502, type: "text/html", html, shows: "Bad Gateway"),
      UnreadableAnswer("200 html", type: "text/html", html, shows: "text/html"),
      UnreadableAnswer(
        "200 plain words called JSON", "error code: 1042", shows: "error code: 1042"),
      UnreadableAnswer("200 empty", "", shows: "0 bytes"),
      UnreadableAnswer("204", status: 204, type: nil, "", shows: "no content type"),
      UnreadableAnswer(
        "200 cut at 40 bytes", String(whole.prefix(40)), shows: "40 bytes, not shown"),
      UnreadableAnswer("200 with a name twice", #"{"id":"a","id":"b"}"#),
      UnreadableAnswer(
        "200 gzip that nobody unpacked", body: [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0xAB, 5, 0]),
      UnreadableAnswer(
        "500 plain", status: 500, type: "text/plain", "Internal Server error",
        shows: "Internal Server error"),
      UnreadableAnswer("500 JSON", status: 500, #"{"error":{"code":"internal","message":"x"}}"#),
      UnreadableAnswer(
        "500 with an error type", status: 500, #"{"errorType":"internal","error":"x"}"#),
      UnreadableAnswer(
        "302 to a login page", status: 302, type: "text/html", "<a href=/login>"),
      UnreadableAnswer("202 with a payment", status: 202, whole),
      UnreadableAnswer(
        "400 html", status: 400, type: "text/html", "<h1>400 Bad Request</h1>",
        shows: "400 Bad Request"),
      UnreadableAnswer("400 JSON of another", status: 400, #"{"message":"Bad Request"}"#),
      UnreadableAnswer("400 empty", status: 400, ""),
      UnreadableAnswer("408 plain", status: 408, type: "text/plain", "timeout"),
    ]
  }

  /// What is wrong with the error that a call made of this answer.
  public func violations(of error: ProviderError?, sent: Int) -> [String] {
    var violations = Violations()
    violations.equal(error?.kind, .unknown, "the kind")
    violations.equal(error?.status, response.status, "the status")
    violations.expect(
      error?.detail.contains("HTTP \(response.status)") == true, "the detail names no status")
    violations.expect(
      shows.isEmpty || error?.detail.contains(shows) == true, "the detail does not show \(shows)")
    violations.equal(sent, 1, "requests")
    return violations.found
  }
}

/// An exchange that brought no answer.
public struct LostExchange: Sendable, CustomStringConvertible {
  /// What happened.
  public let description: String
  private let kind: HTTPTransportError.Kind

  /// FB-25's rows: nothing was sent, or nobody knows.
  public static let all = [
    ("name not found", HTTPTransportError.Kind.notSent), ("TLS handshake failed", .notSent),
    ("connect refused", .notSent), ("connection reset", .unknown), ("deadline passed", .unknown),
    ("answer body over the limit", .unknown), ("answer cannot be decompressed", .unknown),
    ("answer truncated", .unknown),
  ].map(LostExchange.init)

  /// A transport that fails like this.
  public var transport: ClosureTransport {
    ClosureTransport { _ throws(HTTPTransportError) in
      throw HTTPTransportError(kind, reason: description)
    }
  }

  /// What is wrong with the error that a call made of it.
  public func violations(of error: ProviderError?) -> [String] {
    var violations = Violations()
    violations.equal(error?.kind, kind == .notSent ? .notSent : .unknown, "the kind")
    violations.equal(error?.detail, description, "the detail")
    violations.expect(error?.status == nil, "an exchange without an answer has a status")
    return violations.found
  }
}

/// An answer whose error says what the caller may do.
public struct SpokenError: Sendable, CustomStringConvertible {
  private let status: Int
  private let body: String
  private let kind: ProviderError.Kind
  private let code: String?

  /// A row: with `status` and `body` an error is of `kind`, and its code is `code`.
  public init(_ status: Int, _ body: String, _ kind: ProviderError.Kind, _ code: String? = nil) {
    self.status = status
    self.body = body
    self.kind = kind
    self.code = code
  }

  /// What something in front of any API may say.
  public static let fromTheEdge = [
    SpokenError(401, "", .unauthorized),
    SpokenError(403, "<html>Attention Required! | Cloudflare</html>", .unauthorized),
    SpokenError(404, "404 page not found", .notFound),
    SpokenError(429, "", .throttled), SpokenError(429, "slow down", .throttled),
  ]

  /// A transport that gives this answer.
  public var transport: ClosureTransport { answering(body, status: status) }

  /// What is wrong with the error that a call made of it.
  public func violations(of error: ProviderError?) -> [String] {
    var violations = Violations()
    violations.equal(error?.kind, kind, "the kind")
    violations.equal(error?.status, status, "the status")
    violations.equal(error?.code, code, "the code")
    violations.expect(error?.retryAfter == nil, "it asks for a wait")
    return violations.found
  }

  /// Status and body.
  public var description: String { "\(status) \(body)" }
}

/// Texts of `Retry-After`, and the wait that each asks for.
public let retryAfterRows: [(text: String, wait: Duration?)] = [
  ("7", .seconds(7)), ("0", .seconds(0)), ("99999", .seconds(99_999)), ("100000", nil),
  ("-1", nil), ("1.5", nil), ("", nil), ("Wed, 21 Oct 2026 07:28:00 GMT", nil),
]
