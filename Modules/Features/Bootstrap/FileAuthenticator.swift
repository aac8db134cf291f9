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
  init(json: JSONValue, operatorKeys: [Secret]) throws(ConfigurationError) {
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
      guard callers.updateValue(.operator, forKey: Self.hash(key)) == nil else {
        throw ConfigurationError(
          "operator_keys[\(index)]", "is an app token too, or stands twice")
      }
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
