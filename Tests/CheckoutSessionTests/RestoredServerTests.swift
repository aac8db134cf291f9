import CheckoutLifecycle
import CheckoutSession
import PaymentModels
import TestSupport
import Testing

@Suite("A server that was restored from a copy")
struct RestoredServerTests {
  private let clock = ManualClock()

  @Test func `its lower versions are heard from the next event on`() async throws {
    let store = InMemoryDeviceStore()
    let backend = ScriptedBackend(clock, reads: [.payment(.created)])
    let world = SessionWorld(backend, clock: clock, store: store)
    try await world.run { session in
      let key = try await world.present()
      await session.send(
        .serverAnswered(scriptedAnswer(.pending, .pending, version: 900, payment: 1)), to: key)
      await backend.script(reads: [.payment(.captured, .paid)])
      await session.send(.closed, to: key)
      await world.until(advancing: .seconds(5)) {
        await session.state(of: key)?.phase != .confirming(pageIsUp: false)
      }
      await session.send(.foregrounded)
      await world.until(key, .settled(.succeeded), advancing: .seconds(1))
    }
  }
}
