public import HTTPExchange
import SystemRuntime

/// What became of the requests that were in flight when a drain began, or came in during it.
public struct DrainReport: Sendable, Hashable {
  /// Answered within the grace.
  public var answered = 0
  /// Not ended when the grace was over, and cancelled then.
  public var cancelled = 0
  /// Of those cancelled, the ones that had still not ended when the listener stopped.
  public var abandoned = 0
}

/// Serves an ``HTTPHandler`` over HTTP/1.1 on one address and port.
///
/// Strict in what it accepts, bounded in all that it holds. Plain HTTP: TLS is the business of a
/// proxy in front. One thread runs the loop; each handler starts on it and must not compute for
/// long before it first waits. One that calls a request brief stays on that thread to its end.
/// A request that waits holds neither thread nor buffer. A peer that
/// closes, or ends its output, while its request is being answered has left: the handler's task
/// is cancelled.
///
/// ```swift
/// let listener = try HTTPListener(address: "127.0.0.1", port: 0, handler: server) { print($0) }
/// async let served: Void = listener.run()
/// // … serve on listener.port until told to stop …
/// let report = await listener.drain(grace: .seconds(10))
/// await served
/// ```
public final class HTTPListener: Sendable {
  private enum Life {
    case open(ListenerResources)
    case running(waiters: [CheckedContinuation<DrainReport, Never>])
    case ended(DrainReport)
  }

  /// The port that is listened on; the one the system chose if 0 was asked for.
  public let port: UInt16
  private let mailbox: Mailbox
  private let life: Locked<Life>

  /// Starts to listen: from here on connects succeed, and are served once ``run()`` is called.
  ///
  /// - Parameters:
  ///   - address: A numeric address of this machine: `127.0.0.1`, `::1`, or `::` for all of IPv4
  ///     and IPv6.
  ///   - port: 0 lets the system choose.
  ///   - log: Takes a line on what an operator should know, without data of peers. Called on the
  ///     loop's thread: it must not block.
  ///   - observe: Told of what happens to connections, in the same way.
  public init(
    address: String, port: UInt16, limits: HTTPListenerLimits = HTTPListenerLimits(),
    handler: any HTTPHandler, log: @escaping @Sendable (String) -> Void,
    observe: @escaping @Sendable (ListenerEvent) -> Void = { _ in }
  ) throws(HTTPListenerError) {
    let (listening, bound) = try Sockets.listen(address, port)
    let wakeup = try Sockets.makeWakeup()
    self.port = bound
    mailbox = Mailbox(wakeup: wakeup)
    life = Locked(
      .open(
        ListenerResources(
          listening: listening, poll: try Sockets.makePoll(), wakeup: wakeup, mailbox: mailbox,
          limits: limits, handler: handler, log: log, observe: observe)))
  }

  /// Serves until a drain has ended; to be called once.
  ///
  /// Cancelling the task drains without grace: handlers are cancelled at once.
  public func run() async {
    guard let report = await serveOnOwnThread() else { return }
    end(report)
  }

  /// Refuses new connects and closes idle connections at once; requests in flight are answered
  /// with `Connection: close`, and cancelled after `grace`. Returns when all is closed, at the
  /// latest after `grace` and the listener's `cancelTime`. A second drain can shorten the grace.
  @discardableResult
  public func drain(grace: Duration) async -> DrainReport {
    mailbox.drain(grace: grace)
    return await withCheckedContinuation { continuation in
      let report = life.withLock { life -> DrainReport? in
        switch life {
        case .open:
          life = .ended(DrainReport())
          return DrainReport()
        case .running(let waiters):
          life = .running(waiters: waiters + [continuation])
          return nil
        case .ended(let report): return report
        }
      }
      if let report { continuation.resume(returning: report) }
    }
  }

  private func serveOnOwnThread() async -> DrainReport? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        startThread(named: "http-listener") { continuation.resume(returning: self.serve()) }
      }
    } onCancel: {
      mailbox.drain(grace: .zero)
    }
  }

  /// Runs the loop; all that it holds is closed on return. Nil if a drain came before.
  private func serve() -> DrainReport? {
    let resources = life.withLock { life -> ListenerResources? in
      switch life {
      case .open(let resources):
        life = .running(waiters: [])
        return resources
      case .running: preconditionFailure("a listener runs once")
      case .ended: return nil
      }
    }
    return resources.map { EventLoop($0).run() }
  }

  private func end(_ report: DrainReport) {
    let waiters = life.withLock { life -> [CheckedContinuation<DrainReport, Never>] in
      guard case .running(let waiters) = life else { return [] }
      life = .ended(report)
      return waiters
    }
    for waiter in waiters { waiter.resume(returning: report) }
  }
}

/// What a listener holds before its loop does.
struct ListenerResources: Sendable {
  let listening: Descriptor
  let poll: Descriptor
  let wakeup: Descriptor
  let mailbox: Mailbox
  let limits: HTTPListenerLimits
  let handler: any HTTPHandler
  let log: @Sendable (String) -> Void
  let observe: @Sendable (ListenerEvent) -> Void
}
