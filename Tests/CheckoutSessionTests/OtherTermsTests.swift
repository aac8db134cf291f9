import CheckoutLifecycle
import CheckoutSession
import PaymentModels
import TestSupport
import Testing

@Suite("An order that is to be paid otherwise than begun")
struct OtherTermsTests {
  /// What of it is other.
  enum Terms: CaseIterable { case cart, provider }

  private func request(_ terms: Terms, _ order: OrderID) -> CheckoutRequest {
    switch terms {
    case .cart:
      let lamp = CheckoutRequest.Item(productID: "lamp", quantity: 1)
      return CheckoutRequest(provider: .tabby, purchase: .edited(order, [lamp]))
    case .provider:
      return CheckoutRequest(provider: ProviderName("rais"), purchase: .order(order))
    }
  }

  @Test(arguments: Terms.allCases)
  func `the checkout before is asked about no more, and the new one opens its own page`(
    terms: Terms
  ) async throws {
    let clock = ManualClock()
    let backend = ScriptedBackend(clock, reads: [.payment(.created), .hang])
    let world = SessionWorld(backend, clock: clock)
    try await world.run { session in
      let old = try await world.present()
      await session.send(.closed, to: old)
      await world.until { await backend.reads.count == 2 }
      #expect(await session.state(of: old)?.phase == .confirming(pageIsUp: false))
      let order = try #require(await session.state(of: old)?.record.payment?.orderID)
      let request = request(terms, order)
      let new = try await session.start(request)
      #expect(new != old)
      #expect(await session.state(of: old)?.phase == .unresolved(.stillConfirming))
      await world.until(new, .presented)
      await world.until { await backend.inFlight == 0 }
      let again = try await session.start(request)
      #expect(again == new)
      #expect(await backend.made == [old, new])
      #expect(await session.openKeys == [old, new].sorted())
    }
  }

  @Test(arguments: [
    (PaymentStatus.cancelled, OrderState.pending, false), (.expired, .pending, false),
    (.captured, .paid, true),
  ])
  func `of the one before only money is told`(
    status: PaymentStatus, order: OrderState, isTold: Bool
  ) async throws {
    let clock = ManualClock()
    let backend = ScriptedBackend(clock, reads: [.payment(.created), .hang])
    let world = SessionWorld(backend, clock: clock)
    try await world.run { session in
      let old = try await world.present()
      let id = try #require(await session.state(of: old)?.record.payment?.orderID)
      await session.send(.closed, to: old)
      await world.until { await backend.reads.count == 2 }
      let new = try await session.start(request(.cart, id))
      await world.until(new, .presented)
      await backend.script(reads: [.payment(status, order)])
      await session.send(.pushed, to: old)
      await world.until { await session.state(of: old)?.record.outcome != nil }
      // What is told of a third checkout is told after all that there is of the first.
      let third = try await session.start(
        CheckoutRequest(
          provider: .tabby,
          purchase: .items([CheckoutRequest.Item(productID: "cap", quantity: 1)])))
      var told: [CheckoutDisplay] = []
      for await update in session.updates {
        if update.key == third { break }
        if update.key == old { told.append(update.display) }
      }
      #expect(told.contains(.outcome(.succeeded)) == isTold)
      #expect(told.filter { $0 != .preparing && $0 != .confirming }.count == (isTold ? 1 : 0))
    }
  }

  @Test func `another try at an order goes on with the newest of its checkouts`() async throws {
    let clock = ManualClock()
    let store = InMemoryDeviceStore()
    let records = Array(sampleCheckoutRecords()[1...2])
    for record in records { await store.save(record) }
    clock.setWall(records[1].createdAt + .seconds(1))
    let order = try #require(records[1].payment?.orderID)
    #expect(records[0].payment?.orderID == order)
    let backend = ScriptedBackend(clock, reads: [.payment(.created)])
    let world = SessionWorld(backend, clock: clock, store: store)
    try await world.run { session in
      let key = try await session.start(
        CheckoutRequest(provider: .tabby, purchase: .order(order)))
      #expect(key == records[1].key)
    }
  }
}
