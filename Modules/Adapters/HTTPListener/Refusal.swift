import HTTPExchange

/// Why a request, or a handler's answer to it, is not served: the answer that the peer gets
/// instead, after which the connection ends.
package enum Refusal: String, Error, Hashable, CaseIterable {
  case malformedRequest = "malformed_request"
  case requestTimeout = "request_timeout"
  case tooLarge = "too_large"
  case uriTooLong = "uri_too_long"
  case expectationFailed = "expectation_failed"
  case headersTooLarge = "headers_too_large"
  case internalError = "internal_error"
  case transferEncodingUnsupported = "transfer_encoding_unsupported"
  case unavailable
  case versionNotSupported = "version_not_supported"

  var status: Int {
    switch self {
    case .malformedRequest: 400
    case .requestTimeout: 408
    case .tooLarge: 413
    case .uriTooLong: 414
    case .expectationFailed: 417
    case .headersTooLarge: 431
    case .internalError: 500
    case .transferEncodingUnsupported: 501
    case .unavailable: 503
    case .versionNotSupported: 505
    }
  }

  private var detail: String {
    switch self {
    case .malformedRequest: "The request is not well-formed HTTP/1.1."
    case .requestTimeout: "The request did not arrive in time. Send it again."
    case .tooLarge: "The request body is over the limit."
    case .uriTooLong: "The request target is over the limit."
    case .expectationFailed: "The only expectation served is 100-continue."
    case .headersTooLarge: "The header fields are over the limit."
    case .internalError: "The server made an answer that cannot be sent."
    case .transferEncodingUnsupported: "The only transfer encoding served is chunked."
    case .unavailable: "There is more to do than can be done in time. Try again later."
    case .versionNotSupported: "Only HTTP/1.1 and HTTP/1.0 are served."
    }
  }

  /// A problem document of RFC 9457. Its texts are constants without characters that JSON escapes.
  var response: HTTPResponse {
    let title = String(rawValue.map { $0 == "_" ? " " : $0 })
    let document =
      #"{"type":"/problems/\#(rawValue)","title":"\#(title)","status":\#(status),"#
      + #""detail":"\#(detail)"}"#
    var headers: HTTPHeaders = [
      "Content-Type": "application/problem+json", "Cache-Control": "no-store",
      "X-Content-Type-Options": "nosniff",
    ]
    if self == .unavailable { headers.add("Retry-After", "1") }
    return HTTPResponse(status: status, headers: headers, body: Array(document.utf8))
  }
}
