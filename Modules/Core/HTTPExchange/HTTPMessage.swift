/// A request as a server received it, or as a handler in the same process is given it.
public struct HTTPRequest: Sendable, Hashable {
  /// The method, upper case: `GET`.
  public var method: String
  /// Path and query exactly as they came, starting with `/`: `/v1/orders/o?wait=5`.
  public var target: String
  /// Header fields in their order.
  public var headers: HTTPHeaders
  /// The whole body.
  public var body: [UInt8]
  /// Address of the peer without port, if known: `127.0.0.1`, `::1`.
  public var peer: String?

  /// Builds a request.
  public init(
    method: String, target: String, headers: HTTPHeaders = [:], body: [UInt8] = [],
    peer: String? = nil
  ) {
    self.method = method
    self.target = target
    self.headers = headers
    self.body = body
    self.peer = peer
  }

  /// The part of ``target`` before the first `?`, not decoded.
  public var path: String {
    target.utf8.firstIndex(of: UInt8(ascii: "?")).map { String(target[..<$0]) } ?? target
  }

  /// The query parameters of ``target``, decoded, in their order.
  public var query: [(name: String, value: String)] {
    guard let mark = target.utf8.firstIndex(of: UInt8(ascii: "?")) else { return [] }
    return QueryText.parse(String(target[target.utf8.index(after: mark)...]))
  }
}

/// An answer to a request.
public struct HTTPResponse: Sendable, Hashable {
  /// The status code, 100 to 599.
  public var status: Int
  /// Header fields in their order; framing fields (`Content-Length`, `Connection`, …) are the
  /// server's business and do not stand here.
  public var headers: HTTPHeaders
  /// The whole body, decoded if it came compressed.
  public var body: [UInt8]

  /// Builds an answer.
  public init(status: Int, headers: HTTPHeaders = [:], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}
