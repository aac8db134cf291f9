import HTTPExchange
import PaymentModels
import PaymentStore

extension ServerConfiguration {
  /// What holds for single accounts, whatever their provider.
  struct AccountRules {
    var webhookSources: [AccountKey: [IPRange]] = [:]
    var unreportedAmounts: Set<AccountKey> = []
    var readsPerMinute: [AccountKey: Int] = [:]
  }

  /// Reads `account_rules`. Whether each names an account is checked by ``checkRules()``, once all
  /// accounts are known.
  static func rules(
    _ reader: SettingsReader, _ source: SettingsSource
  ) throws(ConfigurationError) -> AccountRules {
    var rules = AccountRules()
    guard reader.has("account_rules") else { return rules }
    var seen: Set<AccountKey> = []
    for (index, element) in try reader.elements("account_rules").enumerated() {
      let path = "account_rules[\(index)]"
      let rule = try SettingsReader(
        element, path: path,
        allowed: [
          "provider", "account", "webhook_sources", "amount_not_reported", "reads_per_minute",
        ],
        source: source)
      let key = AccountKey(
        ProviderName(try rule.text("provider")), ProviderAccount(try rule.text("account")))
      guard seen.insert(key).inserted else {
        throw ConfigurationError(path, "names an account for which another rule stands already")
      }
      if rule.has("webhook_sources") {
        rules.webhookSources[key] = try ranges("webhook_sources", rule)
      }
      if try rule.flag("amount_not_reported") ?? false { rules.unreportedAmounts.insert(key) }
      rules.readsPerMinute[key] = try rule.integer("reads_per_minute", in: 1...100_000).map {
        Int($0)
      }
    }
    return rules
  }

  /// Refuses a rule for an account that is not there: it would protect nothing.
  func checkRules() throws(ConfigurationError) {
    let named = Set(webhookSources.keys).union(policy.unreportedAmounts).union(readsPerMinute.keys)
    guard named.isSubset(of: accountKeys) else {
      let known = accountKeys.map { "\($0.provider) \($0.account)" }.sorted()
      throw ConfigurationError(
        "account_rules",
        "names an account that is not configured; known: \(known.joined(separator: ", "))")
    }
  }

  /// Whether every delivery would be refused, because the peer is always a proxy: the server
  /// listens where nobody outside reaches it, and no proxy is trusted to say who came.
  var hidesWebhookSources: Bool {
    !webhookSources.isEmpty && trustedProxies.isEmpty
      && IPAddress(address).map(\.isPrivate) ?? false
  }

  static func ranges(
    _ member: String, _ reader: SettingsReader
  ) throws(ConfigurationError) -> [IPRange] {
    guard let texts = try reader.texts(member) else { return [] }
    var ranges: [IPRange] = []
    for (index, text) in texts.enumerated() {
      guard let range = IPRange(text) else {
        throw ConfigurationError(
          "\(reader.name(member))[\(index)]",
          "must be an address or a block such as 198.51.100.0/28, without bits behind its prefix")
      }
      // Whoever is let in from everywhere, or believed about where others are, is everybody.
      guard !range.isEverything else {
        throw ConfigurationError(
          "\(reader.name(member))[\(index)]", "names every address; name those that are meant")
      }
      ranges.append(range)
    }
    return ranges
  }
}
