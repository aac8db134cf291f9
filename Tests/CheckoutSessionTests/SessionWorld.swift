import CheckoutLifecycle
import CheckoutSession
import KitEnvironment
import PaymentModels
import TestSupport
import Testing

/// Pages that were opened and closed, in order.
actor PageRecorder {
  struct Refused: Error {}
  private(set) var log: [String] = []
  /// What the device's store held of the checkout at the moment its page was opened.
  private(set) var keptAtOpening: [CheckoutRecord?] = []
  private var refusals = 0

  func refuse(_ count: Int) { refusals = count }

  func open(_ url: String, kept: CheckoutRecord?) throws {
    if refusals > 0 {
      refusals -= 1
      throw Refused()
    }
    log.append("open \(url)")
    keptAtOpening.append(kept)
  }

  func close() { log.append("close") }
}

/// A store that can be told to fail.
actor FailingStore: DeviceStore {
  struct Full: Error {}
  private let inner: InMemoryDeviceStore
  private let failsFrom: Int
  private var saves = 0

  init(_ inner: InMemoryDeviceStore, failsFrom: Int) {
    self.inner = inner
    self.failsFrom = failsFrom
  }

  func save(_ record: CheckoutRecord) async throws {
    saves += 1
    if saves >= failsFrom { throw Full() }
    await inner.save(record)
  }

  func load(_ key: CheckoutKey) async throws -> CheckoutRecord? { try await inner.load(key) }
  func all() async throws -> [CheckoutRecord] { try await inner.all() }
  func remove(_ key: CheckoutKey) async throws { await inner.remove(key) }
}

/// One process of the app. A second world over the same store is the app after a kill.
struct SessionWorld {
  static let mug = CheckoutRequest(
    provider: .tabby, purchase: .items([CheckoutRequest.Item(productID: "mug", quantity: 1)]))

  let clock: ManualClock
  let store: InMemoryDeviceStore
  let backend: ScriptedBackend
  let pages = PageRecorder()
  let session: CheckoutSession

  init(
    _ backend: ScriptedBackend, clock: ManualClock, store: InMemoryDeviceStore = .init(),
    failsFrom: Int? = nil, seed: UInt64 = 1, policy: CheckoutPolicy = CheckoutPolicy(),
    openOutside: @escaping @Sendable (CheckoutKey, OutsideOpening) async -> Bool = { _, _ in false }
  ) {
    self.clock = clock
    self.store = store
    self.backend = backend
    let pages = pages
    let page = CheckoutPage(
      open: { key, url, _ in try await pages.open(url, kept: try await store.load(key)) },
      close: { _ in await pages.close() }, openOutside: openOutside)
    session = CheckoutSession(
      store: failsFrom.map { FailingStore(store, failsFrom: $0) } ?? store, backend: backend,
      environment: .test(clock, seed: seed), page: page, policy: policy)
  }

  /// Runs the session while `body` runs; its end is the kill of the process.
  func run(_ body: (CheckoutSession) async throws -> Void) async throws {
    try await withTaskExecutorPreference(SerialTaskExecutor()) {
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { await session.run() }
        try await body(session)
        group.cancelAll()
      }
    }
  }

  /// Gives way to the session until `condition` holds; moves the clock by `step` whenever
  /// `sleepers` tasks wait on it.
  func until(
    advancing step: Duration? = nil, sleepers: Int = 2, _ comment: Comment? = nil,
    sourceLocation: SourceLocation = #_sourceLocation, _ condition: () async -> Bool
  ) async {
    for _ in 0..<2_000_000 {
      if await condition() { return }
      if let step, clock.sleeperCount >= sleepers { clock.advance(by: step) }
      await Task.yield()
    }
    Issue.record(comment ?? "this never came", sourceLocation: sourceLocation)
  }

  func until(
    _ key: CheckoutKey, _ phase: CheckoutState.Phase, advancing step: Duration? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    await until(advancing: step, "never \(phase)", sourceLocation: sourceLocation) {
      await session.state(of: key)?.phase == phase
    }
  }

  /// Starts a checkout and comes back when its page is up and that is in the store.
  func present(_ strategy: PresentationStrategy? = nil) async throws -> CheckoutKey {
    let key = try await session.start(Self.mug, strategy: strategy)
    await until(key, .presented)
    await until { (try? await store.load(key)?.stage) == .opened }
    return key
  }

  /// The displays of the checkout, up to and with `last`.
  func displays(upTo last: CheckoutDisplay) async -> [CheckoutDisplay] {
    var seen: [CheckoutDisplay] = []
    for await update in session.updates {
      seen.append(update.display)
      if update.display == last { break }
    }
    return seen
  }
}
