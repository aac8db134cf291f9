import HTTPExchange
import StrictJSON

/// An error answer of the fake Raïs. Status, code and shape are not documented.
enum RaisError: Error, Hashable {
  /// 400: a member is missing or wrong.
  case invalid(String)
  /// The key was used for other terms.
  case conflict(status: Int)
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
    case .conflict(let status):
      Self.json(status, "idempotency_conflict", "the key was used for other terms")
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
