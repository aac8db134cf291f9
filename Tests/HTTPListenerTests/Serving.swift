import HTTPExchange
import HTTPListener
import SystemRuntime

/// A handler that is a closure.
struct ClosureHandler: HTTPHandler {
  let answer: @Sendable (HTTPRequest) async -> HTTPResponse

  func respond(to request: HTTPRequest) async -> HTTPResponse { await answer(request) }
}

/// Answers with what it was asked.
let echo = ClosureHandler { request in
  HTTPResponse(
    status: 200, headers: ["X-Method": request.method, "X-Target": request.target],
    body: request.body)
}

/// Lines that a listener logged.
final class LogLines: Sendable {
  private let state = Locked<[String]>([])

  var all: [String] { state.withLock { $0 } }

  func add(_ line: String) { state.withLock { $0.append(line) } }
}

/// Serves `handler` on a free port of 127.0.0.1 while `body` runs, then drains without grace.
@discardableResult
func serving<Value: Sendable>(
  _ handler: any HTTPHandler = echo, address: String = "127.0.0.1",
  limits: HTTPListenerLimits = HTTPListenerLimits(), log: LogLines = LogLines(),
  _ body: @escaping @Sendable (HTTPListener) async throws -> Value
) async throws -> Value {
  let listener = try HTTPListener(
    address: address, port: 0, limits: limits, handler: handler, log: log.add)
  return try await withThrowingTaskGroup(of: Void.self) { group in
    group.addTask { await listener.run() }
    let result: Result<Value, any Error>
    do { result = .success(try await body(listener)) } catch { result = .failure(error) }
    await listener.drain(grace: .zero)
    try await group.waitForAll()
    return try result.get()
  }
}

/// Sends bytes to a listener with the echo handler, ends the output unless told, and returns
/// everything that came back until the listener closed.
func exchange(
  _ bytes: [UInt8], port: UInt16, endsOutput: Bool = true
) async -> [Answer] {
  await onThread {
    guard let client = RawClient(port: port) else { return [] }
    client.send(bytes)
    if endsOutput { client.endOutput() }
    return Answer.parse(client.receiveAll()).answers
  }
}
