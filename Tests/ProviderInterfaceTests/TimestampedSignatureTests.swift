import KitEnvironment
import PaymentModels
import ProviderInterface
import SystemCrypto
import Testing

private let secretA = Secret("whsec_demo_A")
private let secretB = Secret("whsec_demo_B")
private let stamp = 1_790_000_000
private let now = Instant(milliseconds: 1_790_000_000_000)
/// The body of the field report: 181 bytes with an accent, escapes and a final line feed.
private let body = Array(
  (#"{"id":"evt_001","type":"payment.paid","payment":{"id":"pay_A1","amount":"10.00","#
    + #""currency":"AED"},"items":[{"title":"Café \u2764","qty":1.0,"#
    + #""url":"https:\/\/shop.example\/p\/1"}]}"# + "\n").utf8)
private let goodA = "9dd57069901cb1a8de0f3a9dbea4b76ff5fe4e9f835752e3aaf18249b5297d14"
private let goodB = "dfb2aa326978aa4ae47502f208d090d38171139d681829bd59b2d89e6d74e1ad"
private let zeros = String(repeating: "0", count: 64)

private func verify(
  _ headers: [String], _ secrets: [Secret] = [secretA], body: [UInt8] = body
) -> TimestampedSignature.Verdict {
  TimestampedSignature(secrets: secrets, hashing: .openSSL).verify(headers, body: body, now: now)
}

private func signed(_ text: String, _ body: [UInt8] = body) -> String {
  let key = Array(secretA.reveal().utf8)
  return "t=\(text),v1="
    + hexText(Hashing.openSSL.hmacSHA256(key, Array("\(text).".utf8) + body))
}

@Suite("FB-06 Signature fails because the body was parsed and written again")
struct RawBytesTests {
  @Test func `the bytes as they came are accepted`() {
    #expect(body.count == 181)
    #expect(verify(["t=\(stamp),v1=\(goodA)"]) == .valid(matchedSecret: 0))
  }

  static let rewritten: [(what: String, text: String)] = [
    ("final line feed stripped", String(decoding: body.dropLast(), as: UTF8.self)),
    (
      "serialised again",
      String(decoding: body.dropLast(), as: UTF8.self).replacing(#"\/"#, with: "/")
        .replacing(#"\u2764"#, with: "❤")
    ),
    (
      "serialised again, 1.0 as 1",
      String(decoding: body.dropLast(), as: UTF8.self).replacing(#"\/"#, with: "/")
        .replacing(#"\u2764"#, with: "❤").replacing("1.0,", with: "1,")
    ),
  ]

  @Test(arguments: rewritten)
  func `a body that was written anew is refused`(_ row: (what: String, text: String)) {
    #expect(verify(["t=\(stamp),v1=\(goodA)"], body: Array(row.text.utf8)) == .mismatch)
  }

  @Test(arguments: [[0xEF, 0xBB, 0xBF] + body, [0xFF, 0xFE, 0x7B], []])
  func `bytes that are no valid text are verified as bytes`(bytes: [UInt8]) {
    #expect(verify([signed("\(stamp)", bytes)], body: bytes) == .valid(matchedSecret: 0))
    #expect(verify(["t=\(stamp),v1=\(goodA)"], body: bytes) == .mismatch)
  }
}

@Suite("FB-07 Time window checked on one side only, or twice as wide as meant")
struct TimeWindowTests {
  @Test(arguments: [0, 1, 299, 300, -1, -299, -300])
  func `a stamp within the tolerance is accepted on both sides`(offset: Int) {
    #expect(verify([signed("\(stamp + offset)")]) == .valid(matchedSecret: 0))
  }

  @Test(arguments: [301, 3_600, -301, -3_600])
  func `a stamp outside is refused on both sides, with its distance`(offset: Int) {
    #expect(verify([signed("\(stamp + offset)")]) == .outsideWindow(seconds: Int64(offset)))
  }

  @Test(arguments: ["1790000000000", "", "abc", "1790000000.5", "-1"])
  func `a stamp that is not whole seconds is refused`(text: String) {
    #expect(verify([signed(text)]) == .malformed("the stamp is no time"))
  }

  @Test func `a missing stamp is refused`() {
    #expect(verify(["v1=\(goodA)"]) == .malformed("one stamp is needed"))
  }
}

@Suite("FB-08 Several signatures in one header while secrets rotate")
struct RotationTests {
  static let accepted: [[String]] = [
    ["t=\(stamp),v1=\(zeros),v1=\(goodA)"],
    ["t=\(stamp),v1=\(goodA),v0=other"],
    ["t=\(stamp), v1=\(goodA)"],
    ["t=\(stamp),v1=\(zeros)", "v1=\(goodA)"],
    ["t=\(stamp),v1=\(goodA),v1="],
  ]

  @Test(arguments: accepted)
  func `any signature that fits the secret is enough`(headers: [String]) {
    #expect(verify(headers) == .valid(matchedSecret: 0))
  }

  @Test func `the secret that matched is named`() {
    #expect(verify(["t=\(stamp),v1=\(goodB)"], [secretB]) == .valid(matchedSecret: 0))
    #expect(verify(["t=\(stamp),v1=\(goodB)"], [secretA, secretB]) == .valid(matchedSecret: 1))
    #expect(verify(["t=\(stamp),v1=\(goodA)"], [secretA, secretB]) == .valid(matchedSecret: 0))
    #expect(verify(["t=\(stamp),v1=\(goodA)"], [secretB]) == .mismatch)
  }

  @Test(arguments: ["t=\(stamp)", "t=\(stamp),v1=", "t=\(stamp),v0=\(goodA)"])
  func `no usable signature is refused`(header: String) {
    #expect(verify([header]) == .malformed("no usable signature"))
  }

  @Test(arguments: [(16, true), (17, false), (1_000, false)])
  func `the number of signatures is bounded`(count: Int, isAccepted: Bool) {
    let fillers = Array(repeating: "v1=\(zeros)", count: count - 1)
    let header = (["t=\(stamp)"] + fillers + ["v1=\(goodA)"]).joined(separator: ",")
    let wanted: TimestampedSignature.Verdict =
      isAccepted ? .valid(matchedSecret: 0) : .malformed("too many signatures")
    #expect(verify([header]) == wanted)
  }
}
