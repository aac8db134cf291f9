/// What a person reads about an error: the page that the `type` of its problem document leads to.
///
/// One table for all errors: of the API, and of the HTTP below it.
public struct ProblemPage: Hashable, Sendable {
  /// The last part of the problem's `type`.
  public let word: String
  /// The HTTP status that goes with it.
  public let status: Int
  /// What happened.
  public let meaning: String
  /// What whoever asked does next.
  public let remedy: String

  /// The words as a title: `being paid`.
  public var title: String { word.split(separator: "_").joined(separator: " ") }

  /// Where the page is.
  public var path: String { RouteID.problemPage.path(word) }

  /// The page of a problem; nil if there is no such problem.
  public init?(word: String) {
    guard let page = Self.all.first(where: { $0.word == word }) else { return nil }
    self = page
  }

  private init(_ word: String, _ status: Int, _ meaning: String, _ remedy: String) {
    self.word = word
    self.status = status
    self.meaning = meaning
    self.remedy = remedy
  }

  /// Every problem: those of the API as they are declared, then those of HTTP by status.
  public static let all: [ProblemPage] =
    Problem.Code.allCases.map {
      let (meaning, remedy) = $0.explanation
      return ProblemPage($0.rawValue, $0.status, meaning, remedy)
    } + transport

  /// What the HTTP below the API refuses, before a route is looked for.
  private static let transport = [
    ProblemPage(
      "request_timeout", 408, "The request did not arrive in time.",
      "Send it again, on a new connection."),
    ProblemPage(
      "uri_too_long", 414, "The path and query are longer than the server reads.",
      "Shorten them; no address of this API is near the limit."),
    ProblemPage(
      "expectation_failed", 417, "The request expects something that the server does not serve.",
      "Leave the Expect header out, or send 100-continue."),
    ProblemPage(
      "headers_too_large", 431, "The header fields are more or longer than the server reads.",
      "Send fewer; often a proxy added cookies that this API does not need."),
    ProblemPage(
      "internal_error", 500, "The server made an answer that cannot be sent. This is our bug.",
      "Report it with the server's log. Repeat the request under the same Idempotency-Key."),
    ProblemPage(
      "transfer_encoding_unsupported", 501, "The body came in a transfer encoding unlike chunked.",
      "Send it with a Content-Length, or chunked."),
    ProblemPage(
      "version_not_supported", 505, "The request is of another version than HTTP/1.1 or 1.0.",
      "Speak HTTP/1.1 to the server; a proxy in front of it may offer HTTP/2."),
  ]
}

extension Problem.Code {
  /// What it means, and what to do next.
  fileprivate var explanation: (meaning: String, remedy: String) {
    switch self {
    case .malformedRequest:
      (
        "The request cannot be read: it is not HTTP, not JSON, or lacks a header or parameter.",
        "Read the detail, mend the request and send it again. Repeating it unchanged is useless."
      )
    case .unauthenticated:
      (
        "There is no token, or it is not a valid one. A webhook was not signed as agreed.",
        "Send a valid token as Authorization: Bearer. For a webhook, compare the secrets."
      )
    case .tokenExpired:
      (
        "The token was good and has run out.",
        "Sign in again and repeat the request with the new token. Nothing is lost."
      )
    case .forbidden:
      (
        "The token is valid, but may not do this.",
        "Use the key that the route takes: an app token, an operator key or the metrics key."
      )
    case .notFound:
      (
        "There is no such thing, or it belongs to somebody else.",
        "Check the path and the id. Ids are lower-case UUIDs."
      )
    case .methodNotAllowed:
      ("The path exists, but not with this method.", "Use a method of the Allow header.")
    case .idempotencyMismatch:
      (
        "The Idempotency-Key was used before, for other terms.",
        "Make a new key for a new wish. For a repeat, send exactly what was sent first."
      )
    case .beingPaid:
      (
        "The order is being paid with other terms, perhaps on another device. Nothing failed.",
        "Show the order as it is. Try again once its payment has ended."
      )
    case .conflict:
      (
        "The state of the order or payment does not allow it.",
        "Read the order or payment again and decide anew."
      )
    case .tooLarge:
      ("The body is over the limit.", "Send less; no body of this API is near the limit.")
    case .unsupportedMediaType:
      ("The body is not declared as JSON.", "Send it as Content-Type: application/json.")
    case .invalidBody:
      (
        "The body can be read, but a member is missing, unknown or wrong.",
        "The member path of the document names it. Mend it and send the request again."
      )
    case .tooManyRequests:
      (
        "Too many requests came from this address or token.",
        "Wait for the seconds of Retry-After, then repeat the request."
      )
    case .providerRefused:
      (
        "The provider refused what was asked, finally.",
        "The detail has its reason. Change the terms, or offer another provider."
      )
    case .operationNotOffered:
      (
        "The payment's provider has no such operation. Nothing was stored.",
        "See what each provider offers with till providers."
      )
    case .providerPaused:
      (
        "The merchant takes no new checkouts at the provider for now.",
        "Offer another provider, or come back later. Payments that were begun go on."
      )
    case .unavailable:
      (
        "Something that the server needs is out. Whether it was done is not known.",
        "Wait for the seconds of Retry-After and repeat it under the same Idempotency-Key."
      )
    }
  }
}
