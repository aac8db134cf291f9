private import CTillCrypto
public import KitEnvironment

extension Hashing {
  /// SHA-256, HMAC-SHA256 and comparison by OpenSSL's libcrypto.
  ///
  /// Comparison takes a time that depends on the lengths alone: texts of different length are
  /// unequal at once, which tells nothing about a signature of known length.
  public static let openSSL = Hashing(
    sha256: opensslSHA256, hmacSHA256: opensslHMAC, areEqual: opensslAreEqual)
}

/// Bytes of a SHA-256 value.
private let digestBytes = 32

// Made once and only read after that; libcrypto counts its references by atomic numbers.
nonisolated(unsafe) private let sha256 = unsafe till_fetch_sha256()
// As above: every use works on a copy of its own.
nonisolated(unsafe) private let hmacSHA256 = unsafe till_make_hmac_sha256()

private func opensslSHA256(_ bytes: [UInt8]) -> [UInt8] {
  var digest = [UInt8](repeating: 0, count: digestBytes)
  // Reads `bytes` and writes 32 bytes to `digest`; both outlive the call.
  let result = unsafe sha256.map { unsafe till_sha256($0, bytes, bytes.count, &digest) }
  precondition(result == 1, "libcrypto cannot hash")
  return digest
}

private func opensslHMAC(key: [UInt8], message: [UInt8]) -> [UInt8] {
  var digest = [UInt8](repeating: 0, count: digestBytes)
  // Reads key and message and writes 32 bytes to `digest`; all outlive the call, and OpenSSL
  // keeps none of the pointers.
  let result = unsafe hmacSHA256.map {
    unsafe till_hmac_sha256($0, key, key.count, message, message.count, &digest)
  }
  precondition(result == 1, "libcrypto cannot hash")
  return digest
}

private func opensslAreEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
  // Reads `left.count` bytes of each, and both have as many.
  unsafe left.count == right.count && CRYPTO_memcmp(left, right, left.count) == 0
}
