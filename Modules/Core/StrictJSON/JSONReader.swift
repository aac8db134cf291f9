/// Bounds for reading JSON.
public struct JSONLimits: Hashable, Sendable {
  /// Longest text, bytes.
  public var bytesMax: Int
  /// Deepest nesting of arrays and objects, at most 128: values are walked by recursion, and 128
  /// levels fit into a stack of 512 KiB, the usual one of a second thread, in a debug build too.
  public var depthMax: Int

  /// 1 MiB and 64 levels, unless told.
  public init(bytesMax: Int = 1 << 20, depthMax: Int = 64) {
    self.bytesMax = bytesMax
    self.depthMax = depthMax
  }
}

/// Why a text is not the JSON that the kit accepts.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A constant text: `duplicate name`, `depth over the limit`, …
  public let reason: String
  /// Where, in bytes from the start.
  public let offset: Int

  /// Builds an error.
  public init(_ reason: String, offset: Int) {
    self.reason = reason
    self.offset = offset
  }

  /// Reason and place; never the text itself, which may hold personal data.
  public var description: String { "\(reason) at byte \(offset)" }
}

extension JSONValue {
  /// Reads one JSON text (RFC 8259), strictly: no duplicate names, trailing commas, byte order
  /// mark, lone surrogates, control characters in strings, bytes after the value, invalid UTF-8.
  ///
  /// Two names are duplicates if a lookup could not tell them apart: after escapes are resolved,
  /// and also when they differ in Unicode normalisation alone.
  ///
  /// - Throws: ``JSONError``.
  public init(parsing bytes: [UInt8], limits: JSONLimits = JSONLimits()) throws(JSONError) {
    precondition((0...128).contains(limits.depthMax), "depthMax is 0 to 128")
    guard bytes.count <= limits.bytesMax else {
      throw JSONError("length over the limit", offset: limits.bytesMax)
    }
    guard !bytes.starts(with: [0xEF, 0xBB, 0xBF]) else {
      throw JSONError("byte order mark", offset: 0)
    }
    var reader = JSONReader(bytes: bytes, depthMax: limits.depthMax)
    self = try reader.document()
  }
}

/// Recursive descent over the bytes of one text.
struct JSONReader {
  let bytes: [UInt8]
  let depthMax: Int
  var position = 0
  private var depth = 0

  init(bytes: [UInt8], depthMax: Int) {
    self.bytes = bytes
    self.depthMax = depthMax
  }

  /// The byte at `position`; 0 at the end, which no rule of the grammar accepts either.
  var current: UInt8 { position < bytes.count ? bytes[position] : 0 }

  /// The error for a byte, or an end of the text, where the grammar wants something else.
  func unexpected() -> JSONError {
    JSONError(
      position < bytes.count ? "unexpected byte" : "text ends too early", offset: position)
  }

  mutating func document() throws(JSONError) -> JSONValue {
    skipSpace()
    let value = try value()
    skipSpace()
    guard position == bytes.count else {
      throw JSONError("bytes after the value", offset: position)
    }
    return value
  }

  private mutating func value() throws(JSONError) -> JSONValue {
    switch current {
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "{"): return try object()
    case UInt8(ascii: "["): return try array()
    case UInt8(ascii: "t"): return try literal("true", .bool(true))
    case UInt8(ascii: "f"): return try literal("false", .bool(false))
    case UInt8(ascii: "n"): return try literal("null", .null)
    default: return .number(try number())
    }
  }

  private mutating func object() throws(JSONError) -> JSONValue {
    try enter()
    var members: [JSONMember] = []
    var names = NameSet()
    if !closes(UInt8(ascii: "}")) {
      repeat {
        skipSpace()
        let start = position
        guard current == UInt8(ascii: "\"") else { throw unexpected() }
        let name = try string()
        guard names.insert(name, after: members) else {
          throw JSONError("duplicate name", offset: start)
        }
        skipSpace()
        try expect(UInt8(ascii: ":"))
        skipSpace()
        members.append(JSONMember(name: name, value: try value()))
      } while try continues(until: UInt8(ascii: "}"))
    }
    depth -= 1
    return .object(members)
  }

  private mutating func array() throws(JSONError) -> JSONValue {
    try enter()
    var elements: [JSONValue] = []
    if !closes(UInt8(ascii: "]")) {
      repeat {
        skipSpace()
        elements.append(try value())
      } while try continues(until: UInt8(ascii: "]"))
    }
    depth -= 1
    return .array(elements)
  }

  /// Steps over an opening bracket.
  private mutating func enter() throws(JSONError) {
    guard depth < depthMax else { throw JSONError("depth over the limit", offset: position) }
    depth += 1
    position += 1
  }

  /// Whether the array or object that was just opened is empty.
  private mutating func closes(_ bracket: UInt8) -> Bool {
    skipSpace()
    guard current == bracket else { return false }
    position += 1
    return true
  }

  /// Whether another element follows: true after a comma, false after the closing bracket.
  private mutating func continues(until bracket: UInt8) throws(JSONError) -> Bool {
    skipSpace()
    let byte = current
    guard byte == UInt8(ascii: ",") || byte == bracket else { throw unexpected() }
    position += 1
    return byte != bracket
  }

  private mutating func literal(
    _ word: StaticString, _ value: JSONValue
  ) throws(JSONError) -> JSONValue {
    for byte in "\(word)".utf8 { try expect(byte) }
    return value
  }

  private mutating func expect(_ byte: UInt8) throws(JSONError) {
    guard current == byte else { throw unexpected() }
    position += 1
  }

  private mutating func skipSpace() {
    while true {
      switch current {
      case 0x20, 0x0A, 0x0D, 0x09: position += 1
      default: return
      }
    }
  }
}

/// The names seen in one object. A small object is searched from end to end, which is faster
/// than hashing; a big one gets a set, so that its time grows with its size alone.
struct NameSet {
  /// Most names that are searched without a set.
  static let linearMax = 24
  private var set: Set<String> = []

  /// Remembers `name`; false if it stands in `members`, which hold the names remembered so far.
  mutating func insert(_ name: String, after members: [JSONMember]) -> Bool {
    if members.count < Self.linearMax { return !members.contains { $0.name == name } }
    if set.isEmpty { set = Set(members.map(\.name)) }
    return set.insert(name).inserted
  }
}
