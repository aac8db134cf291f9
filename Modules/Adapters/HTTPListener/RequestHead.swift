package import HTTPExchange

/// How the body of a request is delimited (RFC 9112 section 6).
enum BodyFraming: Hashable {
  case none
  case length(Int)
  case chunked
}

/// Request line and header fields, checked.
package struct RequestHead: Hashable {
  package var method: String
  /// Starts with `/`, or is `*` of OPTIONS; an absolute form is already taken apart.
  package var target: String
  package var headers: HTTPHeaders
  var framing: BodyFraming
  /// Whether the peer lets the connection go on. HTTP/1.0 never does: its keep-alive is an
  /// extension that old proxies forward blindly.
  var isPersistent: Bool
  var expectsContinue: Bool
}

/// A whole request, with what its answer must heed.
package struct DecodedRequest: Hashable {
  package var head: RequestHead
  package var body: [UInt8]
}
