import HTTPExchange
import HTTPListener
import SystemRuntime
import Testing

@Suite struct `What a listener tells of its connections` {
  @Test func `each that is opened is closed, and those turned away are neither`() async throws {
    let events = Locked<[ListenerEvent]>([])
    var limits = HTTPListenerLimits()
    limits.connectionsPerAddressMax = 2
    let listener = try HTTPListener(
      address: "127.0.0.1", port: 0, limits: limits, handler: echo, log: { _ in },
      observe: { event in events.withLock { $0.append(event) } })
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await listener.run() }
      await onThread { [port = listener.port] in
        let clients = (0..<2).map { _ in RawClient(port: port) }
        for client in clients {
          client?.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
          _ = client?.receiveAnswers(1)
        }
        _ = RawClient(port: port)?.receiveAll()
      }
      await listener.drain(grace: .zero)
    }
    let seen = events.withLock { $0 }
    #expect(seen.count { $0 == .opened } == 2)
    #expect(seen.count { $0 == .closed } == 2)
    #expect(seen.count { $0 == .refusedAddress } == 1)
    #expect(seen.count { $0 == .refused } == 0)
  }
}
