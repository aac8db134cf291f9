import HTTPExchange
import TestSupport

/// A merchant's webhook address: hands over what arrives, one by one.
struct WebhookReceiver {
  let transport: ClosureTransport
  private let arrivals: AsyncStream<HTTPOutgoing>

  /// Answers each delivery by `answer`.
  init(_ answer: @escaping @Sendable (HTTPOutgoing) -> Int = { _ in 200 }) {
    let (stream, continuation) = AsyncStream<HTTPOutgoing>.makeStream()
    arrivals = stream
    transport = ClosureTransport { request in
      continuation.yield(request)
      return HTTPResponse(status: answer(request))
    }
  }

  /// The next `count` deliveries.
  func next(_ count: Int) async -> [HTTPOutgoing] {
    var requests: [HTTPOutgoing] = []
    for await request in arrivals {
      requests.append(request)
      if requests.count == count { break }
    }
    return requests
  }
}
