import CheckoutLifecycle
import CheckoutSession
import KitEnvironment
import PaymentModels
import TestSupport
import Testing

@Suite("FB-20 Going to the bank app, being killed, or the sheet closing is read as user cancelled")
struct ProcessDeathTests {
  private let clock = ManualClock()
  private let store = InMemoryDeviceStore()

  private func world(
    reads: [ScriptedBackend.Answer], seed: UInt64 = 1, failsFrom: Int? = nil
  ) -> SessionWorld {
    SessionWorld(
      ScriptedBackend(clock, reads: reads), clock: clock, store: store, failsFrom: failsFrom,
      seed: seed)
  }

  @Test func `a: killed in the bank app, a cold start without a link shows it paid`() async throws {
    let before = world(reads: [.payment(.created)])
    try await before.run { session in
      _ = try await before.present()
      await session.send(.backgrounded)
    }
    let after = world(reads: [.payment(.authorized, .authorized)], seed: 2)
    try await after.run { session in
      let keys = try await session.resume()
      await after.until(keys[0], .settled(.succeeded))
      #expect(
        await after.displays(upTo: .outcome(.succeeded)) == [.confirming, .outcome(.succeeded)])
      #expect(await after.backend.creates.isEmpty)
      #expect(await after.pages.log.isEmpty)
      await after.until { (try? await store.load(keys[0])?.outcome) == .succeeded }
    }
  }

  // Found by simulated worlds: killed after the outcome was stored and before it was shown, and the
  // same days after the checkout was started.
  @Test(arguments: [(86_400, true), (86_401, false)])
  func `an outcome of the last day is shown again by the next process`(
    _ age: Int, _ isTold: Bool
  ) async throws {
    let before = world(reads: [.payment(.rejected)])
    try await before.run { session in
      let key = try await before.present()
      clock.setWall(clock.now + .seconds(3 * 86_400))
      await session.send(.closed, to: key)
      await before.until { (try? await store.load(key)?.outcome) != nil }
    }
    let settled = try #require(try await store.all().first?.settledAt)
    clock.setWall(settled + .seconds(age))
    let after = world(reads: [], seed: 2)
    try await after.run { session in
      #expect(try await session.resume() == [])
      let key = try #require(try await store.all().first).key
      let phase = await session.state(of: key)?.phase
      #expect(phase == (isTold ? .settled(.failed(.rejected)) : .new))
      if isTold {
        let told = await after.displays(upTo: .outcome(.failed(.rejected)))
        #expect(told == [.outcome(.failed(.rejected))])
      }
      #expect(await after.backend.reads.isEmpty)
    }
  }

  @Test(arguments: PresentationTraits.all.filter { $0.gives.contains(.closed) }.map(\.strategy))
  func `b: background and foreground read once and leave the page open`(
    strategy: PresentationStrategy
  ) async throws {
    let world = world(reads: [.payment(.created)])
    try await world.run { session in
      let key = try await world.present(strategy)
      await session.send(.backgrounded)
      await session.send(.foregrounded)
      await world.until { await world.backend.reads.count == 1 }
      await world.until { clock.sleeperCount == 0 }
      #expect(await world.backend.reads.count == 1)
      #expect(await session.state(of: key)?.phase == .presented)
      #expect(await world.pages.log == ["open https://checkout.example/A1"])
    }
  }

  // Nothing else tells that a browser of its own was left.
  @Test(arguments: PresentationTraits.all.filter { !$0.gives.contains(.closed) }.map(\.strategy))
  func `b, in a browser of its own: who is back in the app is told once it is paid`(
    strategy: PresentationStrategy
  ) async throws {
    let world = world(reads: [.payment(.created), .payment(.created)])
    try await world.run { session in
      let key = try await world.present(strategy)
      await session.send(.backgrounded)
      await session.send(.foregrounded)
      await world.until { await world.backend.reads.count >= 1 }
      await world.until(key, .confirming(pageIsUp: true))
      #expect(await world.pages.log == ["open https://checkout.example/A1"])
      await world.backend.script(reads: [.payment(.authorized, .authorized)])
      await world.until(key, .settled(.succeeded), advancing: .milliseconds(100))
      #expect(
        await world.displays(upTo: .outcome(.succeeded))
          == [.preparing, .confirming, .outcome(.succeeded)])
    }
  }

  @Test func `c: the sheet is dismissed, and the payment is authorised 4 s later`() async throws {
    let world = world(reads: [.payment(.created)])
    try await world.run { session in
      let key = try await world.present()
      await session.send(.closed, to: key)
      let left = clock.clock.uptime()
      await world.until(advancing: .milliseconds(100)) {
        clock.clock.uptime() - left >= .seconds(4)
      }
      await world.backend.script(reads: [.payment(.authorized, .authorized)])
      await world.until(key, .settled(.succeeded), advancing: .milliseconds(100))
      #expect(
        await world.displays(upTo: .outcome(.succeeded)) == [
          .preparing, .confirming, .outcome(.succeeded),
        ])
      #expect(await world.backend.signals == [.opened, .closed])
    }
  }

  @Test(arguments: PresentationStrategy.allCases)
  func `d: a rotation makes no second payment`(strategy: PresentationStrategy) async throws {
    let world = world(reads: [.payment(.created)])
    try await world.run { session in
      let key = try await session.start(SessionWorld.mug, strategy: strategy)
      await world.until(key, .presented)
      await session.send(.viewRecreated, to: key)
      await world.until { await world.backend.reads.count >= 1 }
      await world.until(key, .presented)
      #expect(await world.backend.creates == [key])
      let page = "open https://checkout.example/A1"
      let again = strategy == .webView ? [page, "close", page] : [page]
      await world.until { await world.pages.log == again }
    }
  }

  @Test(arguments: [1, 2])
  func `e: a checkout that is not kept is not opened`(failsFrom: Int) async throws {
    let world = world(reads: [.payment(.created)], failsFrom: failsFrom)
    try await world.run { session in
      let key = try await session.start(SessionWorld.mug)
      await world.until(key, .blocked(.storage))
      #expect(await world.pages.log.isEmpty)
    }
  }

  @Test func `e: what is opened is in the store`() async throws {
    let world = world(reads: [.payment(.created)])
    try await world.run { session in
      let key = try await world.present()
      let kept = await world.pages.keptAtOpening
      #expect(kept.count == 1)
      #expect(kept[0]?.payment == (await session.state(of: key)?.record.payment))
      #expect(kept[0]?.payment != nil)
    }
  }

  @Test(arguments: ["payment_id=pay_A1", "p=0199cccc-0000-7000-8000-000000000001"])
  func `f: a link of an older payment is that payment's, the current one is untouched`(
    query: String
  ) async throws {
    let before = world(reads: [.payment(.expired)])
    var older: CheckoutKey?
    try await before.run { session in
      let key = try await before.present()
      older = key
      await session.send(.closed, to: key)
      await before.until(key, .settled(.failed(.expired)))
      await before.until { (try? await store.load(key)?.stage) == .settled }
    }
    clock.advance(by: .seconds(60))
    let backend = ScriptedBackend(clock, reads: [.payment(.created)])
    // The server has made one payment before; this one is its second.
    _ = try await backend.createCheckout(SessionWorld.mug, key: try #require(older))
    let after = SessionWorld(backend, clock: clock, store: store, seed: 2)
    try await after.run { session in
      #expect(try await session.open(link: "myapp://pay/cancel?\(query)"))
      let current = try await after.present()
      #expect(current != older)
      let seen = await backend.signals.count
      #expect(try await session.open(link: "myapp://pay/success?\(query)"))
      await after.until { await backend.signals.count > seen }
      #expect(await session.state(of: current)?.phase == .presented)
      #expect(await session.state(of: try #require(older))?.phase == .settled(.failed(.expired)))
      #expect(try await session.open(link: "myapp://pay/success?payment_id=pay_of_nobody"))
      for _ in 0..<200 { await Task.yield() }
      #expect(await session.state(of: current)?.phase == .presented)
      #expect(try await session.open(link: "otherapp://pay/success?\(query)") == false)
    }
  }

  @Test func `a link before the store is loaded is not lost, and one without an id wakes all`()
    async throws
  {
    let before = world(reads: [.payment(.created)])
    try await before.run { _ in _ = try await before.present() }
    let after = world(reads: [.payment(.authorized, .authorized)], seed: 2)
    try await after.run { session in
      #expect(try await session.open(link: "myapp://pay/success"))
      let key = try #require(await session.openKeys.first)
      try await session.resume()
      await after.until(key, .settled(.succeeded))
    }
  }
}

