public import HTTPExchange
import SystemRuntime

/// A transport that answers by a closure and remembers what was sent.
public final class ClosureTransport: HTTPTransport {
  private let sentRequests = Locked<[HTTPOutgoing]>([])
  private let answer: @Sendable (HTTPOutgoing) async throws(HTTPTransportError) -> HTTPResponse

  /// Answers each request by `answer`.
  public init(
    _ answer:
      @escaping @Sendable (HTTPOutgoing) async throws(HTTPTransportError) -> HTTPResponse
  ) {
    self.answer = answer
  }

  /// Everything sent so far, in order.
  public var sent: [HTTPOutgoing] { sentRequests.withLock { $0 } }

  /// Remembers the request and answers it.
  public func send(_ request: HTTPOutgoing) async throws(HTTPTransportError) -> HTTPResponse {
    sentRequests.withLock { $0.append(request) }
    return try await answer(request)
  }
}
