import HTTPExchange
import PaymentModels
import PaymentStore
import TestSupport
import Testing

@testable import Bootstrap

@Suite("Rules for single accounts in the configuration")
struct AccountRulesTests {
  private static let main = AccountKey(.tabby, ProviderAccount("main"))

  private func files(_ members: String) -> ShopFiles {
    ShopFiles().replacing("\"listen_port\": 8081", with: "\"listen_port\": 8081, \(members)")
  }

  private static func rule(_ members: String, account: String = "main") -> String {
    #""account_rules": [{"provider": "tabby", "account": "\#(account)", \#(members)}]"#
  }

  @Test func `nothing is refused and no amount is assumed unless a rule says so`() async throws {
    try await withTemporaryDirectory { directory in
      let configuration = try ShopFiles().configuration(in: directory)
      #expect(configuration.webhookSources == [:])
      #expect(configuration.trustedProxies == [])
      #expect(configuration.policy.unreportedAmounts == [])
      #expect(configuration.readsPerMinute == [:])
      #expect(!configuration.hidesWebhookSources)
    }
  }

  @Test func `sources, proxies and the missing amount are read`() async throws {
    try await withTemporaryDirectory { directory in
      let rule = Self.rule(
        #""webhook_sources": ["198.51.100.0/28", "2001:db8::1"], "amount_not_reported": true,"#
          + #""reads_per_minute": 60"#)
      let configuration = try files("\"trusted_proxies\": [\"10.0.0.0/8\"], \(rule)")
        .configuration(in: directory)
      let sources = ["198.51.100.0/28", "2001:db8::1"].map { IPRange($0) }
      #expect(configuration.webhookSources[Self.main] == sources)
      #expect(configuration.trustedProxies.map(Optional.some) == [IPRange("10.0.0.0/8")])
      #expect(configuration.policy.unreportedAmounts == [Self.main])
      #expect(configuration.readsPerMinute == [Self.main: 60])
      #expect(!configuration.hidesWebhookSources)
    }
  }

  @Test func `a list that no peer can pass is noticed at the start`() async throws {
    try await withTemporaryDirectory { directory in
      var files = files(Self.rule(#""webhook_sources": ["198.51.100.0/28"]"#))
      let inside = try files.configuration(in: directory)
      #expect(inside.hidesWebhookSources)
      files.environment["TILL_LISTEN_ADDRESS"] = "198.51.100.200"
      let outside = try files.configuration(in: directory)
      #expect(!outside.hidesWebhookSources)
    }
  }

  @Test(arguments: [
    (rule(#""webhook_sources": ["198.51.100.5/28"]"#), "account_rules[0].webhook_sources[0]"),
    (rule(#""webhook_sources": ["shop.example"]"#), "account_rules[0].webhook_sources[0]"),
    (rule(#""webhook_sources": []"#), "account_rules[0].webhook_sources"),
    (rule(#""amount_not_reported": "yes""#), "account_rules[0].amount_not_reported"),
    (rule(#""reads_per_minute": 0"#), "account_rules[0].reads_per_minute"),
    (rule(#""reads_per_minute": 100001"#), "account_rules[0].reads_per_minute"),
    (rule(#""sources": []"#), "account_rules[0].sources"),
    (rule(#""amount_not_reported": true"#, account: "other"), "account_rules"),
    (#""trusted_proxies": ["10.0.0.0/40"]"#, "trusted_proxies[0]"),
    (#""trusted_proxies": ["10.0.0.0/8", "0.0.0.0/0"]"#, "trusted_proxies[1]"),
    (#""trusted_proxies": ["::/0"]"#, "trusted_proxies[0]"),
    (#""trusted_proxies": ["::ffff:0.0.0.0/96"]"#, "trusted_proxies[0]"),
    (rule(#""webhook_sources": ["0.0.0.0/0"]"#), "account_rules[0].webhook_sources[0]"),
  ])
  func `a wrong rule is named`(members: String, setting: String) async throws {
    try await withTemporaryDirectory { directory in
      let refusal = try files(members).refusal(in: directory)
      #expect(refusal?.setting == setting)
    }
  }

  @Test func `an account has one rule`() async throws {
    try await withTemporaryDirectory { directory in
      let one = #"{"provider": "tabby", "account": "main", "amount_not_reported": true}"#
      let refusal = try files("\"account_rules\": [\(one), \(one)]").refusal(in: directory)
      #expect(refusal?.setting == "account_rules[1]")
    }
  }
}
