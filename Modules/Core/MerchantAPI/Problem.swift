public import HTTPExchange
import StrictJSON

/// An error answer: a problem document of RFC 9457.
public struct Problem: Error, Hashable, Sendable {
  /// Which error; also the last part of the document's `type`.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// 400: the request cannot be read.
    case malformedRequest = "malformed_request"
    /// 401: no token, or not a valid one.
    case unauthenticated
    /// 401: the token was good and has run out; its owner signs in again, and nothing is lost.
    case tokenExpired = "token_expired"
    /// 403: a valid token that may not do this.
    case forbidden
    /// 404: no such thing, or not the caller's.
    case notFound = "not_found"
    /// 405: not with this method.
    case methodNotAllowed = "method_not_allowed"
    /// 409: the idempotency key was used for other terms.
    case idempotencyMismatch = "idempotency_mismatch"
    /// 409: the order is being paid with other terms, perhaps on another device; nothing failed.
    case beingPaid = "being_paid"
    /// 409: the state of the order or payment does not allow it.
    case conflict
    /// 413: the body is over the limit.
    case tooLarge = "too_large"
    /// 415: the body is not JSON.
    case unsupportedMediaType = "unsupported_media_type"
    /// 422: the body can be read, but a member is wrong.
    case invalidBody = "invalid_body"
    /// 429: too many requests.
    case tooManyRequests = "too_many_requests"
    /// 422: the provider refused what we asked, finally.
    case providerRefused = "provider_refused"
    /// 422: the payment's provider has no such operation; nothing was stored.
    case operationNotOffered = "operation_not_offered"
    /// 503: the merchant takes no new checkouts at the provider for now; another may be taken.
    case providerPaused = "provider_paused"
    /// 503: something that we need is out; the same may work later.
    case unavailable

    /// The HTTP status that goes with it.
    public var status: Int {
      switch self {
      case .malformedRequest: 400
      case .unauthenticated, .tokenExpired: 401
      case .forbidden: 403
      case .notFound: 404
      case .methodNotAllowed: 405
      case .idempotencyMismatch, .beingPaid, .conflict: 409
      case .tooLarge: 413
      case .unsupportedMediaType: 415
      case .invalidBody: 422
      case .tooManyRequests: 429
      case .providerRefused, .operationNotOffered: 422
      case .providerPaused, .unavailable: 503
      }
    }
  }

  /// Which error.
  public var code: Code
  /// One or two sentences: what happened and what to do next.
  public var detail: String
  /// Which member of the body, if one is to blame.
  public var path: String?
  /// After how many seconds the same may work, with `unavailable` and `tooManyRequests`.
  public var retryAfterSeconds: Int

  /// Builds a problem.
  public init(
    _ code: Code, _ detail: String, path: String? = nil, retryAfterSeconds: Int = 1
  ) {
    self.code = code
    self.detail = detail
    self.path = path
    self.retryAfterSeconds = retryAfterSeconds
  }

  /// The document as an answer.
  public var response: HTTPResponse {
    var members: [JSONMember] = [
      JSONMember(name: "type", value: .string("/problems/\(code.rawValue)")),
      JSONMember(
        name: "title", value: .string(code.rawValue.split(separator: "_").joined(separator: " "))),
      JSONMember(name: "status", value: .integer(code.status)),
      JSONMember(name: "detail", value: .string(detail)),
    ]
    if let path { members.append(JSONMember(name: "path", value: .string(path))) }
    var headers: HTTPHeaders = ["Content-Type": "application/problem+json"]
    if code == .unauthenticated { headers.add("WWW-Authenticate", "Bearer") }
    if code == .tokenExpired {
      headers.add("WWW-Authenticate", #"Bearer error="invalid_token""#)
    }
    if code == .unavailable || code == .tooManyRequests {
      headers.add("Retry-After", "\(retryAfterSeconds)")
    }
    // A person made it, and a person ends it.
    if code == .providerPaused { headers.add("Retry-After", "60") }
    return HTTPResponse(
      status: code.status, headers: headers, body: JSONValue.object(members).serialized())
  }

  /// Reads a problem document; nil if the answer is not one.
  public init?(response: HTTPResponse) {
    guard let json = try? JSONValue(parsing: response.body),
      let type = json["type"]?.text,
      let code = Code(rawValue: String(type.split(separator: "/").last ?? ""))
    else { return nil }
    self.init(code, json["detail"]?.text ?? "", path: json["path"]?.text)
  }
}
