public import HTTPExchange

/// A transport that hands each request straight to a handler, in process.
///
/// It serves one origin: what stands before the path of a URL is dropped, the host becomes the
/// `Host` header.
public struct HandlerTransport: HTTPTransport {
  private let handler: any HTTPHandler

  /// Sends to `handler`.
  public init(_ handler: any HTTPHandler) { self.handler = handler }

  /// Answers as the handler does.
  public func send(_ request: HTTPOutgoing) async throws(HTTPTransportError) -> HTTPResponse {
    let parts = request.url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count >= 3 else {
      throw HTTPTransportError(.notSent, reason: "the URL has no host")
    }
    var headers = request.headers
    headers.add("Host", String(parts[2]))
    return await handler.respond(
      to: HTTPRequest(
        method: request.method, target: "/" + (parts.count > 3 ? String(parts[3]) : ""),
        headers: headers, body: request.body, peer: "127.0.0.1"))
  }
}
