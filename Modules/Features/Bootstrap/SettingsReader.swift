import PaymentModels
import StrictJSON
import SystemRuntime

/// Reads the members of one object of the configuration file, with errors that name the member.
struct SettingsReader {
  let path: String
  private let json: JSONValue
  private let source: SettingsSource

  /// - Parameter allowed: a member that is not among them is refused, so that a misspelt setting
  ///   never passes in silence.
  init(
    _ json: JSONValue, path: String, allowed: Set<String>, source: SettingsSource
  ) throws(ConfigurationError) {
    guard let members = json.members else {
      // The whole file has no path of its own, and is named as when it cannot be read.
      throw ConfigurationError(path.isEmpty ? "--config" : path, "must be a JSON object")
    }
    self.json = json
    self.path = path
    self.source = source
    if let stranger = members.first(where: { !allowed.contains($0.name) }) {
      throw ConfigurationError(
        name(stranger.name), "is not a setting; known: \(allowed.sorted().joined(separator: ", "))")
    }
  }

  /// The rows of a data file, `{"products": [{…}]}`, each with its place for errors.
  static func rows(
    _ json: JSONValue, file: String, member: String, allowed: Set<String>
  ) throws(ConfigurationError) -> [SettingsReader] {
    // Data files hold no secrets, so there is nothing to look up.
    let source = SettingsSource(directory: ".", environment: [:])
    guard json.members != nil else {
      throw ConfigurationError(file, "must be a JSON object whose one member is \(member)")
    }
    let whole = try SettingsReader(json, path: file, allowed: [member], source: source)
    var rows: [SettingsReader] = []
    for (index, element) in try whole.elements(member).enumerated() {
      rows.append(
        try SettingsReader(
          element, path: "\(file).\(member)[\(index)]", allowed: allowed, source: source))
    }
    return rows
  }

  func text(_ member: String) throws(ConfigurationError) -> String {
    guard let text = try optionalText(member) else {
      throw ConfigurationError(name(member), "is missing")
    }
    return text
  }

  func optionalText(_ member: String) throws(ConfigurationError) -> String? {
    guard let value = json[member] else { return nil }
    guard let text = value.text, !text.allSatisfy(\.isWhitespace) else {
      throw ConfigurationError(name(member), "must be a text that is not blank")
    }
    return text
  }

  func integer(
    _ member: String, in range: ClosedRange<Int64>
  ) throws(ConfigurationError) -> Int64? {
    guard let value = json[member] else { return nil }
    guard let number = value.int64, range.contains(number) else {
      throw ConfigurationError(
        name(member), "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// A decimal, written as text or as a number, in its own digits.
  func decimal(_ member: String) throws(ConfigurationError) -> String {
    guard let value = json[member] else { throw ConfigurationError(name(member), "is missing") }
    guard let text = value.text ?? value.numberText else {
      throw ConfigurationError(name(member), "must be a decimal such as 19.99")
    }
    return text
  }

  func choice<Value: RawRepresentable & CaseIterable>(
    _ member: String, or fallback: Value
  ) throws(ConfigurationError) -> Value where Value.RawValue == String {
    guard let text = try optionalText(member) else { return fallback }
    guard let value = Value(rawValue: text) else {
      let words = Value.allCases.map(\.rawValue).joined(separator: ", ")
      throw ConfigurationError(name(member), "must be one of \(words)")
    }
    return value
  }

  func has(_ member: String) -> Bool { json[member] != nil }

  func flag(_ member: String) throws(ConfigurationError) -> Bool? {
    guard let value = json[member] else { return nil }
    guard let flag = value.boolean else {
      throw ConfigurationError(name(member), "must be true or false")
    }
    return flag
  }

  /// A text for which empty means something.
  func textOrEmpty(_ member: String) throws(ConfigurationError) -> String? {
    guard let value = json[member] else { return nil }
    guard let text = value.text else { throw ConfigurationError(name(member), "must be a text") }
    return text
  }

  func texts(_ member: String) throws(ConfigurationError) -> [String]? {
    guard json[member] != nil else { return nil }
    let elements = try elements(member)
    let texts = elements.compactMap(\.text)
    guard texts.count == elements.count else {
      throw ConfigurationError(name(member), "must be an array of texts")
    }
    return texts
  }

  func elements(_ member: String) throws(ConfigurationError) -> [JSONValue] {
    guard let value = json[member] else {
      throw ConfigurationError(name(member), "is missing")
    }
    guard let elements = value.elements, !elements.isEmpty else {
      throw ConfigurationError(name(member), "must be an array with at least one element")
    }
    return elements
  }

  func object(
    _ member: String, allowed: Set<String>
  ) throws(ConfigurationError) -> SettingsReader? {
    guard let value = json[member] else { return nil }
    return try SettingsReader(value, path: name(member), allowed: allowed, source: source)
  }

  /// - Parameter bytesMin: a shorter one is refused, where the length is ours to ask for.
  func secret(_ member: String, bytesMin: Int = 1) throws(ConfigurationError) -> Secret {
    guard let value = json[member] else {
      throw ConfigurationError(name(member), "is missing")
    }
    return try source.secret(value, path: name(member), bytesMin: bytesMin)
  }

  func secrets(_ member: String, bytesMin: Int = 1) throws(ConfigurationError) -> [Secret] {
    var secrets: [Secret] = []
    for (index, element) in try elements(member).enumerated() {
      secrets.append(
        try source.secret(element, path: "\(name(member))[\(index)]", bytesMin: bytesMin))
    }
    return secrets
  }

  func name(_ member: String) -> String { path.isEmpty ? member : "\(path).\(member)" }
}
