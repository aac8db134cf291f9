import HTTPExchange

/// How payers reach the sandbox's pages.
struct SandboxLinks: Sendable {
  /// Origin of the links; nil takes the `Host` of the request that makes a payment.
  let publicURL: String?
  /// Path in front of everything, without a slash at the end.
  var prefix = ""

  /// What links begin with, for a payment that this request makes.
  func base(for request: HTTPRequest) -> String {
    (publicURL ?? "http://" + (request.headers["Host"] ?? "localhost")) + prefix
  }
}

extension HTTPRequest {
  /// The token of `Authorization: Bearer …`.
  var bearerToken: String? {
    guard let header = headers["Authorization"], header.hasPrefix("Bearer ") else { return nil }
    return String(header.dropFirst(7))
  }
}
