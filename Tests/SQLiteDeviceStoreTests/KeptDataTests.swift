import CheckoutLifecycle
import CheckoutSession
import FoundationEssentials
import KitEnvironment
import PaymentModels
import SQLiteDeviceStore
import SystemRuntime
import TestSupport
import Testing

/// The bytes of every file of a store: the database, its log, its shared memory.
private func bytes(in directory: String) throws -> [UInt8] {
  let folder = URL(filePath: directory)
  return try FileManager.default.contentsOfDirectory(atPath: directory).sorted().flatMap {
    [UInt8](try Data(contentsOf: folder.appending(path: $0)))
  }
}

private func holds(_ bytes: [UInt8], _ text: String) -> Bool {
  !bytes.ranges(of: Array(text.utf8)).isEmpty
}

@Suite("What the device's files hold")
struct KeptDataTests {
  private let clock = ManualClock()

  @Test func `a secret is in no file once its checkout is settled, or removed`() async throws {
    try await withTemporaryDirectory { directory in
      let store = try SQLiteDeviceStore(path: "\(directory)/checkouts.sqlite")
      for isRemoved in [false, true] {
        var record = sampleCheckoutRecords()[1]
        record.payment?.verificationKey = Secret("vk-4f1c9e")
        try await store.save(record)
        #expect(try holds(bytes(in: directory), "vk-4f1c9e"))
        record.payment?.verificationKey = nil
        record.stage = .settled
        record.outcome = .succeeded
        if isRemoved { try await store.remove(record.key) } else { try await store.save(record) }
        #expect(try !holds(bytes(in: directory), "vk-4f1c9e"))
      }
      await store.close()
      #expect(try !holds(bytes(in: directory), "vk-4f1c9e"))
    }
  }

  // Futa: "Treat what the payer types as you would your own form's, and never record it."
  @Test(arguments: [PresentationStrategy.webView, .systemBrowser])
  func `what a payer types into the page is in no file, no line and no signal`(
    strategy: PresentationStrategy
  ) async throws {
    let typed = ["+243810000001", "243810000001", "4111111111111111", "4111 1111 1111 1111"]
    let lines = Locked<[String]>([])
    var environment = KitEnvironment.test(clock)
    environment.log = KitLog { level, message, facts in
      lines.withLock { $0.append("\(level) \(message) \(facts)") }
    }
    let quiet = environment
    try await withTemporaryDirectory { directory in
      let backend = ScriptedBackend(
        clock, reads: [.failure(.retryLater(after: nil)), .payment(.captured, .paid)])
      let store = try SQLiteDeviceStore(path: "\(directory)/checkouts.sqlite")
      let session = CheckoutSession(
        store: store, backend: backend, environment: quiet,
        page: CheckoutPage(open: { _, _, _ in }, close: { _ in }))
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { await session.run() }
        let key = try await session.start(
          CheckoutRequest(
            provider: .tabby,
            purchase: .items([CheckoutRequest.Item(productID: "mug", quantity: 1)])),
          strategy: strategy)
        while await session.state(of: key)?.phase != .presented { await Task.yield() }
        for text in typed { try await type(text, into: key, of: session) }
        while await session.state(of: key)?.phase != .settled(.succeeded) {
          clock.advance(by: .milliseconds(100))
          await Task.yield()
        }
        while try await store.load(key)?.stage != .settled { await Task.yield() }
        let state = await session.state(of: key)
        let signals = await backend.signals
        let kept = try bytes(in: directory)
        for text in typed {
          #expect(!holds(kept, text))
          #expect(!"\(String(describing: state)) \(signals)".contains(text))
          #expect(!lines.withLock { $0.joined() }.contains(text))
        }
        #expect(!lines.withLock { $0.isEmpty })
        // Nor the page's address, with which anybody could go on.
        #expect(!lines.withLock { $0.joined() }.contains("checkout.example"))
        group.cancelAll()
      }
    }
  }

  /// The page hears, says and goes to what was typed; and a return brings it along.
  private func type(
    _ text: String, into key: CheckoutKey, of session: CheckoutSession
  ) async throws {
    let query = text.replacing(" ", with: "%20").replacing("+", with: "%2B")
    if let record = await session.state(of: key)?.record,
      let policy = record.navigationPolicy(on: .android, trusting: nil)
    {
      var page = PageSession(policy)
      for url in [
        "https://checkout.example/A1?msisdn=\(query)", "bankapp://pay?card=\(query)",
        "https://checkout.example/receipts/\(query)",
      ] {
        _ = page.navigate(to: NavigationRequest(url: url))
      }
      let message = PageMessage(payment: text, state: text, isFinal: false)
      _ = page.hear(message, from: "https://checkout.example/A1", isMainFrame: true)
      #expect(message.word == "other")
    }
    await session.send(.wentOutside, to: key)
    await session.send(.pageSpoke(isFinal: true), to: key)
    _ = try await session.open(link: "myapp://pay/success?phone=\(query)#\(query)")
    _ = try await session.open(link: "myapp://pay/nowhere?phone=\(query)")
  }
}
