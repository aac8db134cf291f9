import HTTPListener
import MerchantServer
import PaymentModels

extension ServerConfiguration {
  /// What peers may take of the server.
  struct Limits: Sendable {
    var rates = RateLimits()
    var listener = HTTPListenerLimits()
  }

  static func limits(
    _ reader: SettingsReader
  ) throws(ConfigurationError) -> Limits {
    var limits = Limits()
    let most = Int64(limits.listener.connectionsMax)
    let total = try reader.integer("connections_max", in: 1...1_000_000) ?? most
    // Behind a proxy every peer has the proxy's address, so no bound of its own unless told.
    let each = try reader.integer("connections_per_address_max", in: 1...total) ?? total
    limits.listener.connectionsMax = Int(total)
    limits.listener.connectionsPerAddressMax = Int(each)
    let names = ["app_token", "source", "webhook_source"]
    guard let rates = try reader.object("rate_limits", allowed: Set(names)) else { return limits }
    limits.rates.appToken = try limit(names[0], rates, limits.rates.appToken)
    limits.rates.source = try limit(names[1], rates, limits.rates.source)
    limits.rates.webhookSource = try limit(names[2], rates, limits.rates.webhookSource)
    return limits
  }

  private static func limit(
    _ member: String, _ reader: SettingsReader, _ usual: RateLimit
  ) throws(ConfigurationError) -> RateLimit {
    guard let limit = try reader.object(member, allowed: ["per_minute", "burst"]) else {
      return usual
    }
    let range: ClosedRange<Int64> = 1...1_000_000
    return RateLimit(
      perMinute: try limit.integer("per_minute", in: range).map { Int($0) } ?? usual.perMinute,
      burst: try limit.integer("burst", in: range).map { Int($0) } ?? usual.burst)
  }

  /// The key of the merchant's monitoring; nil leaves the metrics to operator keys.
  static func metricsKey(_ reader: SettingsReader) throws(ConfigurationError) -> Secret? {
    guard reader.has("metrics_key") else { return nil }
    return try reader.secret("metrics_key", bytesMin: SettingsSource.ownSecretBytesMin)
  }
}
