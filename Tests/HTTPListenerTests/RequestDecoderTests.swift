import HTTPExchange
import Testing

@testable import HTTPListener

/// What a decoder made of its input: whole requests, then perhaps a refusal.
struct Decoded: Hashable {
  var requests: [DecodedRequest] = []
  var refusal: Refusal?

  /// Decodes `pieces` one after the other.
  init(_ pieces: [ArraySlice<UInt8>], limits: HTTPListenerLimits = HTTPListenerLimits()) {
    var decoder = RequestDecoder(limits: limits)
    do throws(Refusal) {
      for piece in pieces {
        decoder.append(piece)
        while let request = try decoder.next() { requests.append(request) }
      }
    } catch { refusal = error }
  }

  init(_ text: String, limits: HTTPListenerLimits = HTTPListenerLimits()) {
    self.init([Array(text.utf8)[...]], limits: limits)
  }
}

private let lengthOfThree = "POST /a?b HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc"
private let chunkedOfSix =
  "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
  + "3;n=v\r\nabc\r\n003\r\ndef\r\n0\r\nT: v\r\n\r\n"
private let plain = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"

@Suite struct `Decoding of requests` {
  @Test(arguments: [
    "\r\n\(plain)", lengthOfThree + chunkedOfSix + plain, plain + "GET / HTTP/1.1\nHost: x\n\n",
    chunkedOfSix + "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz",
    plain + plain + "\r\n\r\n\(plain)", plain + "GET / HTTP/1.1\r\nHost: x\r\nX: a\rb\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: x\r\nX: \(String(repeating: "a", count: 200))\nb\r\n\r\n",
  ])
  func `a stream split at any byte gives the same requests and the same refusal`(text: String) {
    var limits = HTTPListenerLimits()
    limits.headBytesMax = 128
    let bytes = Array(text.utf8)
    let whole = Decoded([bytes[...]], limits: limits)
    for split in 0...bytes.count {
      #expect(Decoded([bytes[..<split], bytes[split...]], limits: limits) == whole)
    }
    #expect(Decoded(bytes.indices.map { bytes[$0...$0] }, limits: limits) == whole)
  }

  @Test func `bodies come out as they went in`() {
    let decoded = Decoded(lengthOfThree + chunkedOfSix)
    #expect(decoded.requests.map { String(decoding: $0.body, as: UTF8.self) } == ["abc", "abcdef"])
    #expect(decoded.requests.map(\.head.target) == ["/a?b", "/"])
    #expect(decoded.refusal == nil)
  }

  @Test func `white space around a value goes, inside it stays`() {
    let head = Decoded("GET / HTTP/1.1\r\nHost: x\r\nX-A: \t a  b \t\r\nX-B:\r\n\r\n").requests
      .first?.head
    #expect(head?.headers["x-a"] == "a  b")
    #expect(head?.headers["x-b"] == "")
  }

  @Test(arguments: [
    ("http://shop.example/a?b=c", "/a?b=c", "shop.example"),
    ("HTTPS://shop.example:8443", "/", "shop.example:8443"),
    ("http://[::1]:80?b", "/?b", "[::1]:80"),
  ])
  func `an absolute form gives the target and replaces Host`(
    form: String, target: String, host: String
  ) {
    let head = Decoded("GET \(form) HTTP/1.1\r\nHost: other\r\n\r\n").requests.first?.head
    #expect(head?.target == target)
    #expect(head?.headers.values("Host") == [host])
  }

  @Test(arguments: [
    "http://", "http:///a", "http://user@x/", "ftp://x/", "x", "/a#b", "/a\u{7F}", "/ä", "http:x",
  ])
  func `other targets are refused`(target: String) {
    #expect(
      Decoded("GET \(target) HTTP/1.1\r\nHost: x\r\n\r\n").refusal == .malformedRequest)
  }

  @Test func `a value that is not UTF-8 is refused, not altered`() {
    var bytes = Array("GET / HTTP/1.1\r\nHost: x\r\nX: ".utf8)
    bytes += [0xE4]
    bytes += Array("\r\n\r\n".utf8)
    #expect(Decoded([bytes[...]]).refusal == .malformedRequest)
    #expect(
      Decoded("GET / HTTP/1.1\r\nHost: x\r\nX: ä\r\n\r\n").requests.first?.head.headers["X"] == "ä")
  }

  @Test func `used input is not kept`() throws {
    var decoder = RequestDecoder(limits: HTTPListenerLimits())
    decoder.append(Array(lengthOfThree.utf8)[...])
    let request = try decoder.next()
    #expect(request != nil)
    #expect(decoder.isIdle)
    #expect(decoder.heldBytes == 0)
  }

  @Test func `100 Continue is owed once, and only to a peer that holds its body back`() throws {
    let head = "POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n"
    var decoder = RequestDecoder(limits: HTTPListenerLimits())
    decoder.append(Array(head.utf8)[...])
    let early = try decoder.next()
    #expect(early == nil)
    let owed = [decoder.takeContinue(), decoder.takeContinue()]
    #expect(owed == [true, false])
    var eager = RequestDecoder(limits: HTTPListenerLimits())
    eager.append(Array("\(head)a".utf8)[...])
    let stillEarly = try eager.next()
    #expect(stillEarly == nil)
    let isOwedToEager = eager.takeContinue()
    #expect(!isOwedToEager)
  }

  @Test func `an expectation of HTTP 1.0 is passed over`() {
    let head = Decoded("GET / HTTP/1.0\r\nExpect: 100-continue\r\n\r\n").requests.first?.head
    #expect(head?.expectsContinue == false)
    #expect(head?.isPersistent == false)
  }
}
