import CheckoutLifecycle
import CheckoutSession
import KitEnvironment
import PaymentModels
import TestSupport
import Testing

@Suite("A store that takes its time")
struct SlowStoreTests {
  /// A store whose removals wait until they are let go.
  private actor SlowStore: DeviceStore {
    let inner = InMemoryDeviceStore()
    private var isHeld = true
    private(set) var waiting = 0

    func letGo() { isHeld = false }

    func save(_ record: CheckoutRecord) async throws { await inner.save(record) }
    func load(_ key: CheckoutKey) async throws -> CheckoutRecord? { try await inner.load(key) }
    func all() async throws -> [CheckoutRecord] { try await inner.all() }
    func remove(_ key: CheckoutKey) async throws {
      waiting += 1
      while isHeld { await Task.yield() }
      await inner.remove(key)
    }
  }

  @Test func `a tap while old checkouts are dropped begins one that stays`() async throws {
    let clock = ManualClock()
    let store = SlowStore()
    let began = Instant(milliseconds: 1_790_000_000_000)
    var cap = SessionWorld.mug
    cap.purchase = .items([CheckoutRequest.Item(productID: "cap", quantity: 1)])
    let oldest = CheckoutRecord(
      key: CheckoutKey("0198aaaa-0000-7000-8000-000000000000"), request: SessionWorld.mug,
      strategy: .systemBrowser, createdAt: began)
    let second = CheckoutRecord(
      key: CheckoutKey("0199ffff-0000-7000-8000-000000000000"), request: cap,
      strategy: .systemBrowser, createdAt: began)
    for record in [oldest, second] { try await store.save(record) }
    clock.setWall(began + .seconds(100_000))
    let backend = ScriptedBackend(clock, reads: [.payment(.created)])
    let session = CheckoutSession(
      store: store, backend: backend, environment: .test(clock),
      page: CheckoutPage(open: { _, _, _ in }, close: { _ in }))
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await session.run() }
      group.addTask { try await session.resume() }
      while await store.waiting == 0 { await Task.yield() }
      let key = try await session.start(second.request)
      await store.letGo()
      for _ in 0..<2_000 { await Task.yield() }
      #expect(await session.state(of: key) != nil)
      #expect(await backend.creates == [key])
      #expect(try await store.load(key) != nil)
      group.cancelAll()
    }
  }
}
