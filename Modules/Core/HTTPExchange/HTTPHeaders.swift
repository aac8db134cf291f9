/// Header fields in the order in which they stand in the message; names compare without case.
public struct HTTPHeaders: Sendable, Hashable, ExpressibleByDictionaryLiteral {
  /// One field.
  public struct Field: Sendable, Hashable {
    /// The name as written.
    public var name: String
    /// The value without surrounding white space.
    public var value: String
  }

  /// All fields, in their order.
  public private(set) var fields: [Field] = []

  /// No fields.
  public init() {}

  /// Fields in the order of the literal.
  public init(dictionaryLiteral elements: (String, String)...) {
    for (name, value) in elements { add(name, value) }
  }

  /// Adds a field behind the others, also if one of the name is there.
  public mutating func add(_ name: String, _ value: String) {
    fields.append(Field(name: name, value: value))
  }

  /// The first value of a name; setting replaces all fields of that name, nil removes them.
  public subscript(name: String) -> String? {
    get { fields.first { equalIgnoringCase($0.name, name) }?.value }
    set {
      fields.removeAll { equalIgnoringCase($0.name, name) }
      if let newValue { add(name, newValue) }
    }
  }

  /// All values of a name, in their order.
  public func values(_ name: String) -> [String] {
    fields.filter { equalIgnoringCase($0.name, name) }.map(\.value)
  }
}

/// Whether two ASCII texts are equal when A–Z counts as a–z; other characters must be the same.
func equalIgnoringCase(_ left: String, _ right: String) -> Bool {
  let (left, right) = (left.utf8, right.utf8)
  return left.count == right.count && left.elementsEqual(right) { folded($0) == folded($1) }
}

private func folded(_ byte: UInt8) -> UInt8 {
  (65...90).contains(byte) ? byte | 0x20 : byte
}
