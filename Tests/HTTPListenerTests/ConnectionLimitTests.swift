import HTTPExchange
import HTTPListener
import Testing

private let request = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"

/// Connects, and says whether the listener serves the connection or turns it away.
private func isServed(_ client: RawClient?) -> Bool? {
  guard let client else { return nil }
  // Reads before it writes: one that is turned away hears so without having asked.
  if client.isReadable(afterMilliseconds: 0) { return false }
  client.send(request)
  return client.receiveAnswers(1).first?.status == 200
}

private func limits(_ change: (inout HTTPListenerLimits) -> Void) -> HTTPListenerLimits {
  var limits = HTTPListenerLimits()
  change(&limits)
  return limits
}

@Suite struct `Limits on connections` {
  @Test(arguments: [
    limits { $0.connectionsMax = 3 }, limits { $0.connectionsPerAddressMax = 3 },
  ])
  func `one more than the limit is turned away until one has gone`(
    limits: HTTPListenerLimits
  ) async throws {
    let log = LogLines()
    try await serving(limits: limits, log: log) { listener in
      await onThread { [port = listener.port] in
        var held = (0..<3).map { _ in RawClient(port: port) }
        #expect(held.map(isServed) == [true, true, true])
        for _ in 0..<2 {
          let answers = RawClient(port: port).map { Answer.parse($0.receiveAll()).answers }
          #expect(answers?.map(\.status) == [503])
          #expect(answers?.first?.text.contains("/problems/unavailable") == true)
        }
        held.removeFirst()
        // The listener hears of the close in its own time; it is asked until it has.
        while true {
          guard let client = RawClient(port: port) else { break }
          client.send(request)
          if client.receiveAnswers(1).first?.status == 200 { break }
        }
        #expect(held.map(isServed) == [true, true])
      }
    }
    let line = "accept: at the limit of connections, new connects are refused"
    #expect(log.all.isEmpty || Set(log.all) == [line])
    #expect(log.all.isEmpty == (limits.connectionsMax > 3))
  }

  @Test func `another address is served while one is at its limit`() async throws {
    try await serving(
      address: "0.0.0.0", limits: limits { $0.connectionsPerAddressMax = 1 }
    ) { listener in
      await onThread { [port = listener.port] in
        let first = RawClient(port: port, from: "127.0.0.1")
        #expect(isServed(first) == true)
        let other = RawClient(port: port, from: "127.0.0.2")
        #expect(isServed(other) == true)
        let again = RawClient(port: port, from: "127.0.0.2")
        #expect(again.map { Answer.parse($0.receiveAll()).answers.map(\.status) } == [503])
      }
    }
  }

  @Test func `a handler whose peer has left still counts`() async throws {
    let handler = WaitingHandler(ignoresCancellation: true)
    try await serving(handler, limits: limits { $0.connectionsMax = 1 }) { listener in
      await onThread { [port = listener.port] in _ = RawClient(port: port)?.send(request) }
      await handler.untilCancelled(1)
      let statuses = await onThread { [port = listener.port] in
        RawClient(port: port).map { Answer.parse($0.receiveAll()).answers.map(\.status) }
      }
      #expect(statuses == [503])
      handler.open()
    }
  }

  @Test(arguments: [1, 2, 29, 30, 31, 90])
  func `requests sent at once are all answered in order, however little is read ahead`(
    bytes: Int
  ) async throws {
    try await serving(limits: limits { $0.readAheadBytesMax = bytes }) { listener in
      let targets = (1...5).map { "/\($0)" }
      let text = targets.map { "GET \($0) HTTP/1.1\r\nHost: x\r\n\r\n" }.joined()
      let answers = await exchange(Array(text.utf8), port: listener.port)
      #expect(answers.map { $0.head.contains("X-Target: ") } == Array(repeating: true, count: 5))
      #expect(zip(answers, targets).allSatisfy { $0.head.contains("X-Target: \($1)\r\n") })
    }
  }
}
