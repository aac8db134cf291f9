import HTTPExchange
import StrictJSON

/// An error answer of the fake SEB. That errors are JSON is documented, their shape is not.
struct SEBError: Error {
  let response: HTTPResponse

  init(_ status: Int, _ code: String, _ message: String) {
    response = .json(
      .object(["code": .string(code), "message": .string(message)]), status: status)
  }

  private init(_ response: HTTPResponse) { self.response = response }

  /// A member is missing or wrong.
  static func invalid(_ member: String) -> SEBError {
    SEBError(400, "INVALID_REQUEST", "\(member) is missing or wrong")
  }

  static let unauthorized = SEBError(401, "UNAUTHORIZED", "the token is not good")
  static let forbidden = SEBError(403, "FORBIDDEN", "not this participant's or shop's")
  static let notFound = SEBError(404, "NOT_FOUND", "there is no such payment")
  static let conflict = SEBError(409, "CONFLICT", "the payment's status does not allow it")
  static let full = SEBError(.full)
}
