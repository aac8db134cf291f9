import KitEnvironment
import SystemCrypto
import Testing

@Suite("FB-06 Signature fails because the body was parsed and written again")
struct RawBodySignatureTests {
  static let received =
    #"{"id":"evt_001","type":"payment.paid","payment":{"id":"pay_A1","amount":"10.00","#
    + #""currency":"AED"},"items":[{"title":"Café \u2764","qty":1.0,"#
    + #""url":"https:\/\/shop.example\/p\/1"}]}"# + "\n"
  static let signature = "9dd57069901cb1a8de0f3a9dbea4b76ff5fe4e9f835752e3aaf18249b5297d14"

  /// HMAC-SHA256 of `ts + "." + body` under the raw bytes of the secret.
  static func sign(_ body: [UInt8], secret: String = "whsec_demo_A") -> [UInt8] {
    Hashing.openSSL.hmacSHA256(Array(secret.utf8), Array("1790000000.".utf8) + body)
  }

  static func isGood(_ signature: String) -> Bool {
    Hashing.openSSL.areEqual(Array(hexText(sign(Array(received.utf8))).utf8), Array(signature.utf8))
  }

  @Test func `the received 181 bytes are signed as they came`() {
    #expect(Array(Self.received.utf8).count == 181)
    #expect(Self.isGood(Self.signature))
  }

  static let changed: [(name: String, body: String, start: String, end: String)] = [
    ("line feed stripped", String(received.dropLast()), "4fadaa67", "6f7b"),
    (
      "written again",
      received.replacing("\\/", with: "/").replacing("\\u2764", with: "❤").replacing(
        "\n", with: ""),
      "a69d27bc", "1ac5"
    ),
    (
      "written again with 1.0 as 1",
      received.replacing("\\/", with: "/").replacing("\\u2764", with: "❤").replacing("\n", with: "")
        .replacing("1.0,", with: "1,"),
      "b0079020", "216f"
    ),
  ]

  @Test(arguments: changed)
  func `the signature over a changed body is refused for the received bytes`(
    row: (name: String, body: String, start: String, end: String)
  ) {
    let signature = hexText(Self.sign(Array(row.body.utf8)))
    #expect(signature.hasPrefix(row.start) && signature.hasSuffix(row.end), "\(row.name)")
    #expect(!Self.isGood(signature))
  }

  @Test(arguments: [[0xEF, 0xBB, 0xBF] + Array(received.utf8), [0x7B, 0xC3, 0x28, 0xFF, 0x7D]])
  func `a body with a BOM or broken UTF-8 is still verified as bytes`(body: [UInt8]) {
    let signature = Self.sign(body)
    #expect(Hashing.openSSL.areEqual(Self.sign(body), signature))
    #expect(!Hashing.openSSL.areEqual(Self.sign(Array(Self.received.utf8)), signature))
  }

  @Test func `another secret gives another signature`() {
    #expect(
      hexText(Self.sign(Array(Self.received.utf8), secret: "whsec_demo_B"))
        == "dfb2aa326978aa4ae47502f208d090d38171139d681829bd59b2d89e6d74e1ad")
  }
}
