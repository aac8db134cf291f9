import HTTPExchange
import HTTPListener
import Testing

/// Bytes on a connection, and the status of each answer that must come back.
struct Probe: Sendable, CustomTestStringConvertible {
  let name: String
  let bytes: [UInt8]
  let statuses: [Int]
  /// The body of the last answer, if it matters.
  var body: String?

  init(_ name: String, _ text: String, _ statuses: [Int], body: String? = nil) {
    self.name = name
    bytes = Array(text.utf8)
    self.statuses = statuses
    self.body = body
  }

  var testDescription: String { name }
}

private func get(_ rest: String) -> String { "GET /v1/ping HTTP/1.1\r\nHost: x\r\n\(rest)" }

private func post(_ rest: String) -> String { "POST /v1/echo HTTP/1.1\r\nHost: x\r\n\(rest)" }

private func chunked(_ body: String) -> String { post("Transfer-Encoding: chunked\r\n\r\n\(body)") }

private func letters(_ count: Int) -> String { String(repeating: "a", count: count) }

private let requestLineProbes = [
  Probe("plain", get("\r\n"), [200]),
  Probe("no Host in 1.1", "GET /v1/ping HTTP/1.1\r\n\r\n", [400]),
  Probe("two Hosts", "GET /v1/ping HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", [400]),
  Probe("HTTP/1.0 without Host", "GET /v1/ping HTTP/1.0\r\n\r\n", [200]),
  Probe("HTTP/3.7", "GET /v1/ping HTTP/3.7\r\nHost: x\r\n\r\n", [505]),
  Probe("HTTP/2 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", [505]),
  Probe("TLS hello", "\u{16}\u{03}\u{01}\u{02}\u{00}\u{01}\u{00}\u{01}\r\n\r\n", [400]),
  Probe("absolute form", "GET http://x/v1/ping HTTP/1.1\r\nHost: x\r\n\r\n", [200]),
  Probe("target of 3000", "GET /\(letters(3000)) HTTP/1.1\r\nHost: x\r\n\r\n", [414]),
  Probe("target of 30000", "GET /\(letters(30_000)) HTTP/1.1\r\nHost: x\r\n\r\n", [414]),
  Probe("NUL in target", "GET /v1/ping\0x HTTP/1.1\r\nHost: x\r\n\r\n", [400]),
  Probe("%00 in target", "GET /v1/ping%00x HTTP/1.1\r\nHost: x\r\n\r\n", [200]),
  Probe("unknown method", "BREW /v1/ping HTTP/1.1\r\nHost: x\r\n\r\n", [200]),
  Probe("CONNECT", "CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n", [400]),
  Probe("asterisk of OPTIONS", "OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n", [200]),
  Probe("asterisk of GET", "GET * HTTP/1.1\r\nHost: x\r\n\r\n", [400]),
  Probe("two spaces", "GET  /v1/ping HTTP/1.1\r\nHost: x\r\n\r\n", [400]),
  Probe("a space in the target", "GET /v1/ping x HTTP/1.1\r\nHost: x\r\n\r\n", [400]),
  Probe("lower-case version", "GET /v1/ping http/1.1\r\nHost: x\r\n\r\n", [400]),
  Probe("no version", "GET /v1/ping\r\nHost: x\r\n\r\n", [400]),
  Probe("empty line before", "\r\nGET /v1/ping HTTP/1.1\r\nHost: x\r\n\r\n", [200]),
]

private let headerProbes = [
  Probe("header of 30000", get("X: \(letters(30_000))\r\n\r\n"), [431]),
  Probe(
    "100 headers", get((0..<100).map { "X-\($0): a\r\n" }.joined() + "\r\n"), [431]),
  Probe("space before colon, length", post("Content-Length : 3\r\n\r\nabc"), [400]),
  Probe(
    "space before colon, encoding",
    post("Transfer-Encoding : chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"), [400]),
  Probe("obs-fold", get("X: a\r\n b\r\n\r\n"), [400]),
  Probe("bare LF", "GET /v1/ping HTTP/1.1\nHost: x\n\n", [400]),
  Probe("bare CR in a header", get("X: a\rContent-Length: 3\r\n\r\nabc"), [400]),
  Probe("NUL in a header", get("X: a\0b\r\n\r\n"), [400]),
  Probe("no colon", get("Xabc\r\n\r\n"), [400]),
  Probe("empty header name", get(": v\r\n\r\n"), [400]),
  Probe("Host with a path", "GET / HTTP/1.1\r\nHost: x/y\r\n\r\n", [400]),
  Probe("Connection: close", get("Connection: close\r\n\r\n\(get("\r\n"))"), [200]),
  Probe("Connection: x, Close", get("Connection: x, Close\r\n\r\n\(get("\r\n"))"), [200]),
  Probe("unknown expectation", post("Content-Length: 3\r\nExpect: tea\r\n\r\nabc"), [417]),
]

