extension JSONReader {
  /// Reads a string; `position` is on its opening quote.
  mutating func string() throws(JSONError) -> String {
    position += 1
    let start = position
    var union: UInt8 = 0
    while position < bytes.count {
      let byte = bytes[position]
      switch byte {
      case UInt8(ascii: "\""):
        let slice = bytes[start..<position]
        position += 1
        // ASCII needs no check, and most strings are.
        return union < 0x80
          ? String(decoding: slice, as: UTF8.self) : try decoded(slice, at: start)
      case UInt8(ascii: "\\"): return try escapedString(from: start)
      case ..<0x20: throw JSONError("control character in a string", offset: position)
      default:
        union |= byte
        position += 1
      }
    }
    throw unexpected()
  }

  /// The rest of a string from its first escape on; `start` is behind the opening quote.
  private mutating func escapedString(from start: Int) throws(JSONError) -> String {
    // An escape yields whole characters, so it can neither complete nor hide a broken sequence
    // beside it: checking the resolved bytes once, at the end, is enough.
    var resolved = Array(bytes[start..<position])
    while position < bytes.count {
      let byte = bytes[position]
      switch byte {
      case UInt8(ascii: "\""):
        position += 1
        return try decoded(resolved[...], at: start)
      case UInt8(ascii: "\\"): resolved.append(contentsOf: UTF8.encode(try escape()) ?? .init())
      case ..<0x20: throw JSONError("control character in a string", offset: position)
      default:
        resolved.append(byte)
        position += 1
      }
    }
    throw unexpected()
  }

  /// Text of UTF-8 bytes. The standard library mends broken sequences when it decodes; a text
  /// that reads back as other bytes was broken.
  private func decoded(_ slice: ArraySlice<UInt8>, at start: Int) throws(JSONError) -> String {
    let text = String(decoding: slice, as: UTF8.self)
    guard text.utf8.elementsEqual(slice) else { throw JSONError("invalid UTF-8", offset: start) }
    return text
  }

  /// Resolves the escape at `position`.
  private mutating func escape() throws(JSONError) -> Unicode.Scalar {
    let start = position
    position += 1
    let byte = current
    guard byte != UInt8(ascii: "u") else { return try unicodeEscape(from: start) }
    let scalar: Unicode.Scalar
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): scalar = Unicode.Scalar(byte)
    case UInt8(ascii: "b"): scalar = "\u{8}"
    case UInt8(ascii: "f"): scalar = "\u{C}"
    case UInt8(ascii: "n"): scalar = "\n"
    case UInt8(ascii: "r"): scalar = "\r"
    case UInt8(ascii: "t"): scalar = "\t"
    default: throw unexpected()
    }
    position += 1
    return scalar
  }

  /// Resolves `\uXXXX` or a surrogate pair; `position` is on the `u`.
  private mutating func unicodeEscape(from start: Int) throws(JSONError) -> Unicode.Scalar {
    position += 1
    let unit = try fourHexDigits()
    if let scalar = Unicode.Scalar(unit) { return scalar }
    guard unit < 0xDC00, current == UInt8(ascii: "\\") else {
      throw JSONError("lone surrogate", offset: start)
    }
    position += 1
    guard current == UInt8(ascii: "u") else { throw JSONError("lone surrogate", offset: start) }
    position += 1
    let low = try fourHexDigits()
    guard (0xDC00...0xDFFF).contains(low),
      let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
    else { throw JSONError("lone surrogate", offset: start) }
    return scalar
  }

  private mutating func fourHexDigits() throws(JSONError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      let digit: UInt8
      switch current {
      case 48...57: digit = current - 48
      case 65...70: digit = current - 55
      case 97...102: digit = current - 87
      default: throw unexpected()
      }
      value = value << 4 | UInt32(digit)
      position += 1
    }
    return value
  }

  /// Reads a number and keeps its text: `-? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?`.
  mutating func number() throws(JSONError) -> String {
    let start = position
    if current == UInt8(ascii: "-") { position += 1 }
    if current == UInt8(ascii: "0") {
      position += 1
      // `01` would otherwise be reported as bytes after the value.
      if (48...57).contains(current) { throw JSONError("leading zero", offset: start) }
    } else {
      try digits()
    }
    if current == UInt8(ascii: ".") {
      position += 1
      try digits()
    }
    if current == UInt8(ascii: "e") || current == UInt8(ascii: "E") {
      position += 1
      if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { position += 1 }
      try digits()
    }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  /// Steps over one or more digits.
  private mutating func digits() throws(JSONError) {
    guard (48...57).contains(current) else { throw unexpected() }
    repeat { position += 1 } while (48...57).contains(current)
  }
}
