/// Bounds for reading JSON.
public struct JSONLimits: Hashable, Sendable {
  /// Longest text, bytes.
  public var bytesMax: Int
  /// Deepest nesting of arrays and objects.
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
  /// - Throws: ``JSONError``.
  public init(parsing bytes: [UInt8], limits: JSONLimits = JSONLimits()) throws(JSONError) {
    throw JSONError("not implemented", offset: 0)
  }

  /// The compact text: members in their order, nothing escaped but what must be.
  public func serialized() -> [UInt8] {
    []
  }
}
