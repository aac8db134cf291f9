import CheckoutLifecycle
import CheckoutSession
import KitEnvironment
import PaymentModels
import TestSupport
import Testing

@Suite("A run that ends in the middle of something")
struct InterruptedRunTests {
  private let clock = ManualClock()

  @Test func `a page that waits for an answer goes in time, also in the next run`() async throws {
    let backend = ScriptedBackend(clock, reads: [.failure(.retryLater(after: nil))])
    let world = SessionWorld(backend, clock: clock)
    var returned: CheckoutKey?
    try await world.run { session in
      let key = try await world.present(.webView)
      returned = key
      #expect(try await session.open(link: "myapp://pay/success"))
      await world.until(key, .confirming(pageIsUp: true))
      await world.until { await !backend.reads.isEmpty }
    }
    let key = try #require(returned)
    #expect(await world.pages.log == ["open https://checkout.example/A1"])
    let begun = clock.clock.uptime()
    try await world.run { _ in
      await world.until(key, .confirming(pageIsUp: false), advancing: .milliseconds(500))
      #expect(clock.clock.uptime() - begun <= .seconds(6))
      #expect(await world.pages.log.last == "close")
    }
  }
}
