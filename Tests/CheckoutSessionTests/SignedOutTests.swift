import CheckoutLifecycle
import CheckoutSession
import PaymentModels
import TestSupport
import Testing

@Suite("A user who signs out")
struct SignedOutTests {
  private let clock = ManualClock()

  /// How far the checkout had come, and what is scripted of it.
  enum Way: CaseIterable { case presented, confirming, failed, blocked }

  @Test(arguments: Way.allCases)
  func `no event of the app asks about the user's checkouts until the user is back`(
    way: Way
  ) async throws {
    let backend = ScriptedBackend(
      clock, reads: way == .failed ? [.payment(.expired)] : [.payment(.created), .hang])
    let world = SessionWorld(backend, clock: clock)
    try await world.run { session in
      let key = try await reach(way, world)
      await session.send(.signedOut)
      await world.until { await backend.inFlight == 0 && clock.sleeperCount == 0 }
      let (reads, signals) = (await backend.reads.count, await backend.signals)
      await session.send(.foregrounded)
      await session.send(.pushed)
      await session.send(.viewRecreated)
      #expect(try await session.open(link: "myapp://pay/success?payment_id=pay_A1"))
      await session.endPage(of: key, at: nil)
      for _ in 0..<200 { await Task.yield() }
      #expect(await backend.reads.count == reads)
      #expect(await backend.signals == signals)
      #expect(await backend.creates == [key])
      await backend.script(reads: [.payment(.captured, .paid)])
      _ = try await session.resume()
      await world.until(key, .settled(.succeeded))
    }
  }

  private func reach(_ way: Way, _ world: SessionWorld) async throws -> CheckoutKey {
    if way == .blocked { await world.pages.refuse(1) }
    let key = try await world.session.start(SessionWorld.mug, strategy: .webView)
    guard way != .blocked else {
      await world.until(key, .blocked(.page))
      return key
    }
    await world.until(key, .presented)
    await world.until { await world.backend.signals == [.opened] }
    guard way != .presented else { return key }
    await world.session.send(.closed, to: key)
    if way == .failed {
      await world.until(key, .settled(.failed(.expired)))
    } else {
      await world.until { await world.backend.inFlight == 1 }
    }
    await world.until { await world.backend.signals == [.opened, .closed] }
    return key
  }

  @Test func `a tap of whoever is back goes on with the same checkout`() async throws {
    let backend = ScriptedBackend(clock, creates: [.hang, .payment(.created)], reads: [.hang])
    let world = SessionWorld(backend, clock: clock)
    try await world.run { session in
      let key = try await session.start(SessionWorld.mug)
      await world.until { await backend.creates.count == 1 }
      await session.send(.signedOut)
      let again = try await world.present()
      #expect(again == key)
      #expect(await backend.made == [key])
    }
  }
}
