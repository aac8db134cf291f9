import FulfilmentOutbox
import HTTPExchange
import PaymentModels
import SystemCrypto
import TestSupport
import Testing

@Suite("Signature of outgoing messages, by Standard Webhooks")
struct MessageSignatureTests {
  static let body = Array(#"{"id":"msg_1","type":"order.fulfil"}"#.utf8)
  /// Made with Python's hmac and base64 over `msg_1.1790000000.` and the body, key `whsec_demo_A`.
  static let vector = "v1,DN6yZ5um3MtwLyFIgkf38q6jB242k/HjPtHr6ysq224="
  static let now = Instant(milliseconds: 1_790_000_000_999)

  private let signature = MessageSignature(secret: Secret("whsec_demo_A"), hashing: .openSSL)

  @Test func `is what another implementation makes of the same message`() {
    let headers = signature.headers(id: "msg_1", at: Self.now, body: Self.body)
    #expect(headers["webhook-id"] == "msg_1")
    #expect(headers["webhook-timestamp"] == "1790000000")
    #expect(headers["webhook-signature"] == Self.vector)
  }

  @Test func `a secret is not shown where it is held`() {
    #expect(!"\(Secret("whsec_demo_A"))".contains("demo"))
  }

  @Test func `another body or secret is refused`() {
    let good = Delivery(testDescription: "", isValid: true).headers
    #expect(!signature.isValid(good, body: Self.body + [0x0A], now: Self.now))
    let other = MessageSignature(secret: Secret("whsec_demo_B"), hashing: .openSSL)
    #expect(!other.isValid(good, body: Self.body, now: Self.now))
  }
}

/// A message as it came to a receiver.
struct Delivery: Sendable, CustomTestStringConvertible {
  let testDescription: String
  var id: String? = "msg_1"
  var stamp: String? = "1790000000"
  var signatures = [MessageSignatureTests.vector]
  let isValid: Bool

  var headers: HTTPHeaders {
    var headers: HTTPHeaders = [:]
    if let id { headers.add("webhook-id", id) }
    if let stamp { headers.add("webhook-timestamp", stamp) }
    for value in signatures { headers.add("webhook-signature", value) }
    return headers
  }

  func check(at now: Instant = MessageSignatureTests.now) -> Bool {
    MessageSignature(secret: Secret("whsec_demo_A"), hashing: .openSSL)
      .isValid(headers, body: MessageSignatureTests.body, now: now)
  }
}

@Suite("FB-08 Several signatures in one header while secrets rotate")
struct SeveralSignaturesTests {
  private static let vector = MessageSignatureTests.vector
  private static let other = "v1,\(String(repeating: "A", count: 43))="

  @Test(arguments: [
    Delivery(testDescription: "one", isValid: true),
    Delivery(testDescription: "second of two", signatures: ["\(other) \(vector)"], isValid: true),
    Delivery(testDescription: "first of two", signatures: ["\(vector) \(other)"], isValid: true),
    Delivery(testDescription: "another scheme", signatures: ["v1a,x \(vector)"], isValid: true),
    Delivery(testDescription: "another scheme alone", signatures: ["v1a,x"], isValid: false),
    Delivery(testDescription: "two spaces", signatures: ["\(other)  \(vector)"], isValid: true),
    Delivery(testDescription: "two header lines", signatures: [other, vector], isValid: true),
    Delivery(
      testDescription: "16 items",
      signatures: [Array(repeating: other, count: 15).joined(separator: " ") + " \(vector)"],
      isValid: true),
    Delivery(
      testDescription: "17 items",
      signatures: [Array(repeating: other, count: 16).joined(separator: " ") + " \(vector)"],
      isValid: false),
    Delivery(
      testDescription: "1,000 lines", signatures: Array(repeating: vector, count: 1_000),
      isValid: false),
    Delivery(testDescription: "empty value", signatures: ["v1,"], isValid: false),
    Delivery(testDescription: "none", signatures: [], isValid: false),
    Delivery(testDescription: "another id", id: "msg_2", isValid: false),
    Delivery(testDescription: "no id", id: nil, isValid: false),
  ])
  func `any item may be the one`(delivery: Delivery) {
    #expect(delivery.check() == delivery.isValid)
  }
}

@Suite("FB-07 Time window checked on one side only, or twice as wide as meant")
struct TimeWindowTests {
  @Test(arguments: [0, 1, 299, 300, 301, 3_600, -1, -299, -300, -301, -3_600])
  func `300 s either way and not one more`(delta: Int64) {
    let now = Instant(milliseconds: (1_790_000_000 + delta) * 1_000)
    #expect(Delivery(testDescription: "", isValid: true).check(at: now) == (abs(delta) <= 300))
  }

  @Test(arguments: [
    "1790000000000", "", "abc", "1790000000.5", "-1", "+1790000000", " 1790000000",
    "-9223372036854775808", "9223372036854775807", "99999999999999999999", nil,
  ])
  func `a stamp that is none is refused and never ends the process`(stamp: String?) {
    #expect(!Delivery(testDescription: "", stamp: stamp, isValid: false).check())
  }
}
