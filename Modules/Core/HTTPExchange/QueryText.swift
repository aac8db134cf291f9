/// Reading and writing of URL queries and percent-encoded text, without guessing.
///
/// Texts are searched byte by byte: a combining mark behind a separator would hide it from a
/// search by characters.
public enum QueryText {
  /// Name and value pairs of a query, percent-decoded, in their order.
  ///
  /// `+` stays `+`: only HTML forms mean a space by it, see ``parseForm(_:)``. A pair whose
  /// escapes are broken or are not UTF-8 is left out.
  public static func parse(_ query: String) -> [(name: String, value: String)] {
    parse(Array(query.utf8))
  }

  /// Name and value pairs of an `application/x-www-form-urlencoded` body; `+` means a space.
  public static func parseForm(_ body: String) -> [(name: String, value: String)] {
    parse(body.utf8.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 })
  }

  private static func parse(_ query: [UInt8]) -> [(name: String, value: String)] {
    query.split(separator: UInt8(ascii: "&")).compactMap { pair in
      let halves = pair.split(
        separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = decode(halves[0]), let value = decode(halves.count == 2 ? halves[1] : [])
      else { return nil }
      return (name, value)
    }
  }

  /// Adds a parameter to a URL: after `?`, or `&` if there is a query, before any fragment. The
  /// bytes of `url` itself stay as they are.
  public static func append(_ name: String, _ value: String, to url: String) -> String {
    let cut = url.utf8.firstIndex(of: UInt8(ascii: "#")) ?? url.endIndex
    let (head, fragment) = (url[..<cut], url[cut...])
    let separator =
      if !head.utf8.contains(UInt8(ascii: "?")) {
        "?"
      } else if head.utf8.last == UInt8(ascii: "?") || head.utf8.last == UInt8(ascii: "&") {
        ""
      } else { "&" }
    return "\(head)\(separator)\(encode(name))=\(encode(value))\(fragment)"
  }

  /// Percent-encodes all but the unreserved characters of RFC 3986.
  public static func encode(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF")
    return text.utf8.reduce(into: "") { result, byte in
      switch byte {
      case 48...57, 65...90, 97...122, 45, 46, 95, 126:
        result.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        result += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
      }
    }
  }

  /// Undoes percent-encoding; nil for a broken escape or bytes that are not UTF-8.
  public static func decode(_ text: String) -> String? {
    decode(Array(text.utf8)[...])
  }

  private static func decode(_ escaped: ArraySlice<UInt8>) -> String? {
    var bytes: [UInt8] = []
    var rest = escaped
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(hexValue),
        let low = rest.popFirst().flatMap(hexValue)
      else { return nil }
      bytes.append(high << 4 | low)
    }
    // Decoding mends what is not UTF-8, so a text that reads back differently was broken.
    let text = String(decoding: bytes, as: UTF8.self)
    return text.utf8.elementsEqual(bytes) ? text : nil
  }

  private static func hexValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 48...57: byte - 48
    case 65...70: byte - 55
    case 97...102: byte - 87
    default: nil
    }
  }
}
