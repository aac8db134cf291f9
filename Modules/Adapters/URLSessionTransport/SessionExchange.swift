import Foundation
import HTTPExchange

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Collects one answer within its limit.
// All state is behind the lock: answers come on the session's queue, end(_:because:) from any
// thread.
final class SessionExchange: @unchecked Sendable {
  typealias Outcome = Result<HTTPResponse, HTTPTransportError>

  private let bodyBytesMax: Int
  private let lock = NSLock()
  private var body: [UInt8] = []
  private var reason: String?
  private var continuation: CheckedContinuation<Outcome, Never>?

  init(bodyBytesMax: Int) {
    self.bodyBytesMax = bodyBytesMax
  }

  /// Starts the task; the continuation is resumed once, when it has ended.
  func start(_ task: URLSessionDataTask, _ continuation: CheckedContinuation<Outcome, Never>) {
    // A task cancelled before its start would never report, so it is not started then. Both calls
    // on the task only put work on a queue, so they may stand under the lock.
    let early = lock.withLock {
      if reason == nil {
        self.continuation = continuation
        task.resume()
      }
      return reason
    }
    if let early {
      continuation.resume(returning: .failure(HTTPTransportError(.unknown, reason: early)))
    }
  }

  /// Ends the exchange early; the first reason counts.
  func end(_ task: URLSessionTask, because reason: String) {
    lock.withLock {
      self.reason = self.reason ?? reason
      task.cancel()
    }
  }

  func take(_ data: Data, from task: URLSessionTask) {
    let fits = lock.withLock {
      if data.count > bodyBytesMax - body.count { return false }
      body += data
      return true
    }
    if !fits { end(task, because: "answer longer than allowed") }
  }

  func complete(_ task: URLSessionTask, _ error: (any Error)?) {
    let (continuation, reason, body) = lock.withLock {
      defer { self.continuation = nil }
      return (self.continuation, self.reason, self.body)
    }
    let outcome: Outcome =
      if let reason {
        .failure(HTTPTransportError(.unknown, reason: reason))
      } else if let error {
        .failure(transportError(error))
      } else if let response = task.response as? HTTPURLResponse {
        .success(
          HTTPResponse(status: response.statusCode, headers: headers(of: response), body: body))
      } else {
        .failure(HTTPTransportError(.unknown, reason: "answer is not HTTP"))
      }
    continuation?.resume(returning: outcome)
  }
}

private func headers(of response: HTTPURLResponse) -> HTTPHeaders {
  // A dictionary: the order on the wire is lost, so the names are put in order.
  let pairs = response.allHeaderFields.map { ("\($0.key)", "\($0.value)") }
  var headers = HTTPHeaders()
  for (name, value) in pairs.sorted(by: { $0 < $1 }) { headers.add(name, value) }
  return headers.withoutFraming()
}

private func transportError(_ error: any Error) -> HTTPTransportError {
  switch (error as? URLError)?.code {
  case .badURL?, .unsupportedURL?: HTTPTransportError(.notSent, reason: "url cannot be read")
  case .cannotFindHost?, .dnsLookupFailed?:
    HTTPTransportError(.notSent, reason: "name not resolved")
  case .cannotConnectToHost?, .notConnectedToInternet?:
    HTTPTransportError(.notSent, reason: "connect refused or unreachable")
  case .secureConnectionFailed?, .serverCertificateHasBadDate?, .serverCertificateUntrusted?,
    .serverCertificateHasUnknownRoot?, .serverCertificateNotYetValid?:
    HTTPTransportError(.notSent, reason: "TLS handshake failed")
  default: HTTPTransportError(.unknown, reason: "exchange failed")
  }
}
