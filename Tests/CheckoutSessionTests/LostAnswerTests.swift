import CheckoutLifecycle
import CheckoutSession
import KitEnvironment
import PaymentModels
import TestSupport
import Testing

@Suite("FB-13 Payment was created but the answer was lost; double tap")
struct LostAnswerTests {
  private let clock = ManualClock()

  // The device cannot tell a closed socket (a), an answer after the timeout (b) and a cut body (c)
  // apart: each is "no answer".
  @Test(arguments: ["a: socket closed", "b: answer too late", "c: body cut"])
  func `a create without an answer is repeated under its key`(how: String) async throws {
    let backend = ScriptedBackend(
      clock, creates: [.failure(.retryLater(after: nil)), .payment(.created)],
      reads: [.payment(.created)])
    let world = SessionWorld(backend, clock: clock)
    try await world.run { _ in
      let key = try await world.session.start(SessionWorld.mug)
      await world.until(advancing: .milliseconds(100), sleepers: 1) {
        await world.session.state(of: key)?.phase == .presented
      }
      #expect(await backend.creates == [key, key])
      #expect(await backend.requests == [SessionWorld.mug, SessionWorld.mug])
      #expect(await backend.made.count == 1)
      #expect(await world.displays(upTo: .confirming) == [.preparing, .confirming])
      #expect(await world.pages.log == ["open https://checkout.example/A1"])
    }
  }

  @Test func `d: two taps are one create, one key and one page`() async throws {
    let backend = ScriptedBackend(clock, reads: [.payment(.created)])
    let world = SessionWorld(backend, clock: clock)
    try await world.run { session in
      async let first = session.start(SessionWorld.mug)
      async let second = session.start(SessionWorld.mug)
      let keys = try await [first, second]
      #expect(keys[0] == keys[1])
      await world.until(keys[0], .presented)
      #expect(try await session.start(SessionWorld.mug) == keys[0])
      #expect(await backend.creates == [keys[0]])
      #expect(await world.pages.log == ["open https://checkout.example/A1"])
    }
  }

  @Test func `e: killed before the answer was kept, the new process uses the same key`()
    async throws
  {
    let store = InMemoryDeviceStore()
    let before = ScriptedBackend(clock, creates: [.hang], reads: [.payment(.created)])
    let first = SessionWorld(before, clock: clock, store: store)
    var key: CheckoutKey?
    try await first.run { session in
      key = try await session.start(SessionWorld.mug)
      await first.until { await before.creates.count == 1 }
    }
    #expect(try await store.all().map(\.stage) == [.intent])
    let after = ScriptedBackend(clock, reads: [.payment(.created)])
    let second = SessionWorld(after, clock: clock, store: store, seed: 2)
    try await second.run { session in
      let resumed = try await session.resume()
      #expect(resumed == [try #require(key)])
      await second.until(resumed[0], .presented)
      #expect(try await session.start(SessionWorld.mug) == key)
      #expect(await after.creates == resumed)
    }
  }

  @Test func `the key is kept before the create is sent`() async throws {
    let backend = ScriptedBackend(clock, reads: [.payment(.created)])
    let world = SessionWorld(backend, clock: clock, failsFrom: 1)
    try await world.run { session in
      let key = try await session.start(SessionWorld.mug)
      await world.until(key, .blocked(.storage))
      #expect(await backend.creates.isEmpty)
    }
  }

  @Test func `a server that cannot be reached blocks nothing for good`() async throws {
    let backend = ScriptedBackend(
      clock, creates: [.failure(.retryLater(after: nil))], reads: [.payment(.created)])
    let world = SessionWorld(backend, clock: clock)
    try await world.run { session in
      let key = try await session.start(SessionWorld.mug)
      await world.until(advancing: .seconds(1), sleepers: 1) {
        await session.state(of: key)?.phase == .blocked(.unreachable)
      }
      #expect(clock.clock.uptime() <= .seconds(120))
      #expect(try await session.start(SessionWorld.mug) == key)
      #expect(Set(await backend.creates) == [key])
    }
  }

  @Test func `an order that is paid on another device is neither failed nor over here`()
    async throws
  {
    let backend = ScriptedBackend(
      clock, creates: [.failure(.beingPaid), .payment(.created)], reads: [.payment(.created)])
    let world = SessionWorld(backend, clock: clock)
    try await world.run { session in
      let key = try await session.start(SessionWorld.mug)
      await world.until(key, .blocked(.beingPaidElsewhere))
      #expect(
        await world.displays(upTo: .notStarted(.beingPaidElsewhere)) == [
          .preparing, .notStarted(.beingPaidElsewhere),
        ])
      #expect(try await world.store.all().map(\.stage) == [.intent])
      // Once that is over, the same checkout goes on under its key.
      #expect(try await session.start(SessionWorld.mug) == key)
      await world.until(key, .presented)
      #expect(await backend.creates == [key, key])
    }
  }

  @Test func `a token that runs out loses no checkout, before its page and behind it`() async throws
  {
    let backend = ScriptedBackend(
      clock, creates: [.failure(.signInNeeded), .payment(.created)],
      reads: [.failure(.signInNeeded), .failure(.signInNeeded), .payment(.captured)])
    let world = SessionWorld(backend, clock: clock)
    try await world.run { session in
      let key = try await session.start(SessionWorld.mug)
      await world.until(key, .blocked(.signInNeeded))
      #expect(try await world.store.all().map(\.stage) == [.intent])
      // Signed in again: the same checkout, under its key.
      #expect(try await session.start(SessionWorld.mug) == key)
      await world.until(key, .presented)
      #expect(await backend.creates == [key, key])
      // It runs out again while the payer is away; the next token brings the outcome.
      await session.send(.closed, to: key)
      await world.until(advancing: .seconds(1), sleepers: 1) {
        await session.state(of: key)?.phase == .settled(.succeeded)
      }
    }
  }

  @Test func `a refused request is over, and the next tap is a new checkout`() async throws {
    let backend = ScriptedBackend(
      clock, creates: [.failure(.giveUp), .payment(.created)], reads: [.payment(.created)])
    let world = SessionWorld(backend, clock: clock)
    try await world.run { session in
      let refused = try await session.start(SessionWorld.mug)
      await world.until(refused, .blocked(.refused))
      await world.until { (try? await world.store.all().isEmpty) == true }
      let next = try await session.start(SessionWorld.mug)
      #expect(next != refused)
      await world.until(next, .presented)
    }
  }
}
