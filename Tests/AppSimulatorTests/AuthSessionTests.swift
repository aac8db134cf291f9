import AppSimulator
import CheckoutLifecycle
import CheckoutSession
import PaymentModels
import StrictJSON
import TestSupport
import Testing

@Suite("A page in a browser session of the system, and a link that starts the app")
struct AuthSessionTests {
  private let clock = ManualClock()
  private let store = InMemoryDeviceStore()

  private func world(reads: [ScriptedBackend.Answer]) -> AppWorld {
    AppWorld(clock: clock, backend: ScriptedBackend(clock, reads: reads), store: store)
  }

  private func ends(_ world: AppWorld) throws -> [Bool?] {
    try world.lines.filter { $0["event"]?.text == "session_ended" }
      .map { $0["called_back"]?.boolean }
  }

  @Test func `a callback ends the session with a return, once`() async throws {
    let world = world(reads: [.payment(.captured, .paid)])
    let exit = try await world.run(.buy(AppWorld.mug, strategy: .authSession)) {
      try await world.until("signal opened")
      world.say("callback myapp://pay/success?payment_id=pay_A1")
      world.say("callback myapp://pay/cancel?payment_id=pay_A1")
      try await world.until("exit")
    }
    #expect(exit == .done)
    #expect(try ends(world) == [true])
    let signals = try world.events.filter { $0.hasPrefix("signal") }
    #expect(signals == ["signal opened", "signal returned_success"])
  }

  @Test
  func `a session that is closed, or ends at another payment, is told as closed`()
    async throws
  {
    for line in ["close", "callback myapp://pay/success?payment_id=pay_B2"] {
      let world = world(reads: [.payment(.captured, .paid)])
      _ = try await world.run(.buy(AppWorld.mug, strategy: .authSession)) {
        try await world.until("signal opened")
        world.say(line)
        try await world.until("exit")
      }
      #expect(try ends(world) == [line == "close" ? false : true])
      #expect(try world.events.contains("signal closed"))
    }
  }

  @Test func `no session is up for a page that is shown otherwise`() async throws {
    let world = world(reads: [.payment(.created)])
    _ = try await world.run(.buy(AppWorld.mug, strategy: .systemBrowser)) {
      try await world.until("signal opened")
      world.say("callback myapp://pay/success?payment_id=pay_A1")
      world.say("sing")
      try await world.until("line_failed")
    }
    #expect(try ends(world).isEmpty)
  }

  @Test func `a link that starts the app is taken before the store is read`() async throws {
    let first = world(reads: [.payment(.created)])
    _ = try await first.run(.buy(AppWorld.mug, strategy: nil), killedAt: .pageOpen) {
      try await first.until("reached page_open")
    }
    let second = world(reads: [.payment(.captured, .paid)])
    let link = "myapp://pay/success?payment_id=pay_A1"
    let exit = try await second.run(.launch(link: link), seed: 2) {
      try await second.until("exit")
    }
    #expect(exit == .done)
    let events = try second.events
    let linked = try #require(events.firstIndex(of: "link"))
    let resumed = try #require(events.firstIndex(of: "resumed"))
    #expect(linked < resumed)
    #expect(events.contains("signal returned_success"))
  }
}
