import HTTPExchange
import SystemRuntime
import Testing

@testable import HTTPListener

private let poll = "GET /poll HTTP/1.1\r\nHost: x\r\n\r\n"

private let addressCount = Locked(0)

/// A loopback address of this test's own: a drain frees the port, and on a shared address another
/// test's listener could be given it.
private func ownAddress() -> String {
  "127.9.0.\(addressCount.withLock { $0 += 1; return $0 })"
}

private func connect(_ listener: HTTPListener, _ address: String) async -> RawClient? {
  let port = listener.port
  return await onThread { RawClient(port: port, address: address) }
}

/// Gives a cancelled handler the time that a loaded machine may take to run it on.
private var patientLimits: HTTPListenerLimits {
  var limits = HTTPListenerLimits()
  limits.cancelTime = .seconds(120)
  return limits
}

/// A listener whose `run` is on, and a client with one request in flight.
private func inFlight(
  _ handler: WaitingHandler, limits: HTTPListenerLimits = patientLimits,
  _ body: @escaping @Sendable (HTTPListener, RawClient, _ address: String) async -> Void
) async throws {
  let address = ownAddress()
  try await serving(handler, address: address, limits: limits) { listener in
    guard let client = await connect(listener, address) else {
      Issue.record("no connection")
      return
    }
    client.send(poll)
    await handler.untilStarted(1)
    await body(listener, client, address)
  }
}

/// Returns once a drain is on: the listener then closes this idle connection.
private func untilDraining(_ idle: RawClient?) async {
  _ = await onThread { idle?.receiveAll() }
}

@Suite struct `Draining` {
  @Test func `a request in flight is answered and a new connect refused`() async throws {
    let handler = WaitingHandler()
    try await inFlight(handler) { listener, client, address in
      let idle = await connect(listener, address)
      async let report = listener.drain(grace: .seconds(120))
      await untilDraining(idle)
      let late = await connect(listener, address)
      #expect(late == nil)
      handler.open()
      let answers = await onThread { Answer.parse(client.receiveAll()).answers }
      #expect(answers.map(\.status) == [200])
      #expect(answers.first?.closes == true)
      client.endOutput()
      let drained = await report
      #expect(drained == DrainReport(answered: 1))
    }
  }

  @Test func `an idle connection is closed at once`() async throws {
    let address = ownAddress()
    try await serving(address: address) { listener in
      let client = await connect(listener, address)
      client?.send(poll)
      let answers = await onThread { client?.receiveAnswers(1) }
      #expect(answers?.map(\.status) == [200])
      let report = await listener.drain(grace: .seconds(120))
      #expect(report == DrainReport())
      let rest = await onThread { client?.receiveAll() }
      #expect(rest == [])
    }
  }

  @Test func `a request that was sent before the drain is still served`() async throws {
    let address = ownAddress()
    let listener = try HTTPListener(
      address: address, port: 0, handler: echo, log: { _ in })
    let client = await connect(listener, address)
    client?.send(poll)
    async let report = listener.drain(grace: .seconds(120))
    async let served: Void = listener.run()
    _ = await (report, served)
    // Either the drain came first and the listener never ran, or the request was answered.
    let answers = await onThread { Answer.parse(client?.receiveAll() ?? []).answers }
    #expect([[], [200]].contains(answers.map(\.status)))
  }

  @Test func `what lasts longer than the grace is cancelled and can still answer`() async throws {
    let handler = WaitingHandler()
    try await inFlight(handler) { listener, client, _ in
      async let bytes = onThread {
        let bytes = client.receiveAll()
        client.endOutput()
        return bytes
      }
      let report = await listener.drain(grace: .milliseconds(50))
      #expect(report == DrainReport(cancelled: 1))
      let answers = Answer.parse(await bytes).answers
      #expect(answers.map(\.status) == [503])
    }
  }

  @Test func `a handler that ignores cancellation is left behind`() async throws {
    let handler = WaitingHandler(ignoresCancellation: true)
    var limits = HTTPListenerLimits()
    limits.cancelTime = .milliseconds(50)
    try await inFlight(handler, limits: limits) { listener, client, _ in
      let report = await listener.drain(grace: .milliseconds(10))
      #expect(report == DrainReport(cancelled: 1, abandoned: 1))
      let rest = await onThread { client.receiveAll() }
      #expect(rest == [])
      // Its answer goes nowhere, without harm.
      handler.open()
      await handler.untilEnded(1)
    }
  }

  @Test func `a drain waits for the handler of a peer that has left`() async throws {
    let handler = WaitingHandler(ignoresCancellation: true)
    try await inFlight(handler) { listener, client, address in
      client.endOutput()
      await handler.untilCancelled(1)
      let idle = await connect(listener, address)
      async let report = listener.drain(grace: .seconds(120))
      await untilDraining(idle)
      handler.open()
      let abandoned = await report.abandoned
      #expect(abandoned == 0)
      let rest = await onThread { client.receiveAll() }
      #expect(rest == [])
    }
  }

  @Test func `a second drain shortens the grace`() async throws {
    let handler = WaitingHandler()
    try await inFlight(handler) { listener, client, _ in
      async let first = listener.drain(grace: .seconds(600))
      async let second = listener.drain(grace: .zero)
      _ = await onThread { client.receiveAll() }
      client.endOutput()
      let reports = await [first, second]
      #expect(reports == [DrainReport(cancelled: 1), DrainReport(cancelled: 1)])
    }
  }

  @Test func `cancelling run ends the listener`() async throws {
    let address = ownAddress()
    let handler = WaitingHandler()
    let listener = try HTTPListener(
      address: address, port: 0, limits: patientLimits, handler: handler, log: { _ in })
    let client = await connect(listener, address)
    client?.send(poll)
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await listener.run() }
      await handler.untilStarted(1)
      group.cancelAll()
      async let answer = onThread {
        let bytes = client?.receiveAll() ?? []
        client?.endOutput()
        return bytes
      }
      await group.waitForAll()
      let answers = Answer.parse(await answer).answers
      #expect(answers.map(\.status) == [503])
    }
    #expect(handler.cancelled == 1)
  }

  @Test func `a listener that is drained before it runs does not run`() async throws {
    let address = ownAddress()
    let listener = try HTTPListener(address: address, port: 0, handler: echo, log: { _ in })
    let report = await listener.drain(grace: .seconds(120))
    #expect(report == DrainReport())
    await listener.run()
    let late = await connect(listener, address)
    #expect(late == nil)
  }
}
