import CheckoutLifecycle
import CheckoutSession
import PaymentModels
import TestSupport
import Testing

@Suite("Signed out, or away from the screen, while a payment is made")
struct AbandonedCreateTests {
  private let clock = ManualClock()

  @Test func `a create is not sent again once the user is signed out`() async throws {
    let backend = ScriptedBackend(
      clock, creates: [.failure(.retryLater(after: nil))], reads: [.payment(.created)])
    let world = SessionWorld(backend, clock: clock)
    try await world.run { session in
      let key = try await session.start(SessionWorld.mug)
      await world.until { await backend.creates.count == 1 && clock.sleeperCount == 1 }
      await session.send(.signedOut)
      await world.until(key, .blocked(.signInNeeded))
      for _ in 0..<20 {
        clock.advance(by: .seconds(15))
        for _ in 0..<200 { await Task.yield() }
      }
      #expect(await backend.creates.count == 1)
    }
  }

  @Test func `whoever has left the screen sees no page, and the next tap goes on`() async throws {
    let backend = ScriptedBackend(
      clock, creates: [.failure(.retryLater(after: nil)), .payment(.created)],
      reads: [.payment(.created)])
    let world = SessionWorld(backend, clock: clock)
    try await world.run { session in
      let key = try await session.start(SessionWorld.mug)
      await world.until { await backend.creates.count == 1 && clock.sleeperCount == 1 }
      await session.send(.viewLeft, to: key)
      for _ in 0..<20 {
        clock.advance(by: .seconds(15))
        for _ in 0..<200 { await Task.yield() }
      }
      #expect(await world.pages.log.isEmpty)
      let again = try await session.start(SessionWorld.mug)
      #expect(again == key)
      await world.until(key, .presented, advancing: .seconds(1))
      #expect(await backend.made == [key])
    }
  }
}
