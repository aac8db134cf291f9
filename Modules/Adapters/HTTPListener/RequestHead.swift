import HTTPExchange

/// How the body of a request is delimited (RFC 9112 section 6).
enum BodyFraming: Hashable {
  case none
  case length(Int)
  case chunked
}

/// Request line and header fields, checked.
struct RequestHead: Hashable {
  var method: String
  /// Starts with `/`, or is `*` of OPTIONS; an absolute form is already taken apart.
  var target: String
  var headers: HTTPHeaders
  var framing: BodyFraming
  /// Whether the peer lets the connection go on. HTTP/1.0 never does: its keep-alive is an
  /// extension that old proxies forward blindly.
  var isPersistent: Bool
  var expectsContinue: Bool
}

/// A whole request, with what its answer must heed.
struct DecodedRequest: Hashable {
  var head: RequestHead
  var body: [UInt8]
}
