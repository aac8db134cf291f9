/// A JSON value that keeps what the text said: numbers as their decimal text, object members in
/// their order.
public enum JSONValue: Hashable, Sendable {
  /// `null`
  case null
  /// `true` or `false`
  case bool(Bool)
  /// A number, as its text: `1.0` and `1` differ. Money is read from this text.
  case number(String)
  /// A string, escapes resolved.
  case string(String)
  /// An array.
  case array([JSONValue])
  /// An object; no name occurs twice.
  case object([JSONMember])

  /// An object from pairs in their order.
  public static func object(_ pairs: KeyValuePairs<String, JSONValue>) -> JSONValue {
    .object(pairs.map { JSONMember(name: $0.key, value: $0.value) })
  }

  /// A whole number.
  public static func integer(_ value: some BinaryInteger) -> JSONValue { .number(String(value)) }

  /// The string, or `null` for nil.
  public static func optional(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }

  /// The member of that name; nil if there is none or this is not an object.
  public subscript(name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  /// The element at `index`; nil if there is none or this is not an array.
  public subscript(index: Int) -> JSONValue? {
    guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
    return elements[index]
  }

  /// The text of a string, else nil.
  public var text: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// The text of a number, else nil.
  public var numberText: String? {
    if case .number(let text) = self { text } else { nil }
  }

  /// The number as a 64-bit integer if its text is one (no point, no exponent), else nil.
  public var int64: Int64? {
    numberText.flatMap { Int64($0) }
  }

  /// The truth value, else nil.
  public var boolean: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  /// The elements of an array, else nil.
  public var elements: [JSONValue]? {
    if case .array(let elements) = self { elements } else { nil }
  }

  /// The members of an object, else nil.
  public var members: [JSONMember]? {
    if case .object(let members) = self { members } else { nil }
  }

  /// Whether this is `null`.
  public var isNull: Bool { self == .null }
}

/// One member of a JSON object.
public struct JSONMember: Hashable, Sendable {
  /// The name, escapes resolved.
  public var name: String
  /// The value.
  public var value: JSONValue

  /// Pairs a name with a value.
  public init(name: String, value: JSONValue) {
    self.name = name
    self.value = value
  }
}

extension JSONValue: ExpressibleByStringLiteral {
  /// A string.
  public init(stringLiteral text: String) { self = .string(text) }
}
