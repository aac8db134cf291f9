import CheckoutLifecycle
import CheckoutSession
import KitEnvironment
import PaymentModels
import TestSupport
import Testing

@Suite("FB-15 Polling: one failed read ends an authorised payment; another loop never ends")
struct PollingTests {
  private let clock = ManualClock()

  private func gaps(_ backend: ScriptedBackend) async -> [Duration] {
    let times = await backend.reads.map(\.at)
    return zip(times.dropFirst(), times).map { $0 - $1 }
  }

  @Test func `first script: failures of every kind on the way, and then paid`() async throws {
    let later = ScriptedBackend.Answer.failure(.retryLater(after: nil))
    // pending, socket reset, timeout, 503, 502 html, DNS failure, pending, paid
    let backend = ScriptedBackend(
      clock,
      reads: [
        .payment(.created), later, later, later, later, later, .payment(.created),
        .payment(.captured, .paid),
      ])
    let world = SessionWorld(backend, clock: clock)
    try await world.run { session in
      let key = try await world.present()
      await session.send(.closed, to: key)
      await world.until(key, .settled(.succeeded), advancing: .milliseconds(100))
      let shown = await world.displays(upTo: .outcome(.succeeded))
      #expect(shown == [.preparing, .confirming, .outcome(.succeeded)])
    }
    let reads = await backend.reads
    #expect(reads.count == 8)
    #expect(reads.map(\.wait) == [.zero] + Array(repeating: .seconds(25), count: 7))
    let gaps = await gaps(backend)
    #expect(gaps[0] == .zero)
    for (gap, base) in zip(gaps[1...], [1, 2, 4, 8, 16, 30]) {
      #expect(gap >= .milliseconds(base * 500) && gap <= .milliseconds(base * 1_000 + 100))
    }
  }

  @Test func `second script: pending for ever ends at the cap, still confirming`() async throws {
    let backend = ScriptedBackend(clock, reads: [.payment(.created)])
    let world = SessionWorld(backend, clock: clock)
    try await world.run { session in
      let key = try await world.present()
      clock.advance(by: .seconds(3_600))
      await session.send(.closed, to: key)
      let left = clock.clock.uptime()
      await world.until(key, .unresolved(.stillConfirming), advancing: .milliseconds(500))
      // Time counts from leaving the page, not from opening it.
      let lasted = clock.clock.uptime() - left
      #expect(lasted >= .seconds(300) && lasted < .seconds(302))
      let count = await backend.reads.count
      #expect(count > 10 && count < 40)
      let gaps = await gaps(backend)
      #expect(gaps.allSatisfy { $0 <= .milliseconds(30_500) })
      #expect(Set(gaps).count > 5)
      #expect(await backend.inFlightMax == 1)

      await session.send(.foregrounded)
      await world.until("another run reads at least once") {
        await backend.reads.count > count
      }
      await backend.script(reads: [.payment(.captured, .paid)])
      await world.until(key, .settled(.succeeded), advancing: .milliseconds(500))
    }
  }

  enum Waker: CaseIterable { case foreground, link, callback, push, relaunch }

  @Test(arguments: Waker.allCases)
  func `the cap ends one run only: what comes later starts another`(waker: Waker) async throws {
    let backend = ScriptedBackend(clock, reads: [.payment(.created)])
    let store = InMemoryDeviceStore()
    let first = SessionWorld(backend, clock: clock, store: store)
    var started: CheckoutKey?
    try await first.run { session in
      let key = try await first.present()
      started = key
      await session.send(.closed, to: key)
      await first.until(key, .unresolved(.stillConfirming), advancing: .seconds(5))
      await first.until { clock.sleeperCount == 0 }
    }
    let key = try #require(started)
    let count = await backend.reads.count
    await backend.script(reads: [.failure(.retryLater(after: nil)), .payment(.captured, .paid)])
    let next =
      waker == .relaunch ? SessionWorld(backend, clock: clock, store: store, seed: 2) : first
    try await next.run { session in
      switch waker {
      case .foreground: await session.send(.foregrounded)
      case .link: _ = try await session.open(link: "myapp://pay/success")
      case .callback: await session.endPage(of: key, at: "myapp://pay/success")
      case .push: await session.send(.pushed)
      case .relaunch: try await session.resume()
      }
      await next.until(key, .settled(.succeeded), advancing: .milliseconds(100))
      #expect(await backend.reads.count == count + 2)
      #expect(await backend.creates == [key])
      #expect(await backend.inFlightMax == 1)
    }
  }

