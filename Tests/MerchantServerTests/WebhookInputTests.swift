import HTTPExchange
import MerchantServer
import PaymentModels
import PaymentStore
import TestSupport
import Testing

@Suite("Webhook deliveries of every kind")
struct WebhookInputTests {
  private static let id = Sample.uuid(7, 55)

  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let status: Int
    var secret: String? = "s-0"
    var body: [UInt8] = Array("\(WebhookInputTests.id)||x".utf8)
    var isStored: Bool { status == 200 }
  }

  @Test(arguments: [
    Row(testDescription: "good, unknown payment", status: 200),
    Row(testDescription: "forged secret", status: 401, secret: "s-1"),
    Row(testDescription: "unsigned", status: 401, secret: nil),
    Row(testDescription: "not UTF-8", status: 400, body: [0xFF, 0xFE]),
    Row(testDescription: "no payment", status: 400, body: Array("x|y|z".utf8)),
    Row(testDescription: "empty", status: 400, body: []),
    Row(
      testDescription: "over the limit", status: 413,
      body: Array(repeating: 0x20, count: 65_537)),
  ])
  func `each gets its answer, and only a good one is stored`(row: Row) async throws {
    try await ServerWorld.run { world in
      var request = world.provider.webhook(world.provider.id(55))
      request.body = row.body
      request.headers["X-Secret"] = row.secret
      let response = await world.server.respond(to: request)
      #expect(response.status == row.status)
      if row.isStored {
        #expect(response.body.isEmpty)
        try await world.until("unmatched") {
          try await self.unmatched(world).map(\.body) == [row.body]
        }
      } else {
        await world.pass(.seconds(1))
        #expect(try await unmatched(world).isEmpty)
      }
      #expect(world.provider.count(.read) == 0)
    }
  }

  @Test func `a replay costs a read at the most and changes nothing`() async throws {
    try await ServerWorld.run { world in
      let row = try await world.placed(.authorized)
      try await world.until("paid") { try await world.order(row.orderID).state == .paid }
      let id = try #require(row.providerPaymentID)
      let before = (try await world.payment(row.id), world.provider.count(.read))
      for _ in 0..<50 {
        #expect(
          try await world.deliver(world.provider.webhook(id, for: row.id, rest: "first")) == 200)
      }
      await world.pass(.seconds(10))
      #expect(try await world.payment(row.id).version == before.0.version)
      #expect(world.provider.count(.read) - before.1 <= 2)
      #expect(try await world.messages(row.orderID) == [.fulfil])
    }
  }

  private func unmatched(_ world: ServerWorld) async throws -> [WebhookRow] {
    try await world.store.read {
      try $0.unmatchedWebhooks(.tabby, naming: ProviderPaymentID(Self.id), or: nil)
    }
  }
}
