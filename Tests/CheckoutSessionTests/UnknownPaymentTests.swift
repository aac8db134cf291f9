import CheckoutLifecycle
import CheckoutSession
import KitEnvironment
import PaymentModels
import TestSupport
import Testing

/// Another user's, or one that a server made anew has never heard of.
@Suite("A payment that the server does not know")
struct UnknownPaymentTests {
  private let clock = ManualClock()
  private let store = InMemoryDeviceStore()

  /// A page was opened by a process that is gone.
  private func presented() async throws -> CheckoutKey {
    let backend = ScriptedBackend(clock, reads: [.payment(.created)])
    let world = SessionWorld(backend, clock: clock, store: store)
    var key: CheckoutKey?
    try await world.run { _ in key = try await world.present() }
    return try #require(key)
  }

  @Test func `it stays open, and the next tap makes another payment`() async throws {
    let old = try await presented()
    let backend = ScriptedBackend(clock, reads: [.failure(.notFound)])
    let world = SessionWorld(backend, clock: clock, store: store, seed: 2)
    try await world.run { session in
      try await session.resume()
      await world.until(advancing: .seconds(1)) { await backend.reads.count > 1 }
      #expect(await session.state(of: old)?.phase == .confirming(pageIsUp: false))
      let new = try await session.start(SessionWorld.mug)
      #expect(new != old)
      await world.until(new, .presented)
      #expect(await backend.made == [new])
      #expect(await session.openKeys == [old, new].sorted())
    }
    let kept = try await store.load(old)
    #expect(kept != nil)
  }

  @Test func `a payer who waits for its page is told at once, and may tap again`() async throws {
    let old = try await presented()
    let backend = ScriptedBackend(clock, reads: [.failure(.notFound)])
    let world = SessionWorld(backend, clock: clock, store: store, seed: 2)
    try await world.run { session in
      let again = try await session.start(SessionWorld.mug)
      #expect(again == old)
      await session.send(.started, to: old)
      await world.until(old, .unresolved(.stillConfirming))
      #expect(await backend.reads.count <= 2)
      let next = try await session.start(SessionWorld.mug)
      #expect(next != old)
    }
  }

  @Test func `an answer makes it the one that a tap goes on with again`() async throws {
    let old = try await presented()
    let backend = ScriptedBackend(clock, reads: [.failure(.notFound), .payment(.pending)])
    let world = SessionWorld(backend, clock: clock, store: store, seed: 2)
    try await world.run { session in
      try await session.resume()
      await world.until(advancing: .seconds(1)) { await backend.reads.count > 2 }
      let again = try await session.start(SessionWorld.mug)
      #expect(again == old)
    }
  }

  @Test(arguments: [(seconds: Int64(0), isKept: true), (1, false)])
  func `it is dropped once it is older than thirty days`(
    seconds: Int64, isKept: Bool
  ) async throws {
    let old = try await presented()
    let backend = ScriptedBackend(clock, reads: [.failure(.notFound)])
    let world = SessionWorld(backend, clock: clock, store: store, seed: 2)
    let created = try #require(try await store.load(old)?.createdAt)
    let limit = CheckoutPolicy().settledAgeMax + .seconds(seconds)
    clock.advance(by: limit - clock.clock.now().since(created))
    try await world.run { session in
      try await session.resume()
      await world.until { await backend.reads.count == 1 && clock.sleeperCount >= 2 || !isKept }
      await world.until { await session.openKeys.contains(old) == isKept }
      await world.until { ((try? await store.load(old)) != nil) == isKept }
    }
  }
}
