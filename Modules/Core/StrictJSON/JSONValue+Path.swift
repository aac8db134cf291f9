/// A member that is missing or of another kind than the reader of a document needs.
public struct JSONPathError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Where, as names and indices joined by points: `payment.captures.0.amount`.
  public let path: String
  /// A constant text: `is missing`, `is not a string`, …
  public let reason: String

  /// Builds an error.
  public init(path: String, _ reason: String) {
    self.path = path
    self.reason = reason
  }

  /// Path and reason; never the value.
  public var description: String { "\(path) \(reason)" }
}

/// Lookups by path, for mapping a peer's answer to models: an error names the place, so that a
/// log line says which member of which answer was odd without showing the answer.
extension JSONValue {
  /// The value at `path`, names and array indices joined by points; nil if any step is absent or
  /// `null`. Providers use the two alike.
  public func find(_ path: String) -> JSONValue? {
    var value = self
    for step in path.split(separator: ".") {
      let next = Int(step).flatMap { value[$0] } ?? value[String(step)]
      guard let next else { return nil }
      value = next
    }
    return value.isNull ? nil : value
  }

  /// The value at `path`.
  ///
  /// - Throws: ``JSONPathError`` if it is absent or `null`.
  public func at(_ path: String) throws(JSONPathError) -> JSONValue {
    guard let value = find(path) else { throw JSONPathError(path: path, "is missing") }
    return value
  }

  /// The string at `path`.
  ///
  /// - Throws: ``JSONPathError`` if it is absent, `null` or not a string.
  public func text(at path: String) throws(JSONPathError) -> String {
    guard let text = try at(path).text else { throw JSONPathError(path: path, "is not a string") }
    return text
  }

  /// The text of the string or number at `path`: for amounts, which providers send as `"140.00"`
  /// or `140.0`.
  ///
  /// - Throws: ``JSONPathError`` if it is absent, `null` or neither a string nor a number.
  public func decimalText(at path: String) throws(JSONPathError) -> String {
    let value = try at(path)
    guard let text = value.text ?? value.numberText else {
      throw JSONPathError(path: path, "is neither a string nor a number")
    }
    return text
  }

  /// The elements of the array at `path`; none if it is absent or `null`.
  ///
  /// - Throws: ``JSONPathError`` if there is something else.
  public func elements(at path: String) throws(JSONPathError) -> [JSONValue] {
    guard let value = find(path) else { return [] }
    guard let elements = value.elements else {
      throw JSONPathError(path: path, "is not an array")
    }
    return elements
  }
}