  @Test func `an open page is not watched, and no time that passes closes it`() async throws {
    let backend = ScriptedBackend(clock, reads: [.payment(.created)])
    let world = SessionWorld(backend, clock: clock)
    try await world.run { session in
      let key = try await world.present(.webView)
      await session.send(.foregrounded)
      await world.until { await backend.reads.count == 1 }
      clock.advance(by: .seconds(1_000_000))
      for _ in 0..<200 { await Task.yield() }
      #expect(await session.state(of: key)?.phase == .presented)
      #expect(await backend.reads.count == 1)
      #expect(await world.pages.log == ["open https://checkout.example/A1"])
    }
  }

  @Test func `who taps pay again gets the same page again, although nothing has changed`()
    async throws
  {
    let backend = ScriptedBackend(clock, reads: [.payment(.pending), .hang, .payment(.pending)])
    let world = SessionWorld(backend, clock: clock)
    try await world.run { session in
      let key = try await world.present()
      await session.send(.returned(CheckoutReturn(kind: .cancel)), to: key)
      await world.until("a long poll is under way") { await backend.reads.count == 2 }
      #expect(try await session.start(SessionWorld.mug) == key)
      await world.until(key, .presented)
    }
    let url = "https://checkout.example/A1"
    #expect(await world.pages.log == ["open \(url)", "close", "open \(url)"])
    let last = await backend.reads.last
    #expect(last?.wait == .zero)
    #expect(last?.knownVersion == nil)
    #expect(await backend.inFlightMax == 1)
  }

  @Test func `a payment that is over is followed by another one, under a new key`() async throws {
    let backend = ScriptedBackend(clock, reads: [.payment(.pending), .payment(.expired)])
    let world = SessionWorld(backend, clock: clock)
    try await world.run { session in
      let key = try await world.present()
      await session.send(.returned(CheckoutReturn(kind: .cancel)), to: key)
      await world.until(key, .settled(.failed(.expired)), advancing: .milliseconds(100))
      let next = try await world.present()
      #expect(next != key)
      #expect(await backend.creates == [key, next])
    }
    let page = "https://checkout.example/A"
    #expect(await world.pages.log == ["open \(page)1", "close", "open \(page)2"])
  }

  @Test func `third script: the next read is not before the time that the server named`()
    async throws
  {
    let backend = ScriptedBackend(
      clock, reads: [.failure(.retryLater(after: .seconds(7))), .payment(.captured, .paid)])
    let world = SessionWorld(backend, clock: clock)
    try await world.run { session in
      let key = try await world.present()
      await session.send(.closed, to: key)
      await world.until { clock.sleeperCount == 2 }
      for _ in 0..<20 { await session.send(.foregrounded) }
      clock.advance(by: .milliseconds(6_999))
      for _ in 0..<200 { await Task.yield() }
      #expect(await backend.reads.count == 1)
      await world.until(key, .settled(.succeeded), advancing: .milliseconds(1))
    }
    #expect(await gaps(backend) == [.seconds(7)])
  }

