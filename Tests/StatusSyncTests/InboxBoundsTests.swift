import HTTPExchange
import KitEnvironment
import PaymentModels
import PaymentStore
import ProviderInterface
import StatusSync
import SystemRuntime
import TestSupport
import Testing

@Suite("The inbox keeps within its bounds, whatever comes")
struct InboxBoundsTests {
  private static let out = FakeProvider.Fault.fail(ProviderError(.unknown, detail: "out"))
  private static let day = Duration.seconds(86_400)

  @Test func `the bounds are those that are documented`() {
    let settings = SyncSettings()
    #expect(settings.unsignedBodyMax == 1_024)
    #expect(settings.unknownMax == 10_000)
    #expect(settings.unknownLife == Self.day)
    #expect(settings.unknownReadsMax == 10)
    #expect(settings.bodyLife == Self.day * 30)
  }

  private static var unsigned: ServerWorld.Setup {
    var setup = ServerWorld.Setup()
    setup.providers = [FakeProvider { $0.webhook = .unsigned }]
    return setup
  }

  @Test func `ten unknown ids a minute are read, and the eleventh is answered with 503`()
    async throws
  {
    try await ServerWorld.run(Self.unsigned) { world in
      for round in 0..<2 {
        for number in 1...11 {
          let callback = world.provider.webhook(world.provider.id(round * 20 + number))
          #expect(try await world.deliver(callback) == (number <= 10 ? 200 : 503))
        }
        try await world.until("read") { world.provider.count(.read) == (round + 1) * 10 }
        await world.pass(.seconds(60))
        #expect(world.provider.count(.read) == (round + 1) * 10)
      }
      // A known id is not among them.
      let row = try await world.placed()
      for number in 101...111 {
        _ = try await world.deliver(world.provider.webhook(world.provider.id(number)))
      }
      let id = try #require(row.providerPaymentID)
      #expect(try await world.deliver(world.provider.webhook(id)) == 200)
    }
  }

  @Test(arguments: [(9_999, 200), (10_000, 503)])
  func `ten thousand that name nothing known are kept`(waiting: Int, status: Int) async throws {
    try await ServerWorld.run(Self.unsigned) { world in
      try await Self.put(waiting, at: world, .unmatched)
      #expect(try await world.deliver(world.provider.webhook(world.provider.id(1))) == status)
    }
  }

  @Test func `those are kept for a day`() async throws {
    var setup = Self.unsigned
    setup.tuneSync = { $0.upkeepWait = .seconds(1) }
    try await ServerWorld.run(setup) { world in
      try await Self.put(1, at: world, .unmatched)
      world.clock.setWall(Sample.start + .seconds(1) + Self.day)
      await world.pass(.seconds(2))
      #expect(try await world.store.read { try $0.heldWebhooks() }.count == 0)
    }
  }

