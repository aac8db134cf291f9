import HTTPExchange
import PaymentModels
import PaymentStore
import ProviderInterface
import StatusSync
import TestSupport
import Testing

@Suite("FB-22 Where an account's webhooks may come from")
struct WebhookSourceTests {
  private func setup(proxies: [String] = ["10.0.0.0/8"]) throws -> ServerWorld.Setup {
    let sources = [try #require(IPRange("198.51.100.0/28"))]
    let trusted = try proxies.map { try #require(IPRange($0)) }
    var setup = ServerWorld.Setup()
    setup.tuneSync = { settings in
      settings.webhookSources = [AccountKey(.tabby, ProviderAccount("uae")): sources]
      settings.trustedProxies = trusted
    }
    return setup
  }

  @Test(arguments: FieldBugRows.senders)
  func `each sender of the field report is let in or refused by the walk from the right`(
    peer: String, forwarded: [String], isAllowed: Bool
  ) async throws {
    try await ServerWorld.run(try setup()) { world in
      for secret in [nil, "a wrong one"] {
        var webhook = world.provider.webhook(world.provider.id(1), secret: secret)
        webhook.peer = peer
        for line in forwarded { webhook.headers.add("X-Forwarded-For", line) }
        let status = try await world.deliver(webhook)
        #expect(status == (isAllowed && secret == nil ? 200 : 401))
      }
    }
  }

  @Test(
    arguments: [
      ("198.51.100.5", nil, nil, 200), ("203.0.113.9", nil, nil, 401),
      ("10.1.2.3", "198.51.100.5", nil, 200), ("203.0.113.9", "198.51.100.5", nil, 401),
      ("198.51.100.5", nil, "a wrong one", 401),
    ] as [(String, String?, String?, Int)])
  func `the address is checked beside the signature, never for it`(
    peer: String, forwarded: String?, secret: String?, status: Int
  ) async throws {
    try await ServerWorld.run(try setup()) { world in
      let row = try await world.placed()
      let id = try #require(row.providerPaymentID)
      var webhook = world.provider.webhook(id, secret: secret)
      webhook.peer = peer
      if let forwarded { webhook.headers.add("X-Forwarded-For", forwarded) }
      #expect(try await world.deliver(webhook) == status)
    }
  }

  @Test func `a list that no delivery can pass because of a proxy is told as that`() async throws {
    try await ServerWorld.run(try setup(proxies: [])) { world in
      var webhook = world.provider.webhook(world.provider.id(1))
      webhook.peer = "10.1.2.3"
      webhook.headers.add("X-Forwarded-For", "198.51.100.5")
      let answer = try await world.deliver(webhook)
      #expect(answer == 401)
      let reasons = world.log.facts("a webhook was refused", "reason")
      #expect(reasons.count == 1)
      #expect(reasons.first?.contains("trusted_proxies") == true)
    }
  }

  @Test func `an account without a list takes deliveries from anywhere`() async throws {
    try await ServerWorld.run { world in
      var webhook = world.provider.webhook(world.provider.id(1))
      webhook.peer = "203.0.113.9"
      let answer = try await world.deliver(webhook)
      #expect(answer == 200)
    }
  }
}
