import CheckoutLifecycle
import CheckoutSession
import PaymentModels
import TestSupport
import Testing

@Suite("A page that was to open long ago")
struct OldCheckoutTests {
  private let clock = ManualClock()

  @Test(
    arguments: [
      (PaymentStatus.captured, OrderState.paid, [CheckoutDisplay.outcome(.succeeded)]),
      (.expired, .pending, []), (.cancelled, .pending, []), (.created, .pending, []),
    ])
  func `of a page that nobody saw, only money is told`(
    status: PaymentStatus, order: OrderState, told: [CheckoutDisplay]
  ) async throws {
    let store = InMemoryDeviceStore()
    let record = sampleCheckoutRecords()[1]
    await store.save(record)
    clock.setWall(record.createdAt + .seconds(86_401))
    let backend = ScriptedBackend(clock, reads: [.payment(status, order)])
    _ = try await backend.createCheckout(record.request, key: record.key)
    let world = SessionWorld(backend, clock: clock, store: store)
    try await world.run { session in
      try await session.resume()
      await world.until { await !backend.reads.isEmpty }
      if status != .created {
        await world.until { (try? await store.load(record.key)?.outcome) != nil }
      }
      // What is told of a second checkout is told after all that there is of the first.
      var other = SessionWorld.mug
      other.purchase = .items([CheckoutRequest.Item(productID: "cap", quantity: 1)])
      let key = try await session.start(other)
      var seen: [CheckoutDisplay] = []
      for await update in session.updates {
        if update.key == key { break }
        seen.append(update.display)
      }
      #expect(seen == told)
    }
  }

  @Test(arguments: [(86_400, true), (86_401, false)])
  func `a launch opens the page of a checkout of the last day alone, a tap that of any`(
    age: Int, opens: Bool
  ) async throws {
    let store = InMemoryDeviceStore()
    let record = sampleCheckoutRecords()[1]
    #expect(record.stage == .created)
    await store.save(record)
    clock.setWall(record.createdAt + .seconds(age))
    let backend = ScriptedBackend(clock, reads: [.payment(.created)])
    _ = try await backend.createCheckout(record.request, key: record.key)
    let world = SessionWorld(backend, clock: clock, store: store)
    try await world.run { session in
      try await session.resume()
      await world.until { await !backend.reads.isEmpty && clock.sleeperCount > 0 || opens }
      if opens { return await world.until(record.key, .presented) }
      #expect(await session.state(of: record.key)?.phase == .confirming(pageIsUp: false))
      #expect(await world.pages.log.isEmpty)
      let again = try await session.start(record.request)
      #expect(again == record.key)
      await world.until(record.key, .presented, advancing: .seconds(1))
    }
  }

  @Test func `a launch opens the page of an old checkout that the payer has tapped again`()
    async throws
  {
    let store = InMemoryDeviceStore()
    let old = sampleCheckoutRecords()[1]
    await store.save(old)
    clock.setWall(old.createdAt + .seconds(100_000))
    let backend = ScriptedBackend(clock, reads: [.payment(.created)])
    _ = try await backend.createCheckout(old.request, key: old.key)
    let world = SessionWorld(backend, clock: clock, store: store)
    try await world.run { session in
      try await session.resume()
      #expect(try await session.start(old.request) == old.key)
      await world.until(old.key, .presented, advancing: .seconds(1))
    }
    // As if it had died between the answer and the page.
    var record = try #require(try await store.load(old.key))
    record.stage = .created
    await store.save(record)
    let next = SessionWorld(backend, clock: clock, store: store)
    try await next.run { session in
      try await session.resume()
      await next.until(old.key, .presented, advancing: .seconds(1))
    }
  }
}
