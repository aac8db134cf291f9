import CheckoutLifecycle
import CheckoutSession
import PaymentModels
import TestSupport
import Testing

@Suite("What a device tells the server is bounded, and no read is lost by it")
struct SignalLimitTests {
  private let clock = ManualClock()

  /// Runs `body` with a checkout whose page is up, and nothing under way.
  private func withPage(
    _ strategy: PresentationStrategy,
    _ body: (SessionWorld, CheckoutKey) async throws -> Void
  ) async throws {
    let backend = ScriptedBackend(clock, reads: [.payment(.created)])
    let world = SessionWorld(backend, clock: clock)
    try await world.run { session in
      let key = try await session.start(SessionWorld.mug, strategy: strategy)
      await world.until(key, .presented)
      await world.until { await backend.signals == [.opened] }
      try await body(world, key)
    }
  }

  private func settle(_ world: SessionWorld) async {
    await world.until { await world.backend.inFlight == 0 && clock.sleeperCount == 0 }
    for _ in 0..<200 { await Task.yield() }
  }

  // A hand-over to another app is told; by itself it asks for no read on the device.
  @Test func `a page that sends the payer away for ever is told of twenty times, then read`()
    async throws
  {
    let max = CheckoutPolicy().signalRepeatsMax
    #expect(max == 20)
    try await withPage(.webView) { world, key in
      for count in 1...max {
        await world.session.send(.wentOutside, to: key)
        await world.until { await world.backend.signals.count == count + 1 }
      }
      await settle(world)
      #expect(await world.backend.reads.isEmpty)
      await world.session.send(.wentOutside, to: key)
      await world.until("the server is asked instead") { await world.backend.reads.count == 1 }
      await settle(world)
      #expect(await world.backend.signals.count == max + 1)
      #expect(await world.session.state(of: key)?.phase == .presented)
    }
  }

  @Test func `every kind has its own count, and what comes after it is read`() async throws {
    var policy = CheckoutPolicy()
    policy.signalRepeatsMax = 2
    let backend = ScriptedBackend(clock, reads: [.payment(.created)])
    let world = SessionWorld(backend, clock: clock, policy: policy)
    try await world.run { session in
      let key = try await session.start(SessionWorld.mug, strategy: .webView)
      await world.until(key, .presented)
      await world.until { await backend.signals == [.opened] }
      for event in [CheckoutEvent.wentOutside, .foregrounded, .relaunched] {
        for count in 1...3 {
          let reads = await backend.reads.count
          let signals = await backend.signals.count
          await session.send(event, to: key)
          await world.until("\(event) \(count)") {
            let isTold = await backend.signals.count == signals + 1
            let isRead = await backend.reads.count == reads + 1
            return (isTold || count == 3) && (isRead || event == .wentOutside && count < 3)
          }
          await settle(world)
          #expect(await backend.signals.count == signals + (count == 3 ? 0 : 1))
        }
      }
      #expect(await session.state(of: key)?.phase == .presented)
    }
  }

  @Test func `another checkout is told of as before`() async throws {
    var policy = CheckoutPolicy()
    policy.signalRepeatsMax = 1
    let backend = ScriptedBackend(clock, reads: [.payment(.created)])
    let world = SessionWorld(backend, clock: clock, policy: policy)
    var cap = SessionWorld.mug
    cap.purchase = .items([CheckoutRequest.Item(productID: "cap", quantity: 1)])
    try await world.run { session in
      var told: [CheckoutSignal] = []
      for request in [SessionWorld.mug, cap] {
        let key = try await session.start(request, strategy: .webView)
        await world.until(key, .presented)
        await session.send(.wentOutside, to: key)
        told += [.opened, .wentOutside]
        await world.until { await backend.signals == told }
      }
    }
  }

  @Test func `while nothing is performed the signals that wait are bounded, and all is read`()
    async throws
  {
    let backend = ScriptedBackend(clock, reads: [.payment(.created)])
    var policy = CheckoutPolicy()
    policy.signalRepeatsMax = 1_000
    let world = SessionWorld(backend, clock: clock, policy: policy)
    var found: CheckoutKey?
    try await world.run { session in
      found = try await world.present(.webView)
      await world.until { await backend.signals == [.opened] }
    }
    let key = try #require(found)
    // The first is a signal and a read; each later one a signal, as the read waits already.
    for _ in 0..<65 { await world.session.send(.foregrounded) }
    await world.session.send(.closed, to: key)
    try await world.run { session in
      await world.until { await backend.signals.count == 64 }
      await world.until { await backend.reads.count == 2 }
      for _ in 0..<200 { await Task.yield() }
      let phase = await session.state(of: key)?.phase
      #expect(phase == .confirming(pageIsUp: false))
    }
    #expect(await backend.signals == [.opened] + Array(repeating: .foregrounded, count: 63))
    let shown = await world.displays(upTo: .confirming)
    #expect(shown == [.preparing, .confirming])
  }
}
