import KitEnvironment
import MerchantServer
import PaymentModels
import StrictJSON
import SystemCrypto

/// A `CallerAuthenticator` over a file of token hashes: enough for a demo. Replace it by your own
/// sessions.
struct FileAuthenticator: CallerAuthenticator {
  /// SHA-256 in hexadecimal → whose token it is. Looking a hash up tells nothing about a token.
  private var callers: [String: Caller] = [:]

  /// Reads `{"tokens": [{"subject", "token_sha256"}]}`: no token stands in a file.
  init(
    json: JSONValue, operatorKeys: [OperatorKey], metricsKey: Secret? = nil
  ) throws(ConfigurationError) {
    let rows = try SettingsReader.rows(
      json, file: "app_tokens", member: "tokens", allowed: ["subject", "token_sha256"])
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

  func caller(of token: Secret) async -> Caller? { callers[Self.hash(token)] }

  static func hash(_ token: Secret) -> String {
    hexText(Hashing.openSSL.sha256(Array(token.reveal().utf8)))
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
