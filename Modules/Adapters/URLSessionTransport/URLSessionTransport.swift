private import Foundation
public import HTTPExchange

#if canImport(FoundationNetworking)
  private import FoundationNetworking
#endif

/// Sends requests by `URLSession`: for apps on Apple platforms, where proxies, VPN and trust
/// settings are the system's. A server on Linux takes `CurlTransport`.
///
/// Redirects are not followed, nothing is cached, and no cookies are kept.
public final class URLSessionTransport: HTTPTransport {
  private let session: URLSession
  private let router = SessionRouter()

  /// A transport with a session of its own.
  public init() {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    session = URLSession(configuration: configuration, delegate: router, delegateQueue: nil)
  }

  deinit { session.finishTasksAndInvalidate() }

  /// Sends the request and returns the whole answer, whatever its status.
  ///
  /// `URLSession` does not tell how far a request came, so only errors that belong to the time
  /// before it (name, connect, TLS) are `notSent`; a deadline is always `unknown`.
  public func send(_ request: HTTPOutgoing) async throws(HTTPTransportError) -> HTTPResponse {
    if let reason = request.refusal { throw HTTPTransportError(.notSent, reason: reason) }
    guard let url = URL(string: request.url) else {
      throw HTTPTransportError(.notSent, reason: "url cannot be read")
    }
    var message = URLRequest(url: url)
    message.httpMethod = request.method
    for field in request.headers.fields {
      message.addValue(field.value, forHTTPHeaderField: field.name)
    }
    if !request.body.isEmpty { message.httpBody = Data(request.body) }
    let task = session.dataTask(with: message)
    let exchange = SessionExchange(bodyBytesMax: request.bodyBytesMax)
    router.add(exchange, for: task)
    defer { router.remove(task) }
    let deadline = DispatchTime.now() + request.deadline.timeInterval
    DispatchQueue.global().asyncAfter(deadline: deadline) { [weak exchange] in
      exchange?.end(task, because: "deadline over")
    }
    return try await withTaskCancellationHandler {
      await withCheckedContinuation { exchange.start(task, $0) }
    } onCancel: {
      exchange.end(task, because: "cancelled")
    }.get()
  }
}

extension Duration {
  fileprivate var timeInterval: TimeInterval {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }
}