  @Test func `twenty foregrounds are one loop with one request in flight`() async throws {
    let backend = ScriptedBackend(clock, reads: [.payment(.created), .hang])
    let world = SessionWorld(backend, clock: clock)
    try await world.run { session in
      let key = try await world.present()
      await session.send(.closed, to: key)
      for _ in 0..<20 { await session.send(.foregrounded) }
      await world.until { await backend.signals.count == 22 }
      // They may all have come before the first read was under way, and be content with that one.
      await world.until(advancing: .seconds(1)) { await backend.reads.count == 2 }
      for _ in 0..<200 { await Task.yield() }
      #expect(await backend.reads.count == 2)
      #expect(await backend.inFlightMax == 1)
      // Leaving the screen stops it, the request in flight included.
      await session.send(.viewLeft)
      await world.until { await backend.inFlight == 0 }
      await world.until { clock.sleeperCount == 0 }
      #expect(await session.state(of: key)?.phase == .unresolved(.stillConfirming))
    }
  }

  @Test func `a server that holds its answers is asked again at once`() async throws {
    let backend = ScriptedBackend(clock, reads: [.payment(.created), .hang])
    let world = SessionWorld(backend, clock: clock)
    try await world.run { session in
      let key = try await world.present()
      await session.send(.closed, to: key)
      await world.until { await backend.reads.count == 2 }
      #expect(await backend.reads.map(\.knownVersion) == [nil, 3])
      await world.until { clock.sleeperCount == 2 }
      clock.advance(by: .seconds(300))
      await world.until(key, .unresolved(.stillConfirming))
    }
    #expect(await backend.inFlight == 0)
  }

  @Test func `the end of the session ends every request, and a later run goes on`() async throws {
    let backend = ScriptedBackend(clock, reads: [.hang])
    let world = SessionWorld(backend, clock: clock)
    var key: CheckoutKey?
    try await world.run { session in
      let started = try await world.present()
      key = started
      await session.send(.closed, to: started)
      await world.until { await backend.inFlight == 1 }
    }
    #expect(await backend.inFlight == 0)
    #expect(clock.sleeperCount == 0)
    await backend.script(reads: [.payment(.captured, .paid)])
    try await world.run { _ in
      await world.until(try #require(key), .settled(.succeeded))
    }
  }

  @Test func `a screen that is built anew between two runs loses no create`() async throws {
    let backend = ScriptedBackend(
      clock, creates: [.hang, .payment(.created)], reads: [.payment(.created)])
    let world = SessionWorld(backend, clock: clock)
    var started: CheckoutKey?
    try await world.run { session in
      started = try await session.start(SessionWorld.mug)
      await world.until { await backend.creates.count == 1 }
    }
    let key = try #require(started)
    await world.session.send(.viewRecreated, to: key)
    try await world.run { _ in await world.until(key, .presented) }
    #expect(await backend.creates == [key, key])
  }

  @Test func `a signal that waits at the end of a run is told by the next`() async throws {
    let backend = ScriptedBackend(clock, reads: [.hang])
    let world = SessionWorld(backend, clock: clock)
    try await world.run { session in
      let key = try await world.present()
      await world.until { await backend.signals == [.opened] }
      await backend.hold(signals: true)
      await session.send(.foregrounded)
      await session.send(.closed, to: key)
      await world.until { await backend.signals == [.opened, .foregrounded] }
      // What is shown is shown after the signal was put in its row.
      #expect(await world.displays(upTo: .confirming) == [.preparing, .confirming])
    }
    await backend.hold(signals: false)
    try await world.run { _ in
      await world.until { await backend.signals == [.opened, .foregrounded, .closed] }
    }
  }

  @Test func `a server that neither holds nor says anything new is not asked in a hot loop`()
    async throws
  {
    let backend = ScriptedBackend(clock, reads: [.unchanged])
    let world = SessionWorld(backend, clock: clock)
    try await world.run { session in
      let key = try await world.present()
      await session.send(.closed, to: key)
      await world.until(key, .unresolved(.stillConfirming), advancing: .milliseconds(500))
    }
    let gaps = await gaps(backend)
    #expect(gaps.count < 40)
    for gap in gaps { #expect(gap >= .milliseconds(500)) }
  }
}
