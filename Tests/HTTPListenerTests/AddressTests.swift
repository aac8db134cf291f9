import HTTPExchange
import HTTPListener
import Testing

private let request = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"

private let peerEcho = ClosureHandler { request in
  HTTPResponse(status: 200, body: Array((request.peer ?? "none").utf8))
}

@Suite struct `Addresses` {
  @Test(arguments: [
    ("127.0.0.1", "127.0.0.1", "127.0.0.1"), ("::1", "::1", "::1"), ("::", "::1", "::1"),
    ("::", "127.0.0.1", "127.0.0.1"), ("0.0.0.0", "127.0.0.1", "127.0.0.1"),
  ])
  func `a peer is known by its address`(
    listen: String, connect: String, peer: String
  ) async throws {
    try await serving(peerEcho, address: listen) { listener in
      let answers = await onThread { [port = listener.port] in
        let client = RawClient(port: port, address: connect)
        client?.send(request)
        return client?.receiveAnswers(1) ?? []
      }
      #expect(answers.map(\.text) == [peer])
    }
  }

  @Test func `a port that is taken is said to be`() async throws {
    try await serving { listener in
      #expect(throws: HTTPListenerError.portTaken) {
        try HTTPListener(
          address: "127.0.0.1", port: listener.port, handler: echo, log: { _ in })
      }
    }
  }

  @Test(arguments: ["localhost", "", "127.0.0.1:80", "[::1]", "256.0.0.1"])
  func `a text that is no numeric address is refused`(address: String) {
    #expect(throws: HTTPListenerError.addressInvalid) {
      try HTTPListener(address: address, port: 0, handler: echo, log: { _ in })
    }
  }

  @Test(arguments: ["192.0.2.1", "2001:db8::1"])
  func `an address of another machine is refused`(address: String) {
    #expect(throws: HTTPListenerError.addressUnavailable) {
      try HTTPListener(address: address, port: 0, handler: echo, log: { _ in })
    }
  }
}
