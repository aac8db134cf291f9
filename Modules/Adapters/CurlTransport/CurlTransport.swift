public import HTTPExchange
private import SystemRuntime

/// Sends requests by libcurl: HTTP/1.1 with or without TLS, connections kept and used again.
///
/// One transport serves a whole process. It owns one thread, on which all its exchanges run side
/// by side; a waiting task holds no thread. Certificates are always checked, redirects are never
/// followed, proxy settings of the environment do not count, and compressed answers come decoded.
///
/// ```swift
/// let transport = CurlTransport()
/// let answer = try await transport.send(
///   HTTPOutgoing(method: "GET", url: "https://shop.example/healthz"))
/// await transport.close()
/// ```
public final class CurlTransport: HTTPTransport {
  /// What one transport holds at most.
  struct Limits: Sendable {
    /// Exchanges begun and not ended: enough for every held checkout of a busy shop, and a bound on
    /// the memory behind a provider that does not answer.
    var exchangesMax = 4_096
    /// Connections at once, in use or idle.
    var connectionsMax = 128
    /// Connections to one host: one slow provider leaves room for the others.
    var connectionsPerHostMax = 64
    /// A kept connection that was idle longer is not used again: servers close theirs after 60 s
    /// or so, and a request that meets the closing ends as `unknown`.
    var idleSecondsMax = 30
  }

  private let mailbox: CurlMailbox

  /// Starts the thread of the transport.
  public convenience init() {
    self.init(limits: Limits())
  }

  init(limits: Limits) {
    let mailbox = CurlMailbox(limits: limits)
    self.mailbox = mailbox
    startThread(named: "till-curl") { CurlLoop(mailbox).run() }
  }

  /// Exchanges begun and not ended.
  var openCount: Int { mailbox.openCount }

  deinit {
    // No exchange is open: each holds a reference to self.
    mailbox.stop(then: nil)
  }

  /// Sends the request and returns the whole answer, whatever its status.
  ///
  /// A request that was written once is never written again behind the caller's back, unless its
  /// method is GET or HEAD and the peer had closed a kept connection.
  ///
  /// - Throws: ``HTTPTransportError``. Its kind is `notSent` exactly if no byte of the request was
  ///   handed to the network and the task was not cancelled.
  public func send(_ request: HTTPOutgoing) async throws(HTTPTransportError) -> HTTPResponse {
    if let reason = request.refusal { throw HTTPTransportError(.notSent, reason: reason) }
    let id = mailbox.newID()
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let transfer = CurlTransfer(id: id, request: request, continuation: continuation)
        if let error = mailbox.put(transfer) { continuation.resume(returning: .failure(error)) }
      }
    } onCancel: {
      mailbox.cancel(id)
    }
    return try result.get()
  }

  /// Ends the exchanges that are open, closes all connections and returns when the thread is
  /// about to end. Later exchanges fail with `notSent`.
  public func close() async {
    await withCheckedContinuation { mailbox.stop(then: $0) }
  }
}
