import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Hands what a session reports to the exchange of the task.
///
/// A delegate of the session and not of each task: FoundationNetworking calls only the former.
// The table is behind the lock.
final class SessionRouter: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  private let lock = NSLock()
  private var exchanges: [Int: SessionExchange] = [:]

  func add(_ exchange: SessionExchange, for task: URLSessionTask) {
    lock.withLock { exchanges[task.taskIdentifier] = exchange }
  }

  func remove(_ task: URLSessionTask) {
    lock.withLock { exchanges[task.taskIdentifier] = nil }
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let exchange = lock.withLock { exchanges[dataTask.taskIdentifier] }
    exchange?.take(data, from: dataTask)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    let exchange = lock.withLock { exchanges[task.taskIdentifier] }
    exchange?.complete(task, error)
  }
}
