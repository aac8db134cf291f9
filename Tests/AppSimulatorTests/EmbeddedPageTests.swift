import AppSimulator
import CheckoutLifecycle
import CheckoutSession
import PaymentModels
import StrictJSON
import TestSupport
import Testing

@Suite("A page inside the app, for the checkout's origin alone")
struct EmbeddedPageTests {
  private let clock = ManualClock()
  private let order = CheckoutRequest(
    provider: .futa, purchase: .items([CheckoutRequest.Item(productID: "mug", quantity: 1)]))

  private func world(reads: [ScriptedBackend.Answer]) -> AppWorld {
    AppWorld(
      clock: clock,
      backend: ScriptedBackend(clock, creates: [.payment(.created)], reads: reads),
      store: InMemoryDeviceStore())
  }

  private func trusted(_ origin: String = "https://checkout.example") throws -> CheckoutOrigin {
    try #require(CheckoutOrigin(origin, on: .iOS))
  }

  private func line(_ world: AppWorld, _ event: String) throws -> JSONValue? {
    try world.lines.last { $0["event"]?.text == event }
  }

  @Test(arguments: [nil, "https://checkout.example.evil.example", "https://checkout.example:8443"])
  func `a page that the app does not trust is not opened`(origin: String?) async throws {
    let world = world(reads: [])
    let origin = try origin.map { try trusted($0) }
    let exit = try await world.run(.buy(order, strategy: nil), trusting: origin) {
      try await world.until("show not_started")
      world.endInput()
      try await world.until("exit")
    }
    #expect(exit == .notPaid)
    #expect(try line(world, "open") == nil)
    let reason = try line(world, "open_failed")?["reason"]?.text
    #expect(reason == "the page is not at a trusted --checkout-origin")
  }

  @Test func `a strategy that is not the provider's is refused in words`() async throws {
    let world = world(reads: [])
    let exit = try await world.run(.buy(order, strategy: .safariView)) {
      try await world.until("exit")
    }
    #expect(exit == .notPaid)
    let reason = try #require(try line(world, "start_failed")?["reason"]?.text)
    #expect(reason.hasSuffix("without --strategy it takes the recommended one"))
  }

  @Test func `what the page says is heard, and leaving for the bank ends it once`() async throws {
    let world = world(reads: [.payment(.pending), .payment(.captured, .paid)])
    let exit = try await world.run(.buy(order, strategy: nil), trusting: try trusted()) {
      try await world.until("signal opened")
      world.say("page pay_1 created false https://checkout.example/A1")
      world.say("page pay_1 paid true https://evil.example/A1")
      world.say("navigate https://checkout.example/receipts/1")
      world.say("navigate javascript:alert(1)")
      world.say("navigate https://bank.example/login")
      world.say("navigate https://bank.example/again")
      try await world.until("exit", advancing: .seconds(1))
    }
    #expect(exit == .done)
    let heard = try world.lines.filter { $0["event"]?.text == "page_state" }
    #expect(heard.map { $0["taken"]?.boolean } == [true, false])
    let decisions = try world.lines.filter { $0["event"]?.text == "navigated" }
    #expect(decisions.map { $0["decision"]?.text } == ["outside", "block", "outside"])
    #expect(decisions.map { $0["ends"]?.text } == [nil, nil, "left"])
    let closed = try #require(try line(world, "page_closed"))
    #expect(closed["reason"]?.text == "left")
    #expect(closed["final"]?.boolean == false)
    #expect(try world.events.count { $0.hasPrefix("page_closed") } == 1)
    #expect(try world.events.contains("signal closed"))
  }

  // Futa: "never record it".
  @Test func `what a payer types is in no line`() async throws {
    let world = world(reads: [.payment(.pending), .payment(.captured, .paid)])
    _ = try await world.run(.buy(order, strategy: nil), trusting: try trusted()) {
      try await world.until("signal opened")
      world.say("page +243810000001 4111111111111111 false https://checkout.example/A1")
      world.say("page +243810000001 4111111111111111 4111111111111111 false https://x.example/")
      world.say("navigate https://checkout.example/A1?msisdn=%2B243810000001")
      world.say("navigate https://bank.example/4111111111111111?card=4111111111111111")
      try await world.until("exit", advancing: .seconds(1))
    }
    let heard = try #require(try line(world, "page_state"))
    #expect(heard["state"]?.text == "other")
    #expect(try line(world, "navigated")?["decision"]?.text == "outside")
    for line in try world.lines {
      let text = String(decoding: line.serialized(), as: UTF8.self)
      #expect(!text.contains("243810000001") && !text.contains("4111111111111111"))
    }
  }

  @Test func `a hosted page's return is intercepted, and the bank's app ends nothing`() async throws
  {
    let world = world(reads: [.payment(.captured, .paid)])
    let exit = try await world.run(.buy(AppWorld.mug, strategy: .webView)) {
      try await world.until("signal opened")
      world.say("navigate https://bank.example/login")
      world.say("navigate bankapp://approve?t=1")
      try await world.until("signal went_outside")
      world.say("navigate myapp://pay/success?payment_id=pay_A1")
      try await world.until("exit", advancing: .seconds(1))
    }
    #expect(exit == .done)
    let decisions = try world.lines.filter { $0["event"]?.text == "navigated" }
    #expect(decisions.map { $0["decision"]?.text } == ["load", "outside", "return"])
    #expect(decisions.map { $0["ends"]?.text } == [nil, nil, "returned"])
    #expect(try world.events.contains("signal returned_success"))
  }

  @Test(arguments: ["page a b", "page a b maybe https://x/", "navigate", "page"])
  func `a line that says nothing is told as such`(text: String) async throws {
    let world = world(reads: [])
    _ = try await world.run(.buy(order, strategy: nil), trusting: try trusted()) {
      try await world.until("signal opened")
      world.say(text)
      try await world.until("line_failed")
    }
    let word = text.split(separator: " ").first.map(String.init)
    #expect(try line(world, "line_failed")?["line"]?.text == word)
  }
}
