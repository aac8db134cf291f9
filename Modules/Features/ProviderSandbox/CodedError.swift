import HTTPExchange
import StrictJSON

/// An error answer with a code and a message, for providers whose document shows none.
struct CodedError: Error {
  let response: HTTPResponse

  init(_ status: Int, _ code: String, _ message: String) {
    response = .json(
      .object(["error": .object(["code": .string(code), "message": .string(message)])]),
      status: status)
  }

  private init(_ response: HTTPResponse) { self.response = response }

  /// A member is missing or wrong.
  static func invalid(_ member: String) -> CodedError {
    CodedError(400, "invalid_request", "\(member) is missing or wrong")
  }

  /// The key was used for other terms.
  static func conflict(status: Int64) -> CodedError {
    CodedError(Int(status), "idempotency_conflict", "the key was used for other terms")
  }

  static let unauthorized = CodedError(401, "unauthorized", "the key is not known")
  static let notFound = CodedError(404, "not_found", "there is no such thing")
  static let full = CodedError(.full)
}
