import HTTPExchange
import StrictJSON

/// An error answer of the provider's API, in one of its documented shapes.
enum TabbyError: Error, Hashable {
  /// 400 with a text.
  case badData(String)
  /// 400 that names fields by their path, such as `$.payment.currency`.
  case fields([FieldProblem])
  /// 401; the text is left out for some causes.
  case notAuthorized(String?)
  /// 404 for something that could have been there.
  case notFound(String)
  /// 409.
  case conflict(String)
  /// 404 in plain text, for a path that is not served.
  case noRoute
  /// 429 in plain text; the real body is not documented, and there is no `Retry-After`.
  case tooManyRequests
  /// 503: one of the sandbox's own bounds is reached.
  case full

  struct FieldProblem: Hashable {
    let field: String
    let code: String
  }

  static let undecodable = TabbyError.badData("could not decode request")

  static func invalid(_ field: String) -> TabbyError {
    .fields([FieldProblem(field: field, code: "invalid_value")])
  }

  var response: HTTPResponse {
    switch self {
    case .badData(let text): Self.json(400, "bad_data", text)
    case .fields(let problems): Self.json(400, problems)
    case .notAuthorized(let text): Self.json(401, "not_authorized", text)
    case .notFound(let text): Self.json(404, "not_found", text)
    case .conflict(let text): Self.json(409, "conflict", text)
    case .noRoute: .plain(404, "404 page not found")
    case .tooManyRequests: .plain(429, "Too Many Requests")
    case .full: .full
    }
  }

  private static func json(_ status: Int, _ type: String, _ text: String?) -> HTTPResponse {
    var members = head(type)
    if let text { members.append(JSONMember(name: "error", value: .string(text))) }
    return .json(.object(members), status: status)
  }

  private static func json(_ status: Int, _ problems: [FieldProblem]) -> HTTPResponse {
    let errors = problems.map { problem -> JSONValue in
      .object([
        "field": .string(problem.field), "code": .string(problem.code), "message": .string(""),
      ])
    }
    let members = head("bad_data") + [JSONMember(name: "errors", value: .array(errors))]
    return .json(.object(members), status: status)
  }

  private static func head(_ type: String) -> [JSONMember] {
    [
      JSONMember(name: "status", value: .string("error")),
      JSONMember(name: "errorType", value: .string(type)),
    ]
  }
}
