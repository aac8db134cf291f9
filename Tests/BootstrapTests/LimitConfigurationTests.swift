import HTTPListener
import MerchantServer
import PaymentModels
import TestSupport
import Testing

@testable import Bootstrap

private func files(_ members: String) -> ShopFiles {
  var files = ShopFiles()
  files.settings = String(files.settings.trimmingLast()) + ", \(members)}"
  files.environment["TILL_METRICS_KEY"] = "met_5up3r-s3cret-metrics"
  return files
}

extension String {
  /// Without its last closing brace.
  fileprivate func trimmingLast() -> Substring {
    lastIndex(of: "}").map { self[..<$0] } ?? self[...]
  }
}

@Suite("Limits and the metrics key in the settings")
struct LimitConfigurationTests {
  @Test func `without a word the defaults hold`() async throws {
    try await withTemporaryDirectory { directory in
      let configuration = try ShopFiles().configuration(in: directory)
      #expect(configuration.limits.rates == RateLimits())
      #expect(configuration.limits.listener.connectionsMax == 10_000)
      #expect(configuration.limits.listener.connectionsPerAddressMax == 10_000)
    }
  }

  @Test func `each limit can be set`() async throws {
    try await withTemporaryDirectory { directory in
      let configuration = try files(
        """
        "connections_max": 500, "connections_per_address_max": 20,
        "rate_limits": {"app_token": {"per_minute": 30, "burst": 5}, "source": {"burst": 7},
          "webhook_source": {"per_minute": 90}}
        """
      ).configuration(in: directory)
      let rates = configuration.limits.rates
      let usual = RateLimits()
      #expect(rates.appToken == RateLimit(perMinute: 30, burst: 5))
      #expect(rates.source == RateLimit(perMinute: usual.source.perMinute, burst: 7))
      #expect(
        rates.webhookSource == RateLimit(perMinute: 90, burst: usual.webhookSource.burst))
      #expect(configuration.limits.listener.connectionsMax == 500)
      #expect(configuration.limits.listener.connectionsPerAddressMax == 20)
    }
  }

  @Test func `fewer connections in all are fewer of one address too`() async throws {
    try await withTemporaryDirectory { directory in
      let configuration = try files(#""connections_max": 5"#).configuration(in: directory)
      #expect(configuration.limits.listener.connectionsPerAddressMax == 5)
    }
  }

  @Test(arguments: [
    (#""connections_max": 0"#, "connections_max"),
    (#""connections_max": 5, "connections_per_address_max": 6"#, "connections_per_address_max"),
    (#""rate_limits": {"app_token": {"burst": 0}}"#, "rate_limits.app_token.burst"),
    (#""rate_limits": {"source": {"per_minute": "x"}}"#, "rate_limits.source.per_minute"),
    (#""rate_limits": {"sauce": {}}"#, "rate_limits.sauce"),
    (#""rate_limits": {"source": {"per_hour": 1}}"#, "rate_limits.source.per_hour"),
    (#""metrics_key": {"env": "TILL_OPERATOR_KEY"}"#, "metrics_key"),
    (#""metrics_key": "met_5up3r-s3cret-metrics""#, "metrics_key"),
  ])
  func `a wrong one is named`(members: String, setting: String) async throws {
    try await withTemporaryDirectory { directory in
      let refusal = try files(members).refusal(in: directory)
      #expect(refusal?.setting == setting)
    }
  }

  @Test func `the metrics key opens the metrics and is nobody's token`() async throws {
    try await withTemporaryDirectory { directory in
      let configuration = try files(#""metrics_key": {"env": "TILL_METRICS_KEY"}"#)
        .configuration(in: directory)
      let monitor = configuration.authenticator.caller(
        of: Secret("met_5up3r-s3cret-metrics"), at: Instant(milliseconds: 0))
      #expect(monitor == .monitor)
      let boss = configuration.authenticator.caller(
        of: Secret(ShopFiles.operatorKey), at: Instant(milliseconds: 0))
      #expect(boss == .operator(OperatorName("anna")))
    }
  }
}
