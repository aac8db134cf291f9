import CheckoutLifecycle
import CheckoutSession
import KitEnvironment
import PaymentModels
import TestSupport
import Testing

/// Long rows of what payer, system and network may do, in the order that a seed gives, over runs
/// that end in the middle and processes that die.
@Suite("Whatever payer, system and network do")
struct RandomMovesTests {
  enum Move: CaseIterable {
    case tap, tapTwice, foreground, push, successLink, cancelLink, foreignLink, close, recreateView
    case leaveView, signOut, endRun, kill, serverDown, serverUp, wait, waitLong, pay
  }

  /// What was shown, over all processes.
  private actor Screen {
    private(set) var outcomes: [CheckoutOutcome] = []
    func show(_ update: CheckoutUpdate) {
      if case .outcome(let outcome) = update.display { outcomes.append(outcome) }
    }
  }

  @Test(arguments: 1...UInt64(40))
  func `one payment is made, nothing is shown unproven, and money is told`(
    seed: UInt64
  ) async throws {
    let random = seededRandom(seed)
    let moves = (0..<40).map { _ in
      Move.allCases[Int(random.below(UInt64(Move.allCases.count)))]
    }
    let clock = ManualClock()
    let store = InMemoryDeviceStore()
    let lost = ScriptedBackend.Answer.failure(.retryLater(after: nil))
    let backend = ScriptedBackend(
      clock, creates: [lost, .payment(.created)], reads: [.payment(.created)])
    let screen = Screen()
    let strategies: [PresentationStrategy] = [.systemBrowser, .webView, .authSession]
    let strategy = strategies[Int(random.below(3))]
    var isPaid = false
    let lives = ([.tap] + moves).split(separator: .kill, omittingEmptySubsequences: false)
    for (index, life) in lives.enumerated() {
      let world = SessionWorld(
        backend, clock: clock, store: store, seed: seed * 100 + UInt64(index))
      for part in life.split(separator: .endRun, omittingEmptySubsequences: false) {
        try await world.run { session in
          if part.startIndex == life.startIndex, index > 0 { try await session.resume() }
          for move in part {
            try await make(move, in: world, strategy, &isPaid)
            for _ in 0..<random.below(60) { await Task.yield() }
          }
        }
      }
      await drain(world, into: screen)
      #expect(await backend.made.count <= 1, "\(moves)")
    }
    try await settle(backend, clock, store, screen, isPaid: isPaid, seed: seed)
    let proven: [CheckoutOutcome] = await screen.outcomes.filter(\.isProven)
    #expect(Set(proven).isSubset(of: isPaid ? [.succeeded] : []), "\(moves)")
    #expect(await backend.made.count <= 1, "\(moves)")
  }

  /// The server is well, and the app is started once more.
  private func settle(
    _ backend: ScriptedBackend, _ clock: ManualClock, _ store: InMemoryDeviceStore,
    _ screen: Screen, isPaid: Bool, seed: UInt64
  ) async throws {
    guard isPaid else { return }
    await backend.script(reads: [.payment(.captured, .paid)])
    let world = SessionWorld(backend, clock: clock, store: store, seed: seed * 100 + 99)
    try await world.run { session in
      let open = try await session.resume()
      for key in open { await world.until(key, .settled(.succeeded), advancing: .seconds(1)) }
      _ = await world.displays(upTo: .outcome(.succeeded))
      #expect(try await store.all().map(\.outcome) == [.succeeded])
    }
  }

  /// What the process has shown until now.
  private func drain(_ world: SessionWorld, into screen: Screen) async {
    let updates = world.session.updates
    await withTaskGroup(of: Void.self) { group in
      group.addTask { for await update in updates { await screen.show(update) } }
      for _ in 0..<600 { await Task.yield() }
      group.cancelAll()
    }
  }

  private func make(
    _ move: Move, in world: SessionWorld, _ strategy: PresentationStrategy, _ isPaid: inout Bool
  ) async throws {
    let (session, clock) = (world.session, world.clock)
    let key = await session.openKeys.first
    switch move {
    // A tap after the money is a new purchase.
    case .tap, .tapTwice:
      guard !isPaid else { return }
      async let first = session.start(SessionWorld.mug, strategy: strategy)
      if move == .tapTwice { _ = try await session.start(SessionWorld.mug, strategy: strategy) }
      _ = try await first
    case .foreground: await session.send(.foregrounded)
    case .push: await session.send(.pushed)
    case .successLink: _ = try await session.open(link: "myapp://pay/success")
    case .cancelLink: _ = try await session.open(link: "myapp://pay/cancel?payment_id=pay_A1")
    case .foreignLink: _ = try await session.open(link: "myapp://pay/success?payment_id=pay_B9")
    case .close: if let key { await session.send(.closed, to: key) }
    case .recreateView: if let key { await session.send(.viewRecreated, to: key) }
    case .leaveView: if let key { await session.send(.viewLeft, to: key) }
    case .signOut: await session.send(.signedOut)
    case .serverDown: await world.backend.script(reads: [.failure(.retryLater(after: nil))])
    case .serverUp:
      await world.backend.script(reads: [isPaid ? .payment(.captured, .paid) : .payment(.created)])
    case .wait: clock.advance(by: .seconds(3))
    case .waitLong: clock.advance(by: .seconds(400))
    case .pay:
      guard let key, await session.state(of: key)?.pageMayBeUp == true else { return }
      isPaid = true
      await world.backend.script(reads: [.payment(.captured, .paid)])
    case .endRun, .kill: break
    }
  }
}
