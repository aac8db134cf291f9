import HTTPExchange
import HTTPListener
import SystemRuntime
import Testing

/// Short deadlines of one kind; those of the other kinds do not strike in a test.
private func limits(_ change: (inout HTTPListenerLimits) -> Void) -> HTTPListenerLimits {
  var limits = HTTPListenerLimits()
  change(&limits)
  return limits
}

private let short = Duration.milliseconds(80)

/// Sends `start`, then `drip` again and again until the listener answers or closes.
private func drip(_ start: String, _ drip: String, port: UInt16) async -> [Answer] {
  await onThread {
    guard let client = RawClient(port: port) else { return [] }
    client.send(start)
    while !client.isReadable(afterMilliseconds: 5) { client.send(drip) }
    return client.receiveAnswers(1)
  }
}

@Suite struct `Deadlines` {
  @Test func `a head that drips is cut off as a whole`() async throws {
    // Room for all that drips in before a loaded machine has started the listener.
    let limits = limits {
      $0.headTime = short
      $0.headerCountMax = 1_000_000
      $0.headBytesMax = 1 << 24
    }
    try await serving(limits: limits) { listener in
      let answers = await drip("GET / HTTP/1.1\r\nHost: x\r\n", "X: y\r\n", port: listener.port)
      #expect(answers.map(\.status) == [408])
    }
  }

  @Test func `a body that drips is cut off as a whole`() async throws {
    let start = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 60000\r\n\r\n"
    try await serving(limits: limits { $0.bodyTime = short }) { listener in
      let answers = await drip(start, "a", port: listener.port)
      #expect(answers.map(\.status) == [408])
    }
  }

  @Test(arguments: ["", "GET / HTTP/1.1\r\nHost: x\r\n\r\n"])
  func `a connection without a request is closed without a word`(before: String) async throws {
    let limits = limits {
      $0.headTime = short
      $0.idleTime = short
    }
    try await serving(limits: limits) { listener in
      let bytes = await onThread { [port = listener.port] in
        guard let client = RawClient(port: port) else { return [UInt8(0)] }
        client.send(before)
        if !before.isEmpty { _ = client.receiveAnswers(1) }
        return client.receiveAll()
      }
      #expect(bytes.isEmpty)
    }
  }

  @Test func `no deadline strikes a request that waits`() async throws {
    let handler = WaitingHandler()
    let limits = limits {
      $0.headTime = short
      $0.bodyTime = short
      $0.idleTime = short
      $0.writeTime = short
    }
    try await serving(handler, limits: limits) { listener in
      let client = await onThread { [port = listener.port] in
        let client = RawClient(port: port)
        client?.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        // Nothing comes within twice the deadlines.
        return client?.isReadable(afterMilliseconds: 160) == false ? client : nil
      }
      #expect(handler.cancelled == 0)
      handler.open()
      let answers = await onThread { client?.receiveAnswers(1) ?? [] }
      #expect(answers.map(\.status) == [200])
    }
  }

  @Test func `a peer that does not take its answer is cut off`() async throws {
    // More than the kernel takes off the listener's hands for a peer that reads nothing.
    let big = [UInt8](repeating: 0, count: 16 << 20)
    let handler = ClosureHandler { _ in HTTPResponse(status: 200, body: big) }
    try await serving(handler, limits: limits { $0.writeTime = short }) { listener in
      let isCutOff = await onThread { [port = listener.port] in
        guard let client = RawClient(port: port) else { return false }
        client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        return client.untilBroken()
      }
      #expect(isCutOff)
    }
  }

  @Test func `a big answer reaches a peer that takes it`() async throws {
    let big = [UInt8](repeating: 7, count: 8 << 20)
    let handler = ClosureHandler { _ in HTTPResponse(status: 200, body: big) }
    try await serving(handler) { listener in
      let request = Array("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".utf8)
      let answers = await exchange(request, port: listener.port, endsOutput: false)
      #expect(answers.map { $0.body == big } == [true])
    }
  }

  @Test func `a peer that never closes is left after the linger time`() async throws {
    try await serving(limits: limits { $0.lingerTime = short }) { listener in
      let isLeft = await onThread { [port = listener.port] in
        guard let client = RawClient(port: port) else { return false }
        client.send("GET /\r\n\r\n")
        _ = client.receiveAll()
        // The listener has ended its output; sending goes on working until it closes.
        while client.send("a") {}
        return true
      }
      #expect(isLeft)
    }
  }
}
