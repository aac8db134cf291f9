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
  let digits = Array("0123456789abcdef".utf8)
  return String(
    decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
}
