import CheckoutLifecycle
import CheckoutSession
import PaymentModels
import TestSupport
import Testing

@Suite("Two processes of one app")
struct TwoProcessesTests {
  private let clock = ManualClock()

  @Test func `a tap goes on with what another process has begun since`() async throws {
    let store = InMemoryDeviceStore()
    let backend = ScriptedBackend(clock, reads: [.payment(.created)])
    let app = SessionWorld(backend, clock: clock, store: store)
    let widget = SessionWorld(backend, clock: clock, store: store, seed: 2)
    try await app.session.resume()
    try await widget.run { _ in
      let key = try await widget.present()
      try await app.run { session in
        let again = try await session.start(SessionWorld.mug)
        #expect(again == key)
        for _ in 0..<2_000 { await Task.yield() }
      }
      #expect(await backend.made == [key])
    }
  }
}
