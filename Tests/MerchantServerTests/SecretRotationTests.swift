import HTTPExchange
import KitEnvironment
import PaymentModels
import PaymentStore
import TestSupport
import Testing

@Suite("FB-08 Several secrets while they rotate")
struct SecretRotationTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let configured: [String]
    let sent: [String]
    let status: Int
    let matched: [String]
    var testDescription: String { "\(configured) ← \(sent)" }
  }

  @Test(arguments: [
    Row(configured: ["A"], sent: ["A"], status: 200, matched: ["0"]),
    Row(configured: ["B"], sent: ["B"], status: 200, matched: ["0"]),
    Row(configured: ["A", "B"], sent: ["A"], status: 200, matched: ["0"]),
    Row(configured: ["A", "B"], sent: ["B"], status: 200, matched: ["1"]),
    Row(configured: ["A"], sent: ["B"], status: 401, matched: []),
    Row(configured: ["A", "B"], sent: ["C"], status: 401, matched: []),
    Row(configured: ["A", "B"], sent: [""], status: 401, matched: []),
    Row(configured: ["A", "B"], sent: [], status: 401, matched: []),
    // Which of two lines is the provider's is a guess.
    Row(configured: ["A", "B"], sent: ["A", "B"], status: 401, matched: []),
    Row(
      configured: ["A"], sent: Array(repeating: "A", count: 1_000), status: 401, matched: []),
  ])
  func `any configured secret counts, and the log tells which one`(row: Row) async throws {
    var setup = ServerWorld.Setup()
    setup.providers = [FakeProvider(secrets: row.configured)]
    try await ServerWorld.run(setup) { world in
      var webhook = world.provider.webhook(world.provider.id(1))
      webhook.headers = [:]
      for secret in row.sent { webhook.headers.add("X-Secret", secret) }
      #expect(try await world.deliver(webhook) == row.status)
      #expect(world.log.facts("webhook stored", "matched_secret") == row.matched)
      let bodyHash = hash(webhook.body)
      let stored = try await world.store.read { try $0.openWebhook(.tabby, bodyHash: bodyHash) }
      #expect((stored != nil) == (row.status == 200))
    }
  }

  @Test func `the second account's secret is known as that account's`() async throws {
    var setup = ServerWorld.Setup()
    setup.providers = [
      FakeProvider(secrets: ["A"]),
      FakeProvider(account: "ksa", currencies: ["SAR"], secrets: ["A2", "B2"], family: 8),
    ]
    try await ServerWorld.run(setup) { world in
      let webhook = world.provider.webhook(world.provider.id(1), secret: "B2")
      let status = try await world.deliver(webhook)
      #expect(status == 200)
      #expect(world.log.facts("webhook stored", "matched_secret") == ["1"])
      #expect(world.log.facts("webhook stored", "account") == ["ksa"])
    }
  }
}

private func hash(_ body: [UInt8]) -> String {
  let hashing = KitEnvironment.test(ManualClock()).hashing
  return hexText(hashing.sha256(body))
}
