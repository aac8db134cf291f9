import HTTPExchange
import StrictJSON

/// An error answer of the fake Futa. Status, code and shape are not documented.
enum FutaError: Error, Hashable {
  /// 400: a member is missing or wrong.
  case invalid(String)
  /// 400: no `Idempotency-Key`.
  case keyMissing
  /// The key was used for other terms.
  case conflict(status: Int)
  /// 422: direct mode and embedding exclude each other.
  case embeddingRefused
  /// 401.
  case unauthorized
  /// 404.
  case notFound
  /// 413.
  case tooLarge
  /// 503: one of the sandbox's own bounds is reached.
  case full

  var response: HTTPResponse {
    switch self {
    case .invalid(let member): Self.json(400, "invalid_request", "\(member) is missing or wrong")
    case .keyMissing: Self.json(400, "idempotency_key_missing", "Idempotency-Key is missing")
    case .conflict(let status):
      Self.json(status, "idempotency_conflict", "the key was used for other terms")
    case .embeddingRefused:
      Self.json(422, "embedding_refused", "direct mode refuses embedding")
    case .unauthorized: Self.json(401, "unauthorized", "the key is not known")
    case .notFound: Self.json(404, "not_found", "there is no such thing")
    case .tooLarge: .plain(413, "Request Entity Too Large")
    case .full: .plain(503, "the sandbox is full: restart it")
    }
  }

  private static func json(_ status: Int, _ code: String, _ message: String) -> HTTPResponse {
    .json(
      .object(["error": .object(["code": .string(code), "message": .string(message)])]),
      status: status)
  }
}
