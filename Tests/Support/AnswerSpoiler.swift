public import HTTPExchange
public import StrictJSON
import SystemRuntime

/// Stands before a provider's server and spoils its next answer, as proxies, overload and lost
/// connections do; it also shows what was asked and answered last.
public final class AnswerSpoiler: HTTPHandler {
  /// What goes wrong.
  public enum Fault: String, Sendable, CaseIterable {
    /// Not carried out: an HTML 502.
    case html502 = "an HTML 502"
    /// Carried out; the answer is an HTML 502.
    case lost = "a lost answer"
    /// Carried out; half of the body comes.
    case cut = "a cut body"
    /// Carried out; no answer comes before the deadline.
    case slow = "a slow answer"
    /// Not carried out: 429, come back in 7 s.
    case throttled = "429 with Retry-After"
    /// Not carried out: 401 without a body.
    case unauthorized = "401"
    /// The request reaches nobody. The wire sees to it, by ``forget()``.
    case unreachable = "a server that is not there"
  }

  private struct State {
    var fault: Fault?
    var rewrite: (@Sendable (JSONValue) -> JSONValue)?
    var lastAnswer: [UInt8] = []
  }

  private let inner: any HTTPHandler
  private let state = Locked(State())
  private let (held, holding) = AsyncStream<Void>.makeStream()

  /// Stands before `inner`.
  public init(_ inner: any HTTPHandler) { self.inner = inner }

  /// What will be spoilt next; nil if nothing.
  public var nextFault: Fault? { state.withLock { $0.fault } }

  /// Spoils nothing.
  public func forget() { state.withLock { $0.fault = nil } }

  /// Returns once a ``Fault/slow`` answer is kept back.
  public func waitUntilHeld() async { for await _ in held { break } }

  /// The body of the last answer, as the server wrote it or as it was written anew.
  public var lastAnswer: [UInt8] { state.withLock { $0.lastAnswer } }

  /// Spoils the next answer.
  public func spoilNext(_ fault: Fault) { state.withLock { $0.fault = fault } }

  /// Writes the JSON of every answer anew while `body` runs.
  public func rewriting<Value>(
    _ rewrite: @escaping @Sendable (JSONValue) -> JSONValue, _ body: () async throws -> Value
  ) async rethrows -> Value {
    state.withLock { $0.rewrite = rewrite }
    defer { state.withLock { $0.rewrite = nil } }
    return try await body()
  }

  /// Answers, or spoils the answer.
  public func respond(to request: HTTPRequest) async -> HTTPResponse {
    let (fault, rewrite) = state.withLock { state in
      defer { state.fault = nil }
      return (state.fault, state.rewrite)
    }
    switch fault {
    case .html502: return Self.proxyPage
    case .throttled: return HTTPResponse(status: 429, headers: ["Retry-After": "7"])
    case .unauthorized: return HTTPResponse(status: 401)
    case .lost, .cut, .slow, .unreachable, nil: break
    }
    var response = await inner.respond(to: request)
    if let rewrite, let json = try? JSONValue(parsing: response.body) {
      response.body = rewrite(json).serialized()
    }
    let body = response.body
    state.withLock { $0.lastAnswer = body }
    switch fault {
    case .lost: return Self.proxyPage
    case .cut: response.body.removeLast(response.body.count / 2)
    case .slow:
      holding.yield()
      await Self.peerLeaves()
    case .html502, .throttled, .unauthorized, .unreachable, nil: break
    }
    return response
  }

  private static let proxyPage = HTTPResponse(
    status: 502, headers: ["Content-Type": "text/html"],
    body: Array("<html><title>502 Bad Gateway</title></html>".utf8))

  /// Returns when the task is cancelled.
  private static func peerLeaves() async {
    let (never, _) = AsyncStream<Void>.makeStream()
    for await _ in never { break }
  }
}
