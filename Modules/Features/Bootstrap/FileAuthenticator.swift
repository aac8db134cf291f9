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
    guard let elements = json["tokens"]?.elements else {
      throw ConfigurationError("app_tokens", "must hold an array “tokens”")
    }
    for (index, element) in elements.enumerated() {
      guard let subject = element["subject"]?.text, !subject.isEmpty,
        let hash = element["token_sha256"]?.text, hash.utf8.count == 64
      else {
        throw ConfigurationError(
          "app_tokens.tokens[\(index)]", "needs subject and token_sha256 (64 hexadecimal digits)")
      }
      callers[hash] = .user(Subject(subject))
    }
    for key in operatorKeys { callers[Self.hash(key)] = .operator }
  }

  func caller(of token: Secret) async -> Caller? { callers[Self.hash(token)] }

  static func hash(_ token: Secret) -> String {
    hexText(Hashing.openSSL.sha256(Array(token.reveal().utf8)))
  }
}
