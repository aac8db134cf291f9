import StrictJSON
import SystemRuntime

@testable import Bootstrap

/// The files of a shop that is set up right, to be changed one setting at a time.
struct ShopFiles: Sendable {
  /// Secrets that no message may show.
  static let tabbyKey = "sk_test_5up3r-s3cret"
  static let operatorKey = "op_5up3r-s3cret-operator"
  static let webhookValue = "whk_5up3r-s3cret-webhook"
  static let fulfilmentSecret = "ful_5up3r-s3cret-fulfil"

  var settings = """
    {"listen_port": 8081, "database": "till.sqlite", "app_return_base": "myshop://checkout",
     "catalogue": "catalogue.json", "buyers": "buyers.json", "app_tokens": "app-tokens.json",
     "operator_keys": [{"key": {"env": "TILL_OPERATOR_KEY"}, "name": "anna"}],
     "tabby": [{"account": "main", "region": "emirates_and_kuwait", "merchant_code": "AE",
       "secret_key": {"env": "TILL_TABBY_SECRET_KEY"},
       "webhook_header": {"title": "X-Webhook-Token",
         "values": [{"env": "TILL_TABBY_WEBHOOK_SECRET"}]}}],
     "fulfilment": {"url": "http://127.0.0.1:9000/orders",
       "secret": {"env": "TILL_FULFILMENT_SECRET"}}}
    """
  var environment = [
    "TILL_TABBY_SECRET_KEY": tabbyKey, "TILL_OPERATOR_KEY": operatorKey,
    "TILL_TABBY_WEBHOOK_SECRET": webhookValue, "TILL_FULFILMENT_SECRET": fulfilmentSecret,
  ]
  var catalogue = """
    {"products": [{"id": "tee", "title": "Cotton T-shirt", "price": "85.00", "currency": "AED"}]}
    """
  var buyers = """
    {"buyers": [{"subject": "u1", "name": "Test Payer", "email": "payer@example.com",
      "phone": "+971500000001"}]}
    """
  var tokens = "{\"tokens\": [{\"subject\": \"u1\", \"token_sha256\": \"\(hash)\"}]}"

  static let hash = String(repeating: "0a", count: 32)

  /// The same files with a part of the settings replaced; the part must be there.
  func replacing(_ part: String, with other: String) -> ShopFiles {
    precondition(settings.contains(part), "nothing to replace: \(part)")
    var files = self
    files.settings = settings.replacing(part, with: other)
    return files
  }

  func setting(_ variable: String, to value: String?) -> ShopFiles {
    var files = self
    files.environment[variable] = value
    return files
  }

  /// Reads the files as the server does at its start.
  func configuration(in directory: String) throws -> ServerConfiguration {
    try Files.replace("\(directory)/till-server.json", with: Array(settings.utf8))
    try Files.replace("\(directory)/catalogue.json", with: Array(catalogue.utf8))
    try Files.replace("\(directory)/buyers.json", with: Array(buyers.utf8))
    try Files.replace("\(directory)/app-tokens.json", with: Array(tokens.utf8))
    return try ServerConfiguration(
      file: "\(directory)/till-server.json", environment: environment)
  }

  /// Why the server would not start; nil if it would.
  func refusal(in directory: String) throws -> ConfigurationError? {
    do {
      _ = try configuration(in: directory)
      return nil
    } catch let error as ConfigurationError {
      return error
    }
  }
}
