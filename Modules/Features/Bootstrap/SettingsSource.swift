import PaymentModels
package import StrictJSON
import SystemRuntime

/// Where settings come from: the file's directory, and the environment as it was at start.
package struct SettingsSource: Sendable {
  /// Longest configuration or data file, bytes.
  static let fileBytesMax = 1 << 20
  /// Longest secret, bytes.
  static let secretBytesMax = 4_096
  /// Shortest secret of our own choosing, bytes: nobody guesses 16.
  static let ownSecretBytesMin = 16

  let directory: String
  let environment: [String: String]
  /// Files that stand for those on disk, by their path.
  var files: [String: JSONValue]

  package init(
    directory: String, environment: [String: String], files: [String: JSONValue] = [:]
  ) {
    self.directory = directory
    self.environment = environment
    self.files = files
  }

  /// A path from the file, which counts from the file's own directory unless it is absolute.
  func resolve(_ path: String) -> String {
    path.hasPrefix("/") ? path : "\(directory)/\(path)"
  }

  /// A file as JSON; lines that begin with `//` are comments.
  func json(at path: String, setting: String) throws(ConfigurationError) -> JSONValue {
    if let json = files[path] { return json }
    let bytes: [UInt8]
    do {
      bytes = try Files.read(path, bytesMax: Self.fileBytesMax)
    } catch {
      throw ConfigurationError(setting, "the file \(path) cannot be read: \(error)")
    }
    do {
      return try JSONValue(parsing: blankingComments(bytes))
    } catch {
      throw ConfigurationError(
        setting,
        "the file \(path) is not JSON: \(error.reason) at \(place(of: error.offset, in: bytes))")
    }
  }

  /// A secret, named by where it lies: `{"env": "NAME"}` or `{"file": "path"}`. Written into the
  /// configuration itself it is refused: that file gets copied, shown and committed.
  func secret(
    _ json: JSONValue, path: String, bytesMin: Int
  ) throws(ConfigurationError) -> Secret {
    guard let members = json.members, members.count == 1, let place = members[0].value.text else {
      throw ConfigurationError(
        path,
        "must be {\"env\": \"NAME\"} or {\"file\": \"path\"}; a secret never stands here itself")
    }
    let text: String
    let origin: String
    switch members[0].name {
    case "env":
      origin = "the environment variable \(place)"
      guard let value = environment[place] else {
        // Variables have small letters but by choice; keys have them, and get pasted here.
        guard !place.contains(where: { !$0.isASCII || $0.isLowercase }) else {
          throw ConfigurationError(
            path,
            "names no environment variable that is set; \"env\" takes a variable's name, and the "
              + "secret itself belongs into that variable")
        }
        throw ConfigurationError(path, "\(origin) is not set")
      }
      text = value
    case "file":
      origin = "the file \(resolve(place))"
      text = try secretFile(resolve(place), path)
    default:
      throw ConfigurationError(path, "must name \"env\" or \"file\"")
    }
    let trimmed = trim(text)
    guard !trimmed.isEmpty else { throw ConfigurationError(path, "\(origin) is blank") }
    guard !isPlaceholder(trimmed) else {
      throw ConfigurationError(path, "\(origin) holds a placeholder, not a secret")
    }
    // What a header or signature is made of: a second line or a pasted label is a mistake.
    guard trimmed.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw ConfigurationError(path, "\(origin) must hold one word of visible ASCII characters")
    }
    guard trimmed.utf8.count >= bytesMin else {
      throw ConfigurationError(path, "\(origin) is shorter than \(bytesMin) characters")
    }
    return Secret(trimmed)
  }

  private func secretFile(
    _ file: String, _ setting: String
  ) throws(ConfigurationError) -> String {
    do {
      guard try !Files.isOpenToOthers(file) else {
        throw ConfigurationError(
          setting, "the file \(file) can be read by other users; run chmod 600 on it")
      }
      let bytes = try Files.read(file, bytesMax: Self.secretBytesMax)
      return String(decoding: bytes, as: UTF8.self)
    } catch let error as ConfigurationError {
      throw error
    } catch {
      throw ConfigurationError(setting, "the file \(file) cannot be read: \(error)")
    }
  }

  private func trim(_ text: String) -> String {
    let start = text.drop(while: \.isWhitespace)
    return String(start.reversed().drop(while: \.isWhitespace).reversed())
  }
}

/// Whether a text is what templates and tutorials write where a secret belongs. A prefix that the
/// provider asks for is looked behind: `sk_test_changeme` is no key.
func isPlaceholder(_ text: String) -> Bool {
  var folded = text.lowercased()[...]
  for prefix in ["sk_test_", "sk_", "pk_test_", "pk_"] where folded.hasPrefix(prefix) {
    folded = folded.dropFirst(prefix.count)
    break
  }
  let whole: Set<Substring> = [
    "secret", "password", "passwort", "example", "dummy", "test", "todo", "tbd", "none", "null",
    "key", "token", "default", "fixme",
  ]
  let parts = [
    "changeme", "change_me", "change-me", "change me", "replaceme", "replace_me", "replace-me",
    "placeholder", "your-", "your_", "yourkey", "insert-", "insert_", "xxxx", "...", "…", "<", "{{",
    "${",
  ]
  return whole.contains(folded) || parts.contains { folded.contains($0) }
    || folded.count > 1 && Set(folded).count == 1
}
