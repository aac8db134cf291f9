import Glibc
import HTTPExchange
import HTTPListener
import SystemRuntime
import Testing

private let request = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"

/// How many files this process has open.
private func openFiles() -> Int {
  (0..<Int32(4096)).count { fcntl($0, F_GETFD) >= 0 }
}

/// Whether the count comes back to `count`; the threads of clients let go of theirs as they end.
private func openFilesReturn(to count: Int) async -> Bool {
  await onThread {
    // On a thread of its own; what it waits for tells nobody, so it looks again.
    for _ in 0..<1000 where openFiles() != count { _ = poll(nil, 0, 5) }
    return openFiles() == count
  }
}

/// These count the descriptors of the whole process, or change its limit, so each has a process
/// of its own.
@Suite struct `Descriptors and threads` {
  @Test func `a listener that has stopped leaves nothing behind`() async {
    await #expect(processExitsWith: .success) {
      func serveOnce() async throws {
        let handler = WaitingHandler()
        try await serving(handler) { listener in
          let clients = await onThread { [port = listener.port] in
            (0..<20).compactMap { _ in RawClient(port: port) }
          }
          for client in clients { client.send(request) }
          await handler.untilStarted(20)
          handler.open()
          await onThread { for client in clients.prefix(10) { _ = client.receiveAnswers(1) } }
        }
      }
      // The first run opens what the runtime keeps.
      try await serveOnce()
      // Counted when the clients of that run are gone: at its lowest in a while.
      let before = await onThread {
        (0..<20).reduce(Int.max) { lowest, _ in
          // No descriptors: a pause of 5 ms.
          _ = poll(nil, 0, 5)
          return min(lowest, openFiles())
        }
      }
      for _ in 0..<5 { try await serveOnce() }
      do {
        let unused = try HTTPListener(address: "::1", port: 0, handler: echo, log: { _ in })
        await unused.drain(grace: .zero)
      }
      let returned = await openFilesReturn(to: before)
      #expect(returned)
    }
  }

  @Test func `running out of descriptors is waited for, not spun on`() async {
    await #expect(processExitsWith: .success) {
      let log = LogLines()
      try await serving(log: log) { listener in
        let port = listener.port
        let first = await onThread {
          let client = RawClient(port: port)
          client?.send(request)
          _ = client?.receiveAnswers(1)
          return client
        }
        let client = RawClient()
        var limit = rlimit()
        // The pointers are used during each call only.
        unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        let full = client.descriptor + 1
        var tight = rlimit(rlim_cur: rlim_t(full), rlim_max: limit.rlim_max)
        unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &tight)
        let before = clock()
        _ = await onThread { client.connect(port: port) }
        client.send(request)
        let isServedEarly = await onThread { client.isReadable(afterMilliseconds: 250) }
        #expect(!isServedEarly)
        // Those that are connected are served meanwhile.
        first?.send(request)
        let answers = await onThread { first?.receiveAnswers(1) }
        #expect(answers?.map(\.status) == [200])
        #expect(clock() - before < CLOCKS_PER_SEC / 5, "a loop that spins burns the 250 ms")
        unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        let late = await onThread { client.receiveAnswers(1) }
        #expect(late.map(\.status) == [200])
      }
      #expect(log.all == ["accept: out of file descriptors or memory, new connects wait"])
    }
  }
}
