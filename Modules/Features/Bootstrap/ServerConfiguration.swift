import CheckoutService
import FulfilmentOutbox
import FutaProvider
import HTTPExchange
import MerchantServer
import PaymentModels
import PaymentStore
import RaisProvider
import SEBProvider
import StrictJSON
import TabbyProvider
import TebexProvider

/// Everything that `till-server` is told, checked. Built from a file and the environment; secrets
/// come from the environment or from files of their own.
package struct ServerConfiguration: Sendable {
  var address: String
  var port: UInt16
  var database: String
  /// Where payers come back to, as the providers are told.
  var appReturnBase: String
  /// Where the server's own return pages lead.
  var appDeepLink: String
  var associations: AppAssociations
  var catalogue: FileCatalogue
  var buyers: FileBuyers
  var authenticator: FileAuthenticator
  var tabby: [TabbyConfiguration]
  var futa: [FutaConfiguration]
  var rais: [RaisConfiguration]
  var tebex: [TebexConfiguration]
  var seb: [SEBConfiguration]
  var fulfilment: OutboxSettings?
  var policy: SettlementPolicy
  var readGap: Duration
  /// Language of hosted pages.
  var language: String
  /// Whether an order's terms may change under a payment that can still be paid.
  var supersede: CheckoutSettings.Supersede
  /// How long an open payment is waited for.
  var lapseAfter: Duration
  var drainGrace: Duration
  /// Proxies whose `X-Forwarded-For` counts.
  var trustedProxies: [IPRange]
  /// How long the bytes of a delivery are kept.
  var webhookBodyLife: Duration
  /// Where an account's webhooks may come from.
  var webhookSources: [AccountKey: [IPRange]]
  /// Reads of an account within a minute, where the merchant knows better.
  var readsPerMinute: [AccountKey: Int]
  /// What peers may take of the server.
  var limits: Limits

  private static let settings = Set(providerNames).union([
    "listen_address", "listen_port", "database", "app_return_base", "catalogue", "buyers",
    "app_tokens", "operator_keys", "fulfilment", "capture",
    "fulfil_on", "late_money", "lapse_after_hours", "read_gap_ms", "language", "drain_seconds",
    "trusted_proxies", "account_rules", "app_deep_link", "apple_app_ids", "android_apps",
    "webhook_body_days", "supersede",
    "metrics_key", "rate_limits", "connections_max", "connections_per_address_max",
  ])

  /// Reads and checks a configuration.
  ///
  /// `TILL_LISTEN_ADDRESS`, `TILL_LISTEN_PORT` and `TILL_DATABASE` stand before the file.
  init(file: String, environment: [String: String]) throws(ConfigurationError) {
    try self.init(file: file, source: Self.source(file, environment))
  }

  /// Where the store lies, by the same settings; no secret is needed to know that.
  static func database(
    file: String, environment: [String: String]
  ) throws(ConfigurationError) -> String {
    if let path = try variable("TILL_DATABASE", environment) { return path }
    let source = source(file, environment)
    let json = try source.json(at: file, setting: "--config")
    let reader = try SettingsReader(json, path: "", allowed: settings, source: source)
    return try source.resolve(reader.text("database"))
  }

  private static func source(
    _ file: String, _ environment: [String: String]
  ) -> SettingsSource {
    let directory = file.split(separator: "/", omittingEmptySubsequences: false).dropLast()
      .joined(separator: "/")
    return SettingsSource(
      directory: directory.isEmpty ? (file.hasPrefix("/") ? "" : ".") : directory,
      environment: environment)
  }

  /// Reads and checks a configuration of which parts may stand in memory.
  package init(file: String, source: SettingsSource) throws(ConfigurationError) {
    let environment = source.environment
    let json = try source.json(at: file, setting: "--config")
    let reader = try SettingsReader(json, path: "", allowed: Self.settings, source: source)

    let fileAddress = try reader.optionalText("listen_address")
    address =
      try Self.variable("TILL_LISTEN_ADDRESS", environment) ?? fileAddress ?? "127.0.0.1"
    port = try Self.port(reader, environment)
    let fileDatabase = try source.resolve(reader.text("database"))
    database = try Self.variable("TILL_DATABASE", environment) ?? fileDatabase
    appReturnBase = try Self.returnBase(reader)
    appDeepLink = try Self.deepLink(reader, returnBase: appReturnBase)
    associations = try Self.associations(reader, source, returnBase: appReturnBase)
    catalogue = try FileCatalogue(
      json: source.json(
        at: source.resolve(reader.text("catalogue")), setting: "catalogue"))
    buyers = try FileBuyers(
      json: source.json(at: source.resolve(reader.text("buyers")), setting: "buyers"))
    authenticator = try FileAuthenticator(
      json: source.json(at: source.resolve(reader.text("app_tokens")), setting: "app_tokens"),
      operatorKeys: OperatorKey.keys(reader, source), metricsKey: Self.metricsKey(reader))
    limits = try Self.limits(reader)
    tabby = try Self.tabby(reader, source)
    futa = try Self.futa(reader, source)
    rais = try Self.rais(reader, source, returnBase: appReturnBase)
    tebex = try Self.tebex(reader, source)
    seb = try Self.seb(reader, source)
    fulfilment = try Self.fulfilment(reader)
    policy = SettlementPolicy(
      capture: try reader.choice("capture", or: .automatic),
      fulfilOn: try reader.choice("fulfil_on", or: .captured),
      lateMoney: try reader.choice("late_money", or: .hold))
    supersede = try reader.choice("supersede", or: .deny)
    lapseAfter = .seconds(3_600 * (try reader.integer("lapse_after_hours", in: 1...720) ?? 24))
    readGap = .milliseconds(try reader.integer("read_gap_ms", in: 100...60_000) ?? 2_000)
    language = try Self.language(reader, hasTabby: !tabby.isEmpty)
    trustedProxies = try Self.ranges("trusted_proxies", reader)
    let rules = try Self.rules(reader, source)
    webhookSources = rules.webhookSources
    readsPerMinute = rules.readsPerMinute
    policy.unreportedAmounts = rules.unreportedAmounts
    webhookBodyLife = .seconds(
      (try reader.integer("webhook_body_days", in: 1...3_650) ?? 30) * 86_400)
    drainGrace = .seconds(try reader.integer("drain_seconds", in: 1...300) ?? 10)
    try checkAccounts(reader)
    try checkRules()
  }

  private static func variable(
    _ name: String, _ environment: [String: String]
  ) throws(ConfigurationError) -> String? {
    guard let text = environment[name] else { return nil }
    guard !text.allSatisfy(\.isWhitespace) else { throw ConfigurationError(name, "is blank") }
    return text
  }

  private static func port(
    _ reader: SettingsReader, _ environment: [String: String]
  ) throws(ConfigurationError) -> UInt16 {
    if let text = environment["TILL_LISTEN_PORT"] {
      guard let port = UInt16(text) else {
        throw ConfigurationError("TILL_LISTEN_PORT", "must be a whole number from 0 to 65535")
      }
      return port
    }
    return UInt16(clamping: try reader.integer("listen_port", in: 0...65_535) ?? 8_080)
  }

  private static func fulfilment(
    _ reader: SettingsReader
  ) throws(ConfigurationError) -> OutboxSettings? {
    let allowed: Set<String> = ["url", "secret", "timeout_seconds"]
    guard let settings = try reader.object("fulfilment", allowed: allowed) else { return nil }
    let url = try settings.text("url")
    guard url.hasPrefix("http://") || url.hasPrefix("https://") else {
      throw ConfigurationError("fulfilment.url", "must be an http or https URL")
    }
    guard !url.drop(while: { $0 != "/" }).dropFirst(2).prefix(while: { $0 != "/" }).contains("@")
    else {
      throw ConfigurationError(
        "fulfilment.url", "holds a user or password; messages are signed with the secret instead")
    }
    var outbox = OutboxSettings(
      url: url, secret: try settings.secret("secret", bytesMin: SettingsSource.ownSecretBytesMin))
    // Well within the minute after which readiness calls a silent worker dead.
    if let seconds = try settings.integer("timeout_seconds", in: 1...45) {
      outbox.deadline = .seconds(seconds)
    }
    return outbox
  }
}
