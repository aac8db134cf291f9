import KitEnvironment
import SystemCrypto
import Testing

@Suite("Hashing by libcrypto")
struct HashingTests {
  static let sha256Rows: [(message: [UInt8], digest: String)] = [
    // FIPS 180-4 examples, and the empty message.
    ([], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    (Array("abc".utf8), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      Array("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".utf8),
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      [UInt8](repeating: 0x61, count: 1_000_000),
      "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
    ),
  ]

  @Test(arguments: sha256Rows)
  func `SHA-256 gives the published values`(row: (message: [UInt8], digest: String)) {
    #expect(hexText(Hashing.openSSL.sha256(row.message)) == row.digest)
  }

  static let hmacRows: [(key: [UInt8], message: [UInt8], digest: String)] = [
    // RFC 4231, cases 1 to 4, 6 and 7.
    (
      [UInt8](repeating: 0x0B, count: 20), Array("Hi There".utf8),
      "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
    ),
    (
      Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    ),
    (
      [UInt8](repeating: 0xAA, count: 20), [UInt8](repeating: 0xDD, count: 50),
      "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
    ),
    (
      Array(1...25), [UInt8](repeating: 0xCD, count: 50),
      "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"
    ),
    (
      [UInt8](repeating: 0xAA, count: 131),
      Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
      "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
    ),
    (
      [UInt8](repeating: 0xAA, count: 131),
      Array(
        """
        This is a test using a larger than block-size key and a larger than block-size data. \
        The key needs to be hashed before being used by the HMAC algorithm.
        """.utf8),
      "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"
    ),
    // Empty key, empty message, both.
    ([], [], "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"),
    (
      [], Array("abc".utf8), "fd7adb152c05ef80dccf50a1fa4c05d5a3ec6da95575fc312ae7c5d091836351"
    ),
    (
      Array("key".utf8), [], "5d5d139563c95b5967b9bd9a8c9b233a9dedb45072794cd232dc1b74832607d0"
    ),
  ]

  @Test(arguments: hmacRows)
  func `HMAC-SHA256 gives the published values, also for empty inputs`(
    row: (key: [UInt8], message: [UInt8], digest: String)
  ) {
    #expect(hexText(Hashing.openSSL.hmacSHA256(row.key, row.message)) == row.digest)
  }

  @Test func `an empty key does not bring the key before it back`() {
    let secret = Hashing.openSSL.hmacSHA256(Array("secret".utf8), [1, 2, 3])
    #expect(Hashing.openSSL.hmacSHA256([], [1, 2, 3]) != secret)
  }

  @Test func `equal means same length and same bytes`() {
    let equal = Hashing.openSSL.areEqual
    #expect(equal([], []))
    #expect(equal([1, 2, 3], [1, 2, 3]))
    #expect(!equal([1, 2, 3], [1, 2, 4]))
    #expect(!equal([1, 2, 3], [1, 2]))
    #expect(!equal([1, 2, 3], [1, 2, 3, 0]))
    #expect(!equal([], [0]))
  }

  @Test func `many tasks at once get the same value`() async {
    let expected = Hashing.openSSL.hmacSHA256([1], [2])
    let wrong = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<8 {
        group.addTask {
          (0..<200).count { _ in Hashing.openSSL.hmacSHA256([1], [2]) != expected }
        }
      }
      return await group.reduce(0, +)
    }
    #expect(wrong == 0)
  }
}