@Suite("The end of a browser session")
struct SessionEndTests {
  private let clock = ManualClock()

  // Raïs: "the payer closed the sheet"; "the deep link carries no authority".
  @Test(
    arguments: [
      (
        String?.some("myapp://pay/success?payment_id=pay_A1"), CheckoutSignal.returned(.success)
      ),
      ("myapp://pay/cancel", .returned(.cancel)), (nil, .closed),
      ("otherapp://pay/success", .closed),
      ("myapp://pay/success?payment_id=pay_of_nobody", .closed),
    ])
  func `each end asks the server, and none is an outcome`(
    callback: String?, signal: CheckoutSignal
  ) async throws {
    let backend = ScriptedBackend(clock, reads: [.payment(.captured, .paid)])
    let world = SessionWorld(backend, clock: clock)
    try await world.run { session in
      let key = try await session.start(SessionWorld.mug, strategy: .authSession)
      await world.until(key, .presented)
      await session.endPage(of: key, at: callback)
      await world.until(key, .settled(.succeeded))
      await world.until { await backend.signals == [.opened, signal] }
      #expect(
        await world.displays(upTo: .outcome(.succeeded)) == [
          .preparing, .confirming, .outcome(.succeeded),
        ])
    }
  }
}

@Suite("Taken up once a process")
struct ResumeTests {
  private let clock = ManualClock()

