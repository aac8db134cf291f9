/// Classes of characters of RFC 9110 and RFC 3986.
enum Characters {
  /// A character of a method or a header name.
  static func isToken(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true  // 0-9 A-Z a-z
    case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E, 0x5F, 0x60, 0x7C, 0x7E: true
    default: false
    }
  }

  /// A character of a header value: all but controls; a tab is allowed.
  static func isFieldContent(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte != 0x7F || byte == 0x09
  }

  static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  /// A character of host and port: unreserved, sub-delims, `%`, `:` and the brackets of IPv6.
  static func isHost(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    case 0x21, 0x24...0x2E, 0x3A, 0x3B, 0x3D, 0x5B, 0x5D, 0x5F, 0x7E: true
    default: false
    }
  }
}

extension Collection<UInt8> {
  /// Whether the bytes are `lowercase` when A–Z counts as a–z.
  func isCaseless(_ lowercase: String) -> Bool {
    elementsEqual(lowercase.utf8) { byte, other in
      ((0x41...0x5A).contains(byte) ? byte | 0x20 : byte) == other
    }
  }
}

let carriageReturn: UInt8 = 0x0D
let lineFeed: UInt8 = 0x0A
