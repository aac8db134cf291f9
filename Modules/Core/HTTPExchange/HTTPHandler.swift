/// Answers requests: the merchant server, a sandbox, a piece of middleware around either.
///
/// `HTTPListener` serves any handler over a socket; a test calls it directly.
public protocol HTTPHandler: Sendable {
  /// Answers one request. The task is cancelled if the peer leaves before the answer.
  func respond(to request: HTTPRequest) async -> HTTPResponse

  /// Whether the answer takes the processor for moments alone, beside waits: no list, no report.
  /// A listener may run such a request on the thread that serves all its connections.
  func isBrief(_ request: HTTPRequest) -> Bool

  /// Whether the request goes behind others when more come than can be answered in time: whoever
  /// sends it asks again, and nothing is lost. A listener then refuses it with 503.
  func isDeferrable(_ request: HTTPRequest) -> Bool
}

extension HTTPHandler {
  /// No, unless the handler knows better.
  public func isBrief(_ request: HTTPRequest) -> Bool { false }

  /// No, unless the handler knows better.
  public func isDeferrable(_ request: HTTPRequest) -> Bool { false }
}