  @Test func `bytes are erased after thirty days, and hash and ids stay`() async throws {
    var setup = ServerWorld.Setup()
    setup.tuneSync = { $0.upkeepWait = .seconds(1) }
    try await ServerWorld.run(setup) { world in
      for (number, state) in WebhookRow.State.allCases.enumerated() {
        try await world.store.write { transaction in
          var row = Sample.webhook(number + 1)
          row.state = state
          row.nextTryAt = nil
          row.checkedHeaders = "X-Secret: s-0"
          row.providerPaymentID = ProviderPaymentID("p-\(number)")
          try transaction.insertWebhook(row)
        }
      }
      let all = { () async throws -> [WebhookRow] in
        try await world.store.read { try $0.webhooks(in: nil, at: nil, before: nil, limit: 9) }
      }
      world.clock.setWall(Sample.start + Self.day * 30)
      await world.pass(.milliseconds(500))
      #expect(try await all().allSatisfy { !$0.body.isEmpty && $0.bodyErasedAt == nil })
      await world.pass(.seconds(8))
      let rows = try await all()
      #expect(rows.count == WebhookRow.State.allCases.count)
      #expect(rows.allSatisfy { $0.body.isEmpty && $0.bodyErasedAt != nil })
      #expect(rows.allSatisfy { $0.checkedHeaders == nil })
      #expect(rows.last?.bodyHash == "hash-1")
      #expect(rows.last?.providerPaymentID == ProviderPaymentID("p-0"))
      let id = try #require(rows.first?.id)
      let refused = try await world.send(
        "POST", "/v1/webhooks/\(id)/replay", body: Array(#"{"reason":"late"}"#.utf8))
      #expect(refused.status == 409)
    }
  }

  @Test func `rows of done deliveries are kept up to a bound of each provider`() async throws {
    var setup = ServerWorld.Setup()
    setup.tuneSync = {
      $0.upkeepWait = .seconds(1)
      $0.doneMax = 3
      $0.rejectedMax = 2
      $0.parkedMax = 1
    }
    try await ServerWorld.run(setup) { world in
      try await Self.put(5, at: world, .processed)
      try await Self.put(5, at: world, .rejected, from: 10)
      try await Self.put(5, at: world, .parked, from: 20)
      await world.pass(.seconds(2))
      let left = try await world.store.read { transaction in
        try [WebhookRow.State.processed, .rejected, .parked].map {
          try transaction.webhooks(in: $0, at: nil, before: nil, limit: 9).map(\.id)
        }
      }
      #expect(left == [[4, 3, 2], [14, 13], [24]].map { $0.map(Sample.webhookID) })
    }
  }

  private static func put(
    _ count: Int, at world: ServerWorld, _ state: WebhookRow.State, from start: Int = 0
  ) async throws {
    try await world.store.write { transaction in
      for number in 0..<count {
        var row = Sample.webhook(start + number)
        row.receivedAt = Sample.start
        row.isUnsigned = true
        row.state = state
        row.nextTryAt = nil
        try transaction.insertWebhook(row)
      }
    }
  }

  @Test func `a delivery that can never be applied is parked after its tries`() async throws {
    var setup = ServerWorld.Setup()
    setup.tuneSync = { $0.proofTriesMax = 3 }
    let provider = FakeProvider()
    setup.providers = [provider]
    // A payment row that breaks a rule of the store each time that the answer is applied.
    let store = PoisonedStore(setup.store)
    setup.store = store
    try await ServerWorld.run(setup) { world in
      let row = try await world.placed()
      let id = try #require(row.providerPaymentID)
      let proof = WebhookProof(
        reading: PaymentReading(providerPaymentID: id, status: .captured, amount: row.amount),
        occurredAt: nil, supplementsRead: false)
      provider.always(.read, Self.out)
      store.poison(row.id)
      try await world.deliver(provider.webhook(id, named: "x", SignedDelivery(proof: proof)))
      try await world.until("parked", within: .seconds(600)) {
        try await world.store.read { try $0.heldWebhooks() }.map(\.state) == [.parked]
      }
      #expect(world.log.count(.error, "a webhook was parked after its last try") == 1)
    }
  }

  @Test func `a provider that does not answer keeps no other provider's deliveries waiting`()
    async throws
  {
    var setup = ServerWorld.Setup()
    let (slow, quick) = (FakeProvider(), FakeProvider(name: .futa, family: 8))
    setup.providers = [slow, quick]
    setup.tuneSync = { $0.webhooksMax = 4 }
    try await ServerWorld.run(setup) { world in
      let rows = try await world.seed([(slow, .created), (quick, .pending)])
      slow.hold(.read)
      for number in 0..<6 {
        try await world.deliver(slow.webhook(slow.id(1), rest: "\(number)"))
      }
      try await world.until("held") { slow.heldCount == 1 }
      try await world.deliver(quick.webhook(quick.id(2)))
      try await world.until("known", within: .seconds(3)) {
        try await world.payment(rows[1].id).status == .pending
      }
      #expect(slow.heldCount == 1)
    }
  }
}

/// A store in which one payment can be read and never changed.
private final class PoisonedStore: PaymentStore {
  private let inner: any PaymentStore
  private let poisoned = Locked<PaymentID?>(nil)

  init(_ inner: any PaymentStore) { self.inner = inner }

  func poison(_ id: PaymentID) { poisoned.withLock { $0 = id } }

  func write<Result: Sendable>(
    _ body: @escaping @Sendable (any PaymentTransaction) throws -> Result
  ) async throws -> Result {
    let id = poisoned.withLock { $0 }
    return try await inner.write { transaction in
      let before = try id.flatMap { try transaction.payment($0)?.version }
      let result = try body(transaction)
      guard try id.flatMap({ try transaction.payment($0)?.version }) == before else {
        throw StoreError(.constraint, "as the test wants it")
      }
      return result
    }
  }

  func read<Result: Sendable>(
    _ body: @escaping @Sendable (any PaymentTransaction) throws -> Result
  ) async throws -> Result { try await inner.read(body) }

  func checkpoint() async throws { try await inner.checkpoint() }
}
