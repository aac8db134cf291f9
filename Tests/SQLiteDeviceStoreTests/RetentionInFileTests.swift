import CheckoutLifecycle
import CheckoutSession
import KitEnvironment
import PaymentModels
import SQLiteDeviceStore
import TestSupport
import Testing

@Suite("How many checkouts the file holds")
struct RetentionInFileTests {
  private let clock = ManualClock()
  private let max = CheckoutPolicy().recordsMax

  /// So many checkouts, each younger than the one before.
  private func records(_ count: Int, _ stage: CheckoutRecord.Stage) -> [CheckoutRecord] {
    (0..<count).map { number in
      var record = CheckoutRecord(
        key: CheckoutKey("0199aaaa-0000-7000-8000-00000000\(1_000 + number)"),
        request: CheckoutRequest(
          provider: .tabby,
          purchase: .items([CheckoutRequest.Item(productID: "p\(number)", quantity: 1)])),
        strategy: .systemBrowser, createdAt: clock.clock.now())
      record.stage = stage
      record.payment = sampleCheckoutRecords()[2].payment
      record.outcome = stage == .settled ? .failed(.expired) : nil
      return record
    }
  }

  /// What is in the file after the app was started, and started a checkout.
  private func kept(
    _ records: [CheckoutRecord], starting: Bool
  ) async throws -> [CheckoutKey] {
    var keys: [CheckoutKey] = []
    try await withFastDirectory { directory in
      let store = try SQLiteDeviceStore(path: "\(directory)/checkouts.sqlite")
      for record in records { try await store.save(record) }
      let session = CheckoutSession(
        store: store, backend: ScriptedBackend(clock, reads: [.unchanged]),
        environment: .test(clock), page: CheckoutPage(open: { _, _, _ in }, close: { _ in }))
      if starting {
        let request = CheckoutRequest(
          provider: .tabby,
          purchase: .items([CheckoutRequest.Item(productID: "new", quantity: 1)]))
        _ = try await session.start(request)
      } else {
        _ = try await session.open(link: "otherapp://nothing")
      }
      keys = try await store.all().map(\.key)
      await store.close()
    }
    return keys
  }

  @Test func `at the limit all stay, and above it the oldest settled ones go`() async throws {
    #expect(max == 100)
    let settled = records(max + 1, .settled)
    let keys = settled.map(\.key)
    #expect(try await kept(Array(settled.prefix(max)), starting: false) == Array(keys.prefix(max)))
    #expect(try await kept(settled, starting: false) == Array(keys.dropFirst()))
  }

  @Test func `a new one takes the place of the oldest settled one, once all places are taken`()
    async throws
  {
    let settled = records(max, .settled)
    let keys = settled.map(\.key)
    let roomy = Array(settled.prefix(max - 1))
    #expect(try await kept(roomy, starting: true) == roomy.map(\.key))
    #expect(try await kept(settled, starting: true) == Array(keys.dropFirst()))
    var mixed = records(max, .opened)
    mixed[40] = settled[40]
    #expect(try await kept(mixed, starting: true) == mixed.map(\.key).filter { $0 != keys[40] })
  }

  @Test func `open ones never go, and at the limit no other is begun`() async throws {
    let open = records(max + 1, .opened)
    #expect(try await kept(open, starting: false) == open.map(\.key))
    let full = Array(open.prefix(max))
    await #expect(throws: CheckoutRefusal.tooManyOpen) { try await kept(full, starting: true) }
    let roomy = Array(open.prefix(max - 1))
    #expect(try await kept(roomy, starting: true) == roomy.map(\.key))
  }
}
