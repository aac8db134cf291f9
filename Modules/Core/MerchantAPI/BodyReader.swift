import StrictJSON

/// A member of a body that is missing or wrong. Becomes a 422 problem document.
public struct BodyError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Where in the body: `items[0].quantity`; empty for the body itself.
  public let path: String
  /// What is wrong; never the value.
  public let reason: String

  /// Builds an error.
  public init(path: String, _ reason: String) {
    self.path = path
    self.reason = reason
  }

  /// Path and reason.
  public var description: String { path.isEmpty ? "the body \(reason)" : "\(path) \(reason)" }
}

/// Reads the members of one JSON object, with errors that name the member.
///
/// Lengths are counted in Unicode scalars, as JSON Schema counts them, so that the OpenAPI document
/// says exactly what is taken.
struct BodyReader {
  /// Longest name of a provider.
  static let nameMax = 32
  /// Longest reason.
  static let reasonMax = 255

  private let json: JSONValue
  private let path: String

  init(_ json: JSONValue, allowed: Set<String>, path: String = "") throws(BodyError) {
    guard let members = json.members else { throw BodyError(path: path, "must be an object") }
    self.json = json
    self.path = path
    if let stranger = members.first(where: { !allowed.contains($0.name) }) {
      throw BodyError(path: member(String(stranger.name.prefix(40))), "is not a known member")
    }
  }

  func text(_ name: String, lengthMax: Int) throws(BodyError) -> String {
    guard let text = try optionalText(name, lengthMax: lengthMax) else {
      throw BodyError(path: member(name), "is missing")
    }
    return text
  }

  func optionalText(_ name: String, lengthMax: Int) throws(BodyError) -> String? {
    guard let value = json[name], !value.isNull else { return nil }
    guard let text = value.text, !text.isEmpty, text.unicodeScalars.count <= lengthMax else {
      throw BodyError(path: member(name), "must be a text of 1 to \(lengthMax) characters")
    }
    return text
  }

  /// Why an operator does what is asked: one line for the journal.
  ///
  /// At most 255 characters: a sentence or two, and what Tabby takes as the reason of a refund.
  func reason() throws(BodyError) -> String {
    let text = try text("reason", lengthMax: Self.reasonMax)
    let scalars = text.unicodeScalars
    guard !scalars.allSatisfy(\.properties.isWhitespace),
      scalars.allSatisfy({ $0.properties.generalCategory != .control })
    else { throw BodyError(path: member("reason"), "must be one line that is not blank") }
    return text
  }

  private func member(_ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }
}

extension JSONSchema {
  /// What ``BodyReader/reason()`` takes: some character that is no white space, and no control.
  static let reason = text(
    1...BodyReader.reasonMax, pattern: "^\(noControl)*\(visible)\(noControl)*$")
  /// A provider's name in a body.
  static let providerName = text(1...BodyReader.nameMax)

  private static let controls = #"\u0000-\u001F\u007F-\u009F"#
  private static let noControl = "[^\(controls)]"
  // Spaces one by one: some readers of patterns know no range of them.
  private static let visible =
    "[^\(controls)" + #"\u0020\u00A0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007"#
    + #"\u2008\u2009\u200A\u2028\u2029\u202F\u205F\u3000]"#
}
