import HTTPExchange
import PaymentModels
import PaymentStore
import ProviderInterface
import StatusSync
import TestSupport
import Testing

@testable import Dashboard

@Suite("What is stuck in a queue is sent on its way")
struct QueueItemTests {
  @Test func `a parked delivery is put back by name, once, and stands in the journal`()
    async throws
  {
    var setup = ServerWorld.Setup()
    setup.tuneSync = { $0.webhookTriesMax = 2 }
    try await ServerWorld.run(setup) { world in
      let row = try await world.placed()
      let id = try #require(row.providerPaymentID)
      world.provider.always(.read, .fail(ProviderError(.unknown, detail: "out")))
      try await world.deliver(world.provider.webhook(id))
      try await world.until("parked") { try await Self.parked(world) != nil }
      let webhook = try #require(try await Self.parked(world))
      let desk = try await Desk.signedIn(world)
      let path = "/dashboard/inbox/\(webhook)"
      #expect(try await desk.get("/dashboard/inbox").contains("href=\"\(path)\""))
      let page = try await desk.get(path)
      #expect(page.contains("Put it back") && page.contains("parked"))
      #expect(page.contains("Stands in the journal") && !page.contains("go to the provider"))
      #expect(try await desk.get("/dashboard/payments/\(row.id)/close").contains("to the provider"))
      #expect(page.contains("/dashboard/payments/\(row.id)"))
      // Nothing happens by looking, and not without a reason.
      #expect(try await desk.post(path, [("reason", " ")]).status == 422)
      #expect(try await Self.parked(world) == webhook)
      world.provider.always(.read, nil)
      world.provider.change(id) { $0.status = .authorized }
      let answer = try await desk.post(path, [("reason", "the provider is back")])
      #expect(answer.status == 303 && answer.headers["Location"] == "\(path)?done=1")
      try await world.until("paid") { try await world.order(row.orderID).state == .paid }
      let journal = try await world.store.read { try $0.journal(of: row.orderID, limit: 99) }
      let line = try #require(journal.first { $0.event == "requeue" })
      #expect(line.operatorName == OperatorName("anna") && line.note == "the provider is back")
      try await world.until("done") {
        try await world.store.read { try $0.webhook(webhook)?.state } == .processed
      }
      let after = try await desk.get("\(path)?done=1")
      #expect(after.contains("It is in the queue again") && !after.contains("Put it back"))
      let late = try await desk.post(path, [("reason", "again")])
      #expect(late.status == 409)
      let text = String(decoding: late.body, as: UTF8.self)
      #expect(text.contains("what is parked or unmatched can be put back"))
    }
  }

  @Test func `a dead message is sent again by name, and one that was overtaken is not`()
    async throws
  {
    try await ServerWorld.run { world in
      try await world.store.seed(payments: 0)
      try await world.store.write { transaction in
        for number in 1...3 {
          var message = Sample.message(number, sequence: Int64(number))
          message.nextTryAt = nil
          if number < 3 { message.deliveredAt = Sample.start } else { message.tries = 400 }
          try transaction.insertMessage(message)
        }
      }
      let desk = try await Desk.signedIn(world)
      let path = "/dashboard/outbox/\(Sample.messageID(3))"
      #expect(try await desk.get("/dashboard/outbox").contains("href=\"\(path)\""))
      #expect(try await desk.get(path).contains("Send it again"))
      #expect(try await desk.post(path, [("reason", "")]).status == 422)
      let answer = try await desk.post(path, [("reason", "the shop <is> back")])
      #expect(answer.status == 303 && answer.headers["Location"] == "\(path)?done=1")
      let row = try #require(try await world.store.read { try $0.message(Sample.messageID(3)) })
      #expect(row.state == .waiting && row.tries == 0)
      let journal = try await world.store.read { try $0.journal(of: row.orderID, limit: 99) }
      let line = try #require(journal.first { $0.event == "redeliver" })
      #expect(line.operatorName == OperatorName("anna") && line.note == "the shop <is> back")
      let overtaken = "/dashboard/outbox/\(Sample.messageID(1))"
      let refused = try await desk.post(overtaken, [("reason", "<b>lost</b>")])
      #expect(refused.status == 409)
      let text = String(decoding: refused.body, as: UTF8.self)
      #expect(text.contains("A later message of the order was acknowledged"))
      // The reason is still there, as text.
      #expect(text.contains("&lt;b&gt;lost&lt;/b&gt;") && !text.contains("<b>lost"))
    }
  }

  @Test(arguments: ["inbox", "outbox"])
  func `what is not there is not found, and a form without its token changes nothing`(
    queue: String
  ) async throws {
    try await ServerWorld.run { world in
      try await world.store.seed(payments: 0)
      try await world.store.write { transaction in
        var dead = Sample.message(1, sequence: 1)
        dead.nextTryAt = nil
        try transaction.insertMessage(dead)
      }
      let desk = try await Desk.signedIn(world)
      let path = "/dashboard/\(queue)/\(Sample.uuid(4, 77))"
      #expect(try await desk.send("GET", path).status == 404)
      #expect(try await desk.post(path, [("reason", "r")]).status == 404)
      let known = "/dashboard/\(queue)/\(Sample.messageID(1))"
      #expect(try await desk.send("POST", known, fields: [("reason", "r")]).status == 403)
      let row = try await world.store.read { try $0.message(Sample.messageID(1)) }
      #expect(row?.state == .dead)
    }
  }

  private static func parked(_ world: ServerWorld) async throws -> WebhookID? {
    try await world.store.read {
      try $0.webhooks(in: .parked, at: nil, before: nil, limit: 1).first?.id
    }
  }
}
