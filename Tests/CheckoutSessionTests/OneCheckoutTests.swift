import CheckoutLifecycle
import CheckoutSession
import PaymentModels
import TestSupport
import Testing

@Suite("Never two open checkouts for an order")
struct OneCheckoutTests {
  /// What a payer or the system may do that could begin another checkout or lose the first.
  enum Move: CaseIterable {
    case tapItems, tapTwice, tapOrder, kill, cancelLink, closePage, recreateView, signOut
  }

  /// After the first tap every three moves in every order, then order and items once more.
  @Test(arguments: Move.allCases)
  func `whatever payer and system do after a tap, the order has one checkout and one payment`(
    second: Move
  ) async throws {
    for third in Move.allCases {
      for fourth in Move.allCases {
        try await play([.tapItems, second, third, fourth, .tapOrder, .tapItems])
      }
    }
  }

  @Test func `two taps at once, before the store is read, are one checkout`() async throws {
    try await play([.tapTwice, .tapTwice, .kill, .tapTwice, .tapOrder, .tapItems])
    try await play([.kill, .tapTwice])
  }

  private func play(_ moves: [Move]) async throws {
    let clock = ManualClock()
    let store = InMemoryDeviceStore()
    let backend = ScriptedBackend(clock, reads: [.payment(.created)])
    let lives = moves.split(separator: .kill, omittingEmptySubsequences: false)
    for (index, life) in lives.enumerated() {
      let world = SessionWorld(backend, clock: clock, store: store, seed: UInt64(index + 1))
      try await world.run { session in
        if index > 0 { try await session.resume() }
        for move in life {
          try await make(move, session)
          for _ in 0..<Self.turns { await Task.yield() }
          // None if a process was killed before it had stored, and so sent, anything.
          #expect(await session.openKeys.count <= 1, "\(moves)")
        }
        guard index == lives.count - 1 else { return }
        await world.until("never made: \(moves)") { await !backend.made.isEmpty }
        #expect(await session.openKeys == backend.made, "\(moves)")
        #expect(try await store.all().map(\.key) == backend.made, "\(moves)")
      }
    }
    #expect(await backend.made.count == 1, "\(moves)")
  }

  /// Times to give way after a move. It need not be enough for all that the move causes: what is
  /// still under way when the next one comes is one more order of things.
  private static let turns = 40

  private func make(_ move: Move, _ session: CheckoutSession) async throws {
    let key = await session.openKeys.first
    switch move {
    case .tapItems: _ = try await session.start(SessionWorld.mug)
    case .tapTwice:
      async let first = session.start(SessionWorld.mug)
      async let second = session.start(SessionWorld.mug)
      let keys = try await [first, second]
      #expect(keys[0] == keys[1])
    case .tapOrder:
      guard let key, let order = await session.state(of: key)?.record.payment?.orderID else {
        return
      }
      var request = SessionWorld.mug
      request.purchase = .order(order)
      let again = try await session.start(request)
      #expect(again == key)
    case .cancelLink: _ = try await session.open(link: "myapp://pay/cancel")
    case .closePage: if let key { await session.send(.closed, to: key) }
    case .recreateView: if let key { await session.send(.viewRecreated, to: key) }
    case .signOut: await session.send(.signedOut)
    case .kill: break
    }
  }
}