private let bodyProbes = [
  Probe("length over the limit", post("Content-Length: 70000\r\n\r\n\(letters(70_000))"), [413]),
  Probe(
    "length over the limit, Expect",
    post("Content-Length: 70000\r\nExpect: 100-continue\r\n\r\n"), [413]),
  Probe(
    "Expect with the body behind it",
    post("Content-Length: 3\r\nExpect: 100-continue\r\n\r\nabc"), [200], body: "abc"),
  Probe("chunked", chunked("3\r\nabc\r\n0\r\n\r\n"), [200], body: "abc"),
  Probe("chunked, trailer", chunked("3\r\nabc\r\n0\r\nX: y\r\n\r\n"), [200], body: "abc"),
  Probe(
    "chunked over the limit",
    chunked(String(repeating: "1000\r\n\(letters(4096))\r\n", count: 20) + "0\r\n\r\n"), [413]),
  Probe("chunk size is no number", chunked("zz\r\nabc\r\n0\r\n\r\n"), [400]),
  Probe("chunk size of 18 digits", chunked("ffffffffffffffffff\r\nabc\r\n0\r\n\r\n"), [413]),
  Probe("chunk with bare LF", chunked("3\nabc\n0\n\n"), [400]),
  Probe("chunk extension", chunked("3;x=y\r\nabc\r\n0\r\n\r\n"), [200], body: "abc"),
  Probe("chunk without size", chunked(";x\r\nabc\r\n0\r\n\r\n"), [400]),
  Probe("chunk longer than its size", chunked("2\r\nabc\r\n0\r\n\r\n"), [400]),
  Probe("trailer that is no field", chunked("0\r\nXy\r\n\r\n"), [400]),
  Probe(
    "length and encoding",
    post("Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nG"), [400]),
  Probe(
    "encoding in 1.0", "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", [400]),
  Probe("TE identity", post("Transfer-Encoding: identity\r\n\r\nabc"), [501]),
  Probe("TE gzip, chunked", post("Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n"), [501]),
  Probe("TE xchunked", post("Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n"), [501]),
  Probe(
    "two encodings",
    post("Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n"), [400]),
  Probe("two lengths", post("Content-Length: 3\r\nContent-Length: 5\r\n\r\nabcde"), [400]),
  Probe("the same length twice", post("Content-Length: 3\r\nContent-Length: 3\r\n\r\nabc"), [400]),
  Probe("length 3, 3", post("Content-Length: 3, 3\r\n\r\nabc"), [400]),
  Probe("length +3", post("Content-Length: +3\r\n\r\nabc"), [400]),
  Probe("length -1", post("Content-Length: -1\r\n\r\nabc"), [400]),
  Probe("length 3x", post("Content-Length: 3x\r\n\r\nabc"), [400]),
  Probe("no length", post("Content-Length:\r\n\r\nabc"), [400]),
  Probe("length 2^64 + 3", post("Content-Length: 18446744073709551619\r\n\r\nabc"), [413]),
  Probe("body cut short", post("Content-Length: 9\r\n\r\nabc"), [400]),
]

private let pipelineProbes = [
  Probe("three at once", get("\r\n\(get("\r\n\(get("\r\n"))"))"), [200, 200, 200]),
  Probe("POST, then GET", post("Content-Length: 3\r\n\r\nabc\(get("\r\n"))"), [200, 200]),
  Probe("good, then malformed", get("\r\nGET / HTTP/9\r\n\r\n"), [200, 400]),
  Probe("malformed, then good", "GET /\r\n\r\n\(get("\r\n"))", [400]),
]

@Suite struct `Malformed requests` {
  @Test(arguments: requestLineProbes + headerProbes + bodyProbes + pipelineProbes)
  func `each is answered by its status, and no byte behind it is served`(
    probe: Probe
  ) async throws {
    var limits = HTTPListenerLimits()
    limits.bodyBytesMax = 65_536
    try await serving(limits: limits) { listener in
      let answers = await exchange(probe.bytes, port: listener.port)
      #expect(answers.map(\.status) == probe.statuses)
      if let body = probe.body { #expect(answers.last?.text == body) }
      for answer in answers where answer.status >= 400 {
        #expect(answer.closes)
        #expect(answer.head.contains("\r\nContent-Type: application/problem+json"))
        #expect(answer.text.contains("\"status\":\(answer.status),"))
      }
    }
  }

  @Test func `an error answer is a problem document`() async throws {
    try await serving { listener in
      let answers = await exchange(Array("GET\r\n\r\n".utf8), port: listener.port)
      #expect(
        answers.first?.text == #"{"type":"/problems/malformed_request","#
          + #""title":"malformed request","status":400,"#
          + #""detail":"The request is not well-formed HTTP/1.1."}"#)
    }
  }
}
