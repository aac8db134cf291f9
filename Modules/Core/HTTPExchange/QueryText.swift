/// Reading and writing of URL queries and percent-encoded text, without guessing.
public enum QueryText {
  /// Name and value pairs of a query, percent-decoded, in their order.
  ///
  /// `+` stays `+`: only HTML forms mean a space by it, see ``parseForm(_:)``. A pair whose
  /// escapes are broken or are not UTF-8 is left out.
  public static func parse(_ query: String) -> [(name: String, value: String)] {
    query.split(separator: "&").compactMap { pair in
      let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = decode(String(halves[0])),
        let value = decode(halves.count == 2 ? String(halves[1]) : "")
      else { return nil }
      return (name, value)
    }
  }

  /// Name and value pairs of an `application/x-www-form-urlencoded` body; `+` means a space.
  public static func parseForm(_ body: String) -> [(name: String, value: String)] {
    parse(String(body.map { $0 == "+" ? " " : $0 }))
  }

  /// Adds a parameter to a URL: after `?`, or `&` if there is a query, before any fragment. The
  /// bytes of `url` itself stay as they are.
  public static func append(_ name: String, _ value: String, to url: String) -> String {
    let cut = url.firstIndex(of: "#") ?? url.endIndex
    let (head, fragment) = (url[..<cut], url[cut...])
    let separator =
      head.contains("?") ? (head.hasSuffix("?") || head.hasSuffix("&") ? "" : "&") : "?"
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
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
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
    return String(validating: bytes, as: UTF8.self)
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
