import StrictJSON

/// A body typed from a provider's document or from a captured answer, never printed by our own
/// writer: what both sides of a misreading would share is not in it.
public struct GoldenBody: Sendable, CustomStringConvertible {
  /// Which call, and which side of it.
  public let description: String
  /// Where it was typed from, in the words of the provider's page: `OAS`, `captured`, `seed`, or
  /// `assumed` for members that no document shows.
  public let source: String
  /// The text, with white space between members as it was typed.
  public let text: String

  /// Names a body and its source.
  public init(_ description: String, source: String, _ text: String) {
    self.description = description
    self.source = source
    self.text = text
  }

  /// The bytes.
  public var bytes: [UInt8] { Array(text.utf8) }

  /// What is lost when it is decoded and encoded again: nothing but white space may be.
  public func violations() throws -> [String] {
    var found = Violations()
    let json = try JSONValue(parsing: bytes)
    let again = json.serialized()
    found.equal(String(decoding: again, as: UTF8.self), withoutSpace, "the text")
    found.equal(try JSONValue(parsing: again), json, "the value")
    found.expect(!source.isEmpty, "it has no source")
    return found.found
  }

  /// Whether `other` says the same, its members in any order.
  public func isSaid(by other: [UInt8]) throws -> Bool {
    try JSONValue(parsing: other).inOrder == JSONValue(parsing: bytes).inOrder
  }

  /// The same body with members that nobody knows.
  public func withUnknownMembers() throws -> String {
    let json = try JSONValue(parsing: bytes).withUnknownMembers()
    return String(decoding: json.serialized(), as: UTF8.self)
  }

  private var withoutSpace: String {
    var (kept, isInString, isEscaped) = ("", false, false)
    for character in text.unicodeScalars {
      if isInString || !" \n".unicodeScalars.contains(character) {
        kept.unicodeScalars.append(character)
      }
      if character == "\"", !isEscaped { isInString.toggle() }
      isEscaped = character == "\\" && !isEscaped
    }
    return kept
  }
}

extension JSONValue {
  /// The same JSON with members by their names.
  fileprivate var inOrder: JSONValue {
    switch self {
    case .object(let members):
      .object(
        members.map { JSONMember(name: $0.name, value: $0.value.inOrder) }
          .sorted { $0.name < $1.name })
    case .array(let elements): .array(elements.map(\.inOrder))
    default: self
    }
  }
}
