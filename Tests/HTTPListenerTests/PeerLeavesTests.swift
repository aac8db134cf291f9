import HTTPExchange
import HTTPListener
import Testing

private let poll = "GET /poll HTTP/1.1\r\nHost: x\r\n\r\n"

@Suite struct `Peers that leave` {
  @Test func `two hundred waiting peers that hang up are cancelled`() async throws {
    let handler = WaitingHandler()
    try await serving(handler) { listener in
      let clients = await onThread { [port = listener.port] in
        (0..<200).compactMap { _ in RawClient(port: port) }
      }
      for client in clients { client.send(poll) }
      await handler.untilStarted(200)
      #expect(handler.cancelled == 0)
      for (index, client) in clients.enumerated() where index.isMultiple(of: 2) {
        client.resetOnClose()
      }
      _ = consume clients
      await handler.untilCancelled(200)
      let answers = await exchange(Array("GET /\r\n\r\n".utf8), port: listener.port)
      #expect(answers.map(\.status) == [400])
    }
  }

  @Test func `a peer that ends its output while it waits counts as gone`() async throws {
    let handler = WaitingHandler()
    try await serving(handler) { listener in
      let bytes = await onThread { [port = listener.port] in
        guard let client = RawClient(port: port) else { return [UInt8(0)] }
        client.send(poll)
        client.endOutput()
        return client.receiveAll()
      }
      #expect(bytes.isEmpty)
      await handler.untilCancelled(1)
    }
  }

  @Test func `what a peer sends while it waits does not end its request`() async throws {
    let handler = WaitingHandler()
    try await serving(handler) { listener in
      let client = await onThread { [port = listener.port] in RawClient(port: port) }
      guard let client else {
        Issue.record("no connection")
        return
      }
      client.send(poll)
      await handler.untilStarted(1)
      client.send(poll + "GET /third HTTP/1.1\r\nHost: x\r\n\r\n")
      #expect(handler.started == 1)
      handler.open()
      let answers = await onThread { client.receiveAnswers(3) }
      #expect(answers.map(\.text) == ["/poll", "/poll", "/third"])
      #expect(handler.cancelled == 0)
    }
  }

  @Test func `a request that is cut off never reaches the handler`() async throws {
    let handler = WaitingHandler()
    try await serving(handler) { listener in
      await onThread { [port = listener.port] in
        let client = RawClient(port: port)
        client?.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nab")
        client?.resetOnClose()
      }
      let answers = await exchange(Array("GET /\r\n\r\n".utf8), port: listener.port)
      #expect(answers.map(\.status) == [400])
    }
    #expect(handler.started == 0)
  }
}
