import HTTPExchange
import PaymentModels
import PaymentStore
import ProviderInterface
import StatusSync
import StrictJSON
import TestSupport
import Testing

@Suite("FB-03 Webhook arrives before the order is stored, is acknowledged and lost")
struct EarlyWebhookTests {
  @Test func `an event before its row waits and pays the order when the row is there`()
    async throws
  {
    try await ServerWorld.run { world in
      // The first id that the provider will give: the event is faster than our own commit.
      let id = world.provider.id(1)
      #expect(try await world.deliver(world.provider.webhook(id)) == 200)
      try await world.until("unmatched") { try await self.unmatched(world, id).count == 1 }
      await world.pass(.seconds(3))

      world.provider.hold(.create)
      async let creating = world.checkout()
      try await world.until("created there") { world.provider.heldCount == 1 }
      world.provider.change(id) { $0.status = .authorized }
      world.provider.release(.create)
      let json = try await creating.json
      let order = OrderID(try #require(json["order_id"]?.text))
      // Two ticks, the inbox's and the capture's, and less than the first read by schedule.
      try await world.until("paid", within: .milliseconds(1_900)) {
        try await world.order(order).state == .paid
      }
      #expect(try await self.unmatched(world, id).isEmpty)
      #expect(try await world.messages(order) == [.fulfil])
      let journal = try await world.store.read { try $0.journal(of: order, limit: 99) }
      #expect(journal.filter { $0.event == "webhook" }.count == 1)
    }
  }

  @Test func `events that name made-up ids are kept up to a bound`() async throws {
    var setup = ServerWorld.Setup()
    setup.tuneSync = { $0.unmatchedMax = 3 }
    try await ServerWorld.run(setup) { world in
      for number in 101...108 {
        let id = world.provider.id(number)
        #expect(try await world.deliver(world.provider.webhook(id)) == 200)
        await world.pass(.seconds(1))
      }
      let listed = try await world.get("/v1/webhooks")["webhooks"]?.elements ?? []
      #expect(
        listed.map { $0["provider_payment_id"]?.text }
          == [108, 107, 106].map { world.provider.id($0).rawValue })
    }
  }

  @Test func `made-up ids of one provider push no event of another one out`() async throws {
    var setup = ServerWorld.Setup()
    setup.tuneSync = { $0.unmatchedMax = 3 }
    try await ServerWorld.run(setup) { world in
      try await world.store.write { transaction in
        for number in 1...3 {
          var signed = Sample.webhook(number)
          signed.provider = .tebex
          signed.state = .unmatched
          signed.nextTryAt = nil
          try transaction.insertWebhook(signed)
        }
      }
      for number in 101...108 {
        let id = world.provider.id(number)
        #expect(try await world.deliver(world.provider.webhook(id)) == 200)
        await world.pass(.seconds(1))
      }
      let held = try await world.store.read { try $0.heldWebhooks() }
      #expect(held.filter { $0.provider == .tebex }.count == 3)
      #expect(held.filter { $0.provider != .tebex }.count == 3)
    }
  }

  @Test func `an event of a payment that never appears stays where a person can see it`()
    async throws
  {
    try await ServerWorld.run { world in
      let id = world.provider.id(99)
      #expect(try await world.deliver(world.provider.webhook(id)) == 200)
      try await world.until("unmatched") { try await self.unmatched(world, id).count == 1 }
      await world.pass(.seconds(60))
      #expect(try await world.deliver(world.provider.webhook(id)) == 200)
      await world.pass(.seconds(2))
      let rows = try await unmatched(world, id)
      #expect(rows.map(\.deliveries) == [2])
      #expect(rows.map(\.nextTryAt) == [nil])
      let listed = try await world.get("/v1/webhooks")
      #expect(listed["webhooks"]?.elements?.count == 1)
      #expect(listed["webhooks"]?[0]?["provider_payment_id"]?.text == id.rawValue)
      #expect(listed["webhooks"]?[0]?["state"]?.text == "unmatched")
      #expect(listed["next_before"]?.isNull == true)
      #expect(world.provider.count(.read) == 0)
    }
  }

  @Test func `an event between the look for its row and the note that there is none is not lost`()
    async throws
  {
    try await ServerWorld.run { world in
      let id = world.provider.id(1)
      // The write that would note “unmatched” fails; the row appears before it is tried again.
      let row = try await world.placed()
      #expect(row.providerPaymentID == id)
      try await world.store.write { transaction in
        var early = Sample.webhook(1)
        early.providerPaymentID = id
        early.state = .unmatched
        early.nextTryAt = nil
        early.body = world.provider.webhook(id).body
        early.bodyHash = "h"
        try transaction.insertWebhook(early)
      }
      world.provider.change(id) { $0.status = .authorized }
      // A twin of the unmatched one: the provider says it again.
      #expect(try await world.deliver(world.provider.webhook(id)) == 200)
      try await world.until("paid") { try await world.order(row.orderID).state == .paid }
    }
  }

  @Test func `a webhook that names a create under way does not take its page away`() async throws {
    try await ServerWorld.run { world in
      world.provider.script(
        .create, .lose(ProviderError(.unknown, detail: "reset")),
        .fail(ProviderError(.notSent, detail: "down")),
        .fail(ProviderError(.notSent, detail: "down")))
      async let creating = world.checkout()
      try await world.until("lost") { world.provider.payments.count == 1 }
      let lost = try #require(world.provider.payments.first)
      let id = PaymentID(try #require(lost.paymentReference))
      try await world.deliver(world.provider.webhook(lost.providerPaymentID, for: id))
      try await world.until("read") { world.provider.count(.read) >= 1 }
      _ = try await creating
      try await world.until("made") { try await world.payment(id).checkoutURL != nil }
      #expect(try await world.store.read { try $0.providerPaymentIDs(of: id).count } == 2)
    }
  }

  private func unmatched(
    _ world: ServerWorld, _ id: ProviderPaymentID
  ) async throws -> [WebhookRow] {
    try await world.store.read { try $0.unmatchedWebhooks(.tabby, naming: id, or: nil) }
  }
}
