import AppSimulator
import CheckoutLifecycle
import CheckoutSession
import PaymentModels
import StrictJSON
import TestSupport
import Testing

@Suite("AppProcess")
struct AppProcessTests {
  private let clock = ManualClock()
  private let store = InMemoryDeviceStore()

  private func world(
    creates: [ScriptedBackend.Answer] = [.payment(.created)], reads: [ScriptedBackend.Answer]
  ) -> AppWorld {
    AppWorld(
      clock: clock, backend: ScriptedBackend(clock, creates: creates, reads: reads), store: store)
  }

  private let opened = "open https://checkout.example/A1"

  @Test func `a checkout from tap to paid, line by line`() async throws {
    let world = world(reads: [.payment(.created), .payment(.authorized, .authorized)])
    let exit = try await world.run(.buy(AppWorld.mug, strategy: nil)) {
      try await world.until("signal opened")
      world.say("link myapp://pay/success?payment_id=pay_A1")
      try await world.until("exit")
    }
    #expect(exit == .done)
    let events = try world.events
    // What the payer sees and what the payer does are told beside the work, not in step with it.
    let milestones = [
      "stored intent", "created created", "stored created", "reached id_stored_page_not_open",
      opened, "stored opened", "reached page_open", "read created", "read authorized",
      "stored settled", "show outcome succeeded", "exit",
    ]
    #expect(events.filter(milestones.contains) == milestones)
    #expect(
      events.filter { $0.hasPrefix("show") } == [
        "show preparing", "show confirming", "show outcome succeeded",
      ])
    #expect(events.contains("link"))
    let outcome = try #require(try world.lines.first { $0["outcome"] != nil })
    #expect(outcome["cart_kept"]?.boolean == false)
    #expect(outcome["proven"]?.boolean == true)
    #expect(outcome["payment_id"]?.text == "0199cccc-0000-7000-8000-000000000001")
  }

  @Test(arguments: CrashPoint.allCases)
  func `killed at any point, the next process brings it to its end`(
    point: CrashPoint
  ) async throws {
    let first = world(reads: [.payment(.created)])
    let killed = try await first.run(.buy(AppWorld.mug, strategy: nil), killedAt: point) {
      try await first.until("reached \(point.rawValue)")
    }
    #expect(killed == nil)
    let pageWasUp = try first.events.contains(opened)
    #expect(pageWasUp == (point == .pageOpen))

    let second = world(reads: [.payment(.created)])
    let exit = try await second.run(.resume, seed: 2) {
      if point == .pageOpen {
        try await second.until("show confirming")
      } else {
        try await second.until("signal opened")
        second.say("close")
      }
      await second.backend.script(reads: [.payment(.captured, .paid)])
      try await second.until("exit", advancing: .milliseconds(100))
    }
    #expect(exit == .done)
    #expect(try second.events.contains(opened) == !pageWasUp)
    let keys = await first.backend.creates + second.backend.creates
    #expect(Set(keys).count == 1)
    let records = try await store.all()
    #expect(records.map(\.outcome) == [.succeeded])
    #expect(records.map(\.key) == [keys[0]])
  }

  @Test func `two taps are one create`() async throws {
    let world = world(reads: [.payment(.created)])
    _ = try await world.run(.buy(AppWorld.mug, strategy: nil)) {
      world.say("tap")
      try await world.until("signal opened")
      world.say("tap")
      world.say("quit")
      try await world.until("exit")
    }
    #expect(await world.backend.creates.count == 1)
    #expect(try world.events.filter { $0 == opened }.count == 1)
  }

  @Test(
    arguments: [
      (ScriptedBackend.Answer.payment(.rejected), AppExit.notPaid),
      (.payment(.expired), .notPaid), (.payment(.cancelled), .notPaid),
      (.payment(.captured, .paid), .done), (.payment(.created), .unresolved),
      (.payment(.captured, .needsReview), .unresolved),
      (.failure(.retryLater(after: nil)), .unresolved),
    ])
  func `the exit code says how it ended`(
    answer: ScriptedBackend.Answer, code: AppExit
  ) async throws {
    let world = world(reads: [answer])
    let exit = try await world.run(.buy(AppWorld.mug, strategy: nil)) {
      try await world.until("signal opened")
      world.say("close")
      world.endInput()
      try await world.until("exit", advancing: .seconds(5))
    }
    #expect(exit == code)
  }

  @Test func `a refused create ends it once nobody can say more`() async throws {
    let world = world(creates: [.failure(.giveUp)], reads: [.unchanged])
    let exit = try await world.run(.buy(AppWorld.mug, strategy: nil)) {
      try await world.until("show not_started")
      world.endInput()
      try await world.until("exit")
    }
    #expect(exit == .notPaid)
    #expect(try world.events.contains("create_failed"))
  }

  @Test func `with nothing open there is nothing to do, unless it is told to stay`() async throws {
    let idle = world(reads: [.unchanged])
    let exit = try await idle.run(.resume) { try await idle.until("exit") }
    #expect(exit == .done)
    let staying = world(reads: [.unchanged])
    let killed = try await staying.run(.resume, stays: true) {
      try await staying.until("resumed")
      staying.say("foreground")
      staying.say("sing")
      staying.say("link")
      try await staying.until("line_failed")
    }
    #expect(killed == nil)
  }

  @Test func `a store that cannot be read starts nothing`() async throws {
    struct UnreadableStore: DeviceStore {
      struct Unreadable: Error {}
      func save(_ record: CheckoutRecord) async throws { throw Unreadable() }
      func load(_ key: CheckoutKey) async throws -> CheckoutRecord? { throw Unreadable() }
      func all() async throws -> [CheckoutRecord] { throw Unreadable() }
      func remove(_ key: CheckoutKey) async throws { throw Unreadable() }
    }
    let backend = ScriptedBackend(clock, reads: [.unchanged])
    let world = AppWorld(clock: clock, backend: backend, store: UnreadableStore())
    let exit = try await world.run(.buy(AppWorld.mug, strategy: nil)) {
      try await world.until("exit")
    }
    #expect(exit == .storeUnavailable)
    #expect(await backend.creates.isEmpty)
  }
}
