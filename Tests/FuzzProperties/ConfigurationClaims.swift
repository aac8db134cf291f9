import Bootstrap
import StrictJSON

/// A configuration is taken or refused without a trap; one that is taken says the same when it is
/// written anew; and neither an error nor what is read shows a secret. The first byte says which of
/// the files the rest is.
func checkConfiguration(_ bytes: [UInt8]) throws(BrokenClaim) {
  var input = FuzzInput(bytes)
  let name = input.choice(from: shopFiles.map(\.name))
  let text = input.remainder()
  // It would be read from the machine's own files.
  guard let json = try? JSONValue(parsing: text),
    !String(decoding: text, as: UTF8.self).contains("/dev")
  else { return }
  let isSecretFree = !text.contains(secretMark.utf8)
  switch (read(name, json), (try? JSONValue(parsing: json.serialized())).map { read(name, $0) }) {
  case (.success(let configuration), .success(let again)):
    try hold(
      ordered(configuration) == ordered(again), "what is written anew is read as the same")
    let shown = "\(configuration)"
    try hold(!isSecretFree || !shown.contains(secretMark), "a configuration shows no secret")
  case (.failure(let error), .failure(let again)):
    try hold(error == again, "what is written anew is refused for the same")
    try hold(
      !isSecretFree || !error.description.contains(secretMark), "an error shows no secret")
    try hold(!error.setting.isEmpty && !error.reason.isEmpty, "an error names a setting")
  default: throw BrokenClaim(description: "what is written anew is taken as it was")
  }
}

/// A value and all that is in it, as a text that is the same for equal values: sets and
/// dictionaries have no order of their own.
private func ordered(_ value: Any) -> String {
  let mirror = Mirror(reflecting: value)
  guard !mirror.children.isEmpty else { return "\(value)" }
  let parts = mirror.children.map { "\($0.label ?? ""):\(ordered($0.value))" }
  let isUnordered = mirror.displayStyle == .set || mirror.displayStyle == .dictionary
  return "(\((isUnordered ? parts.sorted() : parts).joined(separator: " ")))"
}

/// Stands in every secret.
private let secretMark = "5up3r-s3cret"

private func read(
  _ name: String, _ json: JSONValue
) -> Result<ServerConfiguration, ConfigurationError> {
  var files: [String: JSONValue] = [:]
  for file in shopFiles {
    files["/nowhere/\(file.name)"] =
      file.name == name ? json : try? JSONValue(parsing: Array(file.text.utf8))
  }
  let source = SettingsSource(
    directory: "/nowhere",
    environment: [
      "TILL_TABBY_SECRET_KEY": "sk_test_\(secretMark)",
      "TILL_OPERATOR_KEY": "op_\(secretMark)-operator", "TILL_SECRET": "any_\(secretMark)-other",
    ], files: files)
  do throws(ConfigurationError) {
    return .success(try ServerConfiguration(file: "/nowhere/till-server.json", source: source))
  } catch {
    return .failure(error)
  }
}

/// The files of a shop that is set up right.
private let shopFiles = [
  (
    name: "till-server.json",
    text: """
    {"listen_port": 8081, "database": "till.sqlite", "app_return_base": "myshop://checkout",
     "catalogue": "catalogue.json", "buyers": "buyers.json", "app_tokens": "app-tokens.json",
     "operator_keys": [{"key": {"env": "TILL_OPERATOR_KEY"}, "name": "anna"}],
     "tabby": [{"account": "main", "merchant_code": "AE",
       "secret_key": {"env": "TILL_TABBY_SECRET_KEY"}}]}
    """
  ),
  (
    name: "catalogue.json",
    text: """
    {"products": [{"id": "tee", "title": "T-shirt", "price": "85.00", "currency": "AED"}]}
    """
  ),
  (
    name: "buyers.json",
    text: """
    {"buyers": [{"subject": "u1", "name": "Test Payer", "email": "payer@example.com",
      "phone": "+971500000001"}]}
    """
  ),
  (
    name: "app-tokens.json",
    text: """
    {"tokens": [{"subject": "u1",
      "token_sha256": "0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a"}]}
    """
  ),
]
