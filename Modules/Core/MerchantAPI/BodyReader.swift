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
struct BodyReader {
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

  func text(_ name: String, bytesMax: Int) throws(BodyError) -> String {
    guard let text = try optionalText(name, bytesMax: bytesMax) else {
      throw BodyError(path: member(name), "is missing")
    }
    return text
  }

  func optionalText(_ name: String, bytesMax: Int) throws(BodyError) -> String? {
    guard let value = json[name], !value.isNull else { return nil }
    guard let text = value.text, !text.isEmpty, text.utf8.count <= bytesMax else {
      throw BodyError(path: member(name), "must be a text of 1 to \(bytesMax) bytes")
    }
    return text
  }

  /// Why an operator does what is asked: one line for the journal.
  ///
  /// At most 255 bytes: a sentence or two, and what Tabby takes as the reason of a refund.
  func reason() throws(BodyError) -> String {
    let text = try text("reason", bytesMax: 255)
    let scalars = text.unicodeScalars
    guard !scalars.allSatisfy(\.properties.isWhitespace),
      scalars.allSatisfy({ $0.properties.generalCategory != .control })
    else { throw BodyError(path: member("reason"), "must be one line that is not blank") }
    return text
  }

  private func member(_ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }
}
