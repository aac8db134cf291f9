/// The hash functions that the kit uses, handed in so that Core links no crypto library.
public struct Hashing: Sendable {
  /// SHA-256 of the bytes, 32 bytes.
  public var sha256: @Sendable ([UInt8]) -> [UInt8]
  /// HMAC-SHA256 of `message` under `key`, 32 bytes.
  public var hmacSHA256: @Sendable (_ key: [UInt8], _ message: [UInt8]) -> [UInt8]
  /// Whether two byte strings are equal, in a time that depends on their lengths alone.
  public var areEqual: @Sendable ([UInt8], [UInt8]) -> Bool

  /// Collects the functions. Live ones come from `SystemCrypto`.
  public init(
    sha256: @escaping @Sendable ([UInt8]) -> [UInt8],
    hmacSHA256: @escaping @Sendable (_ key: [UInt8], _ message: [UInt8]) -> [UInt8],
    areEqual: @escaping @Sendable ([UInt8], [UInt8]) -> Bool
  ) {
    self.sha256 = sha256
    self.hmacSHA256 = hmacSHA256
    self.areEqual = areEqual
  }
}

/// Lower-case hexadecimal text of `bytes`.
public func hexText(_ bytes: [UInt8]) -> String {
  var text: [UInt8] = []
  text.reserveCapacity(bytes.count * 2)
  for byte in bytes {
    text.append(hexDigit(byte >> 4))
    text.append(hexDigit(byte & 15))
  }
  return String(decoding: text, as: UTF8.self)
}

/// The lower-case digit of a number below 16, as ASCII.
func hexDigit(_ number: UInt8) -> UInt8 {
  number < 10 ? UInt8(ascii: "0") + number : UInt8(ascii: "a") + number - 10
}

/// Base64 of RFC 4648 section 4, with padding.
public func base64Text(_ bytes: [UInt8]) -> String {
  let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  var text: [UInt8] = []
  for start in stride(from: 0, to: bytes.count, by: 3) {
    let chunk = bytes[start..<min(start + 3, bytes.count)]
    let word = chunk.reduce(0) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - chunk.count))
    for sextet in 0..<4 {
      let isPadding = sextet > chunk.count
      text.append(
        isPadding ? UInt8(ascii: "=") : alphabet[Int(word >> UInt32(18 - 6 * sextet) & 63)])
    }
  }
  return String(decoding: text, as: UTF8.self)
}
