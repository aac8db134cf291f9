import KitEnvironment
import MerchantServer
import PaymentModels
import StrictJSON
import SystemCrypto

/// Callers by a file of token hashes: enough for a demo. Replace it by your own sessions.
struct FileAuthenticator: Sendable {
  /// SHA-256 in hexadecimal → whose token it is. Looking a hash up tells nothing about a token.
  private var callers: [String: Caller] = [:]
  /// When each app token that has an end is good no more.
  private var ends: [String: Instant] = [:]

  /// Reads `{"tokens": [{"subject", "token_sha256", "expires_at"}]}`: no token stands in a file.
  ///
  /// A subject may have several tokens at once, so that a new one is handed out before the old one
  /// runs out.
  init(
    json: JSONValue, operatorKeys: [OperatorKey], metricsKey: Secret? = nil
  ) throws(ConfigurationError) {
    let rows = try SettingsReader.rows(
      json, file: "app_tokens", member: "tokens",
      allowed: ["subject", "token_sha256", "expires_at"])
    for row in rows {
      let hash = try row.text("token_sha256")
      guard hash.utf8.count == 64, hash.utf8.allSatisfy({ Self.isHexDigit($0) }) else {
        throw ConfigurationError(
          row.name("token_sha256"), "must be 64 hexadecimal digits in lower case")
      }
      let user = Caller.user(Subject(try row.text("subject")))
      guard callers.updateValue(user, forKey: hash) == nil else {
        throw ConfigurationError(row.name("token_sha256"), "stands twice")
      }
      guard let text = try row.optionalText("expires_at") else { continue }
      guard let end = Instant(iso8601: text) else {
        throw ConfigurationError(
          row.name("expires_at"), "must be an instant as ISO 8601 has it: 2027-01-31T00:00:00Z")
      }
      ends[hash] = end
    }
    for (index, key) in operatorKeys.enumerated() {
      guard callers.updateValue(.operator(key.name), forKey: Self.hash(key.key)) == nil else {
        throw ConfigurationError(
          "operator_keys[\(index)].key", "is an app token too, or stands twice")
      }
    }
    guard let metricsKey else { return }
    guard callers.updateValue(.monitor, forKey: Self.hash(metricsKey)) == nil else {
      throw ConfigurationError("metrics_key", "is an app token or an operator's key too")
    }
  }

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    (48...57).contains(byte) || (97...102).contains(byte)
  }

  /// Who a token speaks for; a token is good until the instant before its end.
  func caller(of token: Secret, at now: Instant) -> Caller? {
    let hash = Self.hash(token)
    guard let caller = callers[hash] else { return nil }
    return ends[hash].map { $0 <= now } ?? false ? nil : caller
  }

  /// The same callers, by the time of a clock.
  func timed(by clock: KitClock) -> TimedAuthenticator {
    TimedAuthenticator(file: self, clock: clock)
  }

  /// Whether a token was good once.
  func hasExpired(_ token: Secret, at now: Instant) -> Bool {
    ends[Self.hash(token)].map { $0 <= now } ?? false
  }

  /// The ends of the app tokens that have one, soonest first, and how many have none.
  var tokenEnds: (ends: [Instant], endless: Int) {
    (ends.values.sorted(), callers.values.count(where: \.isPayer) - ends.count)
  }

  static func hash(_ token: Secret) -> String {
    hexText(Hashing.openSSL.sha256(Array(token.reveal().utf8)))
  }
}

/// The callers of a file, by the time of a clock.
struct TimedAuthenticator: CallerAuthenticator {
  let file: FileAuthenticator
  let clock: KitClock

  func caller(of token: Secret) async -> Caller? { file.caller(of: token, at: clock.now()) }

  func hasExpired(_ token: Secret) async -> Bool { file.hasExpired(token, at: clock.now()) }
}

extension Caller {
  fileprivate var isPayer: Bool {
    switch self {
    case .user: true
    case .operator, .monitor: false
    }
  }
}

/// A key of the merchant's staff or tools, and whose it is.
struct OperatorKey: Sendable {
  var name: OperatorName
  var key: Secret

  /// Reads `operator_keys`. A name may stand twice, while its key is changed.
  static func keys(
    _ reader: SettingsReader, _ source: SettingsSource
  ) throws(ConfigurationError) -> [OperatorKey] {
    var keys: [OperatorKey] = []
    for (index, element) in try reader.elements("operator_keys").enumerated() {
      let path = "\(reader.name("operator_keys"))[\(index)]"
      // Without a name nobody could tell later who gave the money back.
      if element["env"] != nil || element["file"] != nil {
        throw ConfigurationError(
          path, "needs a name beside its secret: {\"name\": \"anna\", \"key\": {\"env\": \"NAME\"}}"
        )
      }
      let entry = try SettingsReader(
        element, path: path, allowed: ["name", "key"], source: source)
      let name = try entry.text("name")
      guard isName(name) else {
        throw ConfigurationError(
          entry.name("name"), "must be 1 to \(nameBytesMax) ASCII letters, digits, '.', '-' and '_'"
        )
      }
      keys.append(
        OperatorKey(
          name: OperatorName(name),
          key: try entry.secret("key", bytesMin: SettingsSource.ownSecretBytesMin)))
    }
    return keys
  }

  /// A name stands in each line of the journal that its owner caused.
  private static let nameBytesMax = 40

  private static func isName(_ text: String) -> Bool {
    (1...nameBytesMax).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case 48...57, 65...90, 97...122, UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }
}
