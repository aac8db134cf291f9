/// Answers requests: the merchant server, a sandbox, a piece of middleware around either.
///
/// `HTTPListener` serves any handler over a socket; a test calls it directly.
public protocol HTTPHandler: Sendable {
  /// Answers one request. The task is cancelled if the peer leaves before the answer.
  func respond(to request: HTTPRequest) async -> HTTPResponse
}
