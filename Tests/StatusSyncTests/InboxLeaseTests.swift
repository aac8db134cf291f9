import KitEnvironment
import PaymentModels
import PaymentStore
import ProviderInterface
import StatusSync
import TestSupport
import Testing

@Suite("One delivery and two processes")
struct InboxLeaseTests {
  private func run(
    _ body: (_ one: ServerWorld, _ two: ServerWorld, _ row: PaymentRow) async throws -> Void
  ) async throws {
    var setup = ServerWorld.Setup()
    // The schedule asks nothing meanwhile.
    setup.providers = [FakeProvider { $0.readSchedule = [.seconds(3_600)] }]
    var other = setup
    other.seed = 2
    try await ServerWorld.run(setup) { one in
      let row = try await one.placed()
      let second = ServerWorld.secondProcess(other)
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { await second.sync.run(resumeCreate: { _ in }) }
        defer { group.cancelAll() }
        try await body(one, second, row)
      }
    }
  }

  @Test func `causes one read, by the one that took it`() async throws {
    try await run { one, _, row in
      let id = try #require(row.providerPaymentID)
      let before = one.provider.count(.read)
      one.provider.hold(.read)
      one.provider.change(id) { $0.status = .authorized }
      #expect(try await one.deliver(one.provider.webhook(id, for: row.id, rest: "w")) == 200)
      try await one.until("asked") { one.provider.heldCount == 1 }
      // The other looks ten times meanwhile.
      await one.pass(.seconds(5))
      #expect(one.provider.count(.read) == before + 1)
      one.provider.release(.read)
      try await one.until("known") { try await one.payment(row.id).status == .authorized }
      await one.pass(.seconds(60))
      #expect(one.provider.count(.read) == before + 1)
      let webhooks = try await one.store.read {
        try $0.webhooks(in: nil, at: nil, before: nil, limit: 9)
      }
      #expect(webhooks.map(\.state) == [.processed])
      #expect(webhooks.map(\.tries) == [0])
    }
  }

  /// A process that stood still: its failure is old news.
  @Test func `that fails after the lease takes nothing from the one that has it now`()
    async throws
  {
    try await run { one, _, row in
      let id = try #require(row.providerPaymentID)
      one.provider.always(.read, .fail(ProviderError(.unknown, detail: "out")))
      one.provider.hold(.read)
      #expect(try await one.deliver(one.provider.webhook(id, for: row.id, rest: "w")) == 200)
      try await one.until("asked") { one.provider.heldCount == 1 }
      // The other has it now, until later.
      let theirs = one.clock.now + .seconds(600)
      let webhook = try await one.store.write { transaction in
        var webhook = try #require(
          try transaction.webhooks(in: nil, at: nil, before: nil, limit: 9).first)
        webhook.nextTryAt = theirs
        try transaction.updateWebhook(webhook)
        return webhook.id
      }
      one.provider.release(.read)
      await one.pass(.seconds(20))
      let kept = try await one.store.read { try $0.webhook(webhook) }
      #expect(kept?.nextTryAt == theirs)
      #expect(kept?.tries == 0)
    }
  }

  @Test func `while the store refuses is looked for more and more seldom, then worked on`()
    async throws
  {
    try await ServerWorld.run { one in
      let row = try await one.placed()
      let id = try #require(row.providerPaymentID)
      one.provider.change(id) { $0.status = .authorized }
      try await one.store.write { transaction in
        var webhook = Sample.webhook()
        webhook.provider = one.provider.name
        webhook.account = one.provider.account
        webhook.providerPaymentID = id
        webhook.nextTryAt = one.clock.now
        try transaction.insertWebhook(webhook)
      }
      one.store.failWrites(StoreError(.full, "as asked"))
      await one.pass(.seconds(120))
      for message in ["webhooks could not be taken", "due payments could not be taken"] {
        // Every half second it would be 240.
        #expect((1...30).contains(one.log.count(.warning, message)), "\(message)")
      }
      one.store.failWrites(nil)
      try await one.until("known", within: .seconds(15)) {
        try await one.payment(row.id).status != row.status
      }
    }
  }
}