  @Test func `what this process began, or a link has woken, is not found anew`() async throws {
    let store = InMemoryDeviceStore()
    let backend = ScriptedBackend(clock, reads: [.payment(.created)])
    let first = SessionWorld(backend, clock: clock, store: store)
    var keys: [CheckoutKey] = []
    try await first.run { session in
      keys.append(try await first.present())
      let open = try await session.resume()
      #expect(open == keys)
      await session.send(.foregrounded)
      // Signals keep their order, so another one would stand before this.
      await first.until { await backend.signals == [.opened, .foregrounded] }
    }
    let second = SessionWorld(backend, clock: clock, store: store, seed: 2)
    try await second.run { session in
      let isReturn = try await session.open(link: "myapp://pay/cancel")
      let open = try await session.resume()
      #expect(isReturn && open == keys)
      await session.send(.foregrounded)
      let news: [CheckoutSignal] = [.relaunched, .returned(.cancel), .foregrounded]
      await second.until { await backend.signals == [.opened, .foregrounded] + news }
    }
  }
}

@Suite("What the device keeps")
struct RetentionTests {
  private let clock = ManualClock()

  private func kept(_ stage: CheckoutRecord.Stage, age: Duration) async throws -> Bool {
    let store = InMemoryDeviceStore()
    let index = try #require(CheckoutRecord.Stage.allCases.firstIndex(of: stage))
    let record = sampleCheckoutRecords()[index]
    await store.save(record)
    clock.setWall(record.createdAt + age)
    let world = SessionWorld(
      ScriptedBackend(clock, reads: [.payment(.created)]), clock: clock, store: store)
    _ = try await world.session.open(link: "myapp://nothing")
    return try await store.load(record.key) != nil
  }

  @Test func `intents go after a day, settled checkouts after a month, open ones never`()
    async throws
  {
    #expect(try await kept(.intent, age: .seconds(86_400)))
    #expect(try await kept(.intent, age: .milliseconds(86_400_001)) == false)
    #expect(try await kept(.settled, age: .seconds(30 * 86_400)))
    #expect(try await kept(.settled, age: .milliseconds(30 * 86_400_001)) == false)
    #expect(try await kept(.created, age: .seconds(10_000_000)))
    #expect(try await kept(.opened, age: .seconds(10_000_000)))
  }

  @Test func `at the limit the oldest settled one makes room, and no open one does`() async throws {
    var policy = CheckoutPolicy()
    policy.recordsMax = 4
    let store = InMemoryDeviceStore()
    for record in sampleCheckoutRecords() { await store.save(record) }
    clock.setWall(sampleCheckoutRecords()[3].createdAt)
    let backend = ScriptedBackend(clock, reads: [.payment(.created)])
    let world = SessionWorld(backend, clock: clock, store: store, policy: policy)
    _ = try await world.session.start(SessionWorld.mug)
    #expect(try await store.load(sampleCheckoutRecords()[3].key) == nil)
    #expect(try await store.all().count == 3)
    var other = SessionWorld.mug
    other.purchase = .items([CheckoutRequest.Item(productID: "cap", quantity: 1)])
    await #expect(throws: CheckoutRefusal.tooManyOpen) { try await world.session.start(other) }
  }

  // Tebex: "selectable with Config.checkoutStrategy".
  @Test(arguments: PresentationRule.all)
  func `every row of the table can be started by its name`(rule: PresentationRule) async throws {
    var request = SessionWorld.mug
    request.provider = rule.provider
    let world = SessionWorld(ScriptedBackend(clock, reads: [.unchanged]), clock: clock)
    let key = try await world.session.start(request, strategy: rule.strategy)
    #expect(await world.session.state(of: key)?.record.strategy == rule.strategy)
  }

  @Test func `a pair of provider and strategy without a rule is not started`() async throws {
    var request = SessionWorld.mug
    request.provider = ProviderName("nowhere")
    let world = SessionWorld(ScriptedBackend(clock, reads: [.unchanged]), clock: clock)
    await #expect(throws: CheckoutRefusal.unsupportedPresentation) {
      try await world.session.start(request, strategy: .webView)
    }
    #expect(try await world.store.all().isEmpty)
  }

  @Test(arguments: PresentationRefusal.all)
  func `a strategy that the provider rules out is refused with its reason`(
    refusal: PresentationRefusal
  ) async throws {
    var request = SessionWorld.mug
    request.provider = refusal.provider
    let world = SessionWorld(ScriptedBackend(clock, reads: [.unchanged]), clock: clock)
    await #expect(throws: CheckoutRefusal.refusedPresentation(reason: refusal.reason)) {
      try await world.session.start(request, strategy: refusal.strategy)
    }
    #expect(try await world.store.all().isEmpty)
    #expect(await world.backend.creates.isEmpty)
  }
}
