import CurlTransport
import HTTPExchange
import TestSupport
import Testing

/// `{"status":"CREATED"}` compressed.
let gzipBody: [UInt8] = [
  0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xAB, 0x56, 0x2A, 0x2E,
  0x49, 0x2C, 0x29, 0x2D, 0x56, 0xB2, 0x52, 0x72, 0x0E, 0x72, 0x75, 0x0C, 0x71, 0x75,
  0x51, 0xAA, 0x05, 0x00, 0xC0, 0x87, 0x7C, 0x2E, 0x14, 0x00, 0x00, 0x00,
]

@Suite("FB-25 The answer is not JSON; which transport errors mean unknown")
struct TransportErrorTests {
  static func head(_ status: String, _ fields: String...) -> [UInt8] {
    Array(("HTTP/1.1 \(status)\r\n" + fields.map { $0 + "\r\n" }.joined() + "\r\n").utf8)
  }

  /// Sends one request to a server that answers with `steps`, and gives what came of it.
  static func exchange(
    _ steps: [ScriptedServer.Step], method: String = "POST", body: String = "{}",
    bodyBytesMax: Int = 1 << 20, deadline: Duration = .seconds(15)
  ) async -> Result<HTTPResponse, HTTPTransportError> {
    let server = ScriptedServer { _ in steps }
    let result = await outcome(
      of: HTTPOutgoing(
        method: method, url: server.url("/v1/payments"), body: Array(body.utf8),
        deadline: deadline, bodyBytesMax: bodyBytesMax))
    server.stop()
    return result
  }

  static func outcome(of request: HTTPOutgoing) async -> Result<HTTPResponse, HTTPTransportError> {
    let transport = CurlTransport()
    let result: Result<HTTPResponse, HTTPTransportError>
    do throws(HTTPTransportError) {
      result = .success(try await transport.send(request))
    } catch { result = .failure(error) }
    await transport.close()
    return result
  }

  struct Answered: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let sent: [UInt8]
    let status: Int
    let type: String?
    let body: String
  }

  static let answered = [
    Answered(
      testDescription: "502 with an HTML page",
      sent: head("502 Bad Gateway", "Content-Type: text/html", "Content-Length: 13")
        + Array("<html></html>".utf8),
      status: 502, type: "text/html", body: "<html></html>"),
    Answered(
      testDescription: "200 with a captive HTML page",
      sent: head("200 OK", "Content-Type: text/html", "Content-Length: 13")
        + Array("<html></html>".utf8),
      status: 200, type: "text/html", body: "<html></html>"),
    Answered(
      testDescription: "200 that says JSON and is text",
      sent: head("200 OK", "Content-Type: application/json", "Content-Length: 16")
        + Array("error code: 1042".utf8),
      status: 200, type: "application/json", body: "error code: 1042"),
    Answered(
      testDescription: "200 without a body", sent: head("200 OK", "Content-Length: 0"),
      status: 200, type: nil, body: ""),
    Answered(
      testDescription: "204", sent: head("204 No Content"), status: 204, type: nil, body: ""),
    Answered(
      testDescription: "200 in gzip",
      sent: head(
        "200 OK", "Content-Type: application/json", "Content-Encoding: gzip",
        "Content-Length: \(gzipBody.count)") + gzipBody,
      status: 200, type: "application/json", body: #"{"status":"CREATED"}"#),
    Answered(
      testDescription: "500 in plain text while answers of 200 come in gzip",
      sent: head("500 Internal Server Error", "Content-Type: text/plain", "Content-Length: 4")
        + Array("oops".utf8),
      status: 500, type: "text/plain", body: "oops"),
    Answered(
      testDescription: "302 to a login page",
      sent: head("302 Found", "Location: /login", "Content-Length: 0"),
      status: 302, type: nil, body: ""),
    Answered(
      testDescription: "chunked",
      sent: head("200 OK", "Transfer-Encoding: chunked")
        + Array("2\r\nok\r\n0\r\nX-Trailer: 1\r\n\r\n".utf8),
      status: 200, type: nil, body: "ok"),
    Answered(
      testDescription: "103 before the answer",
      sent: head("103 Early Hints", "Content-Type: text/early")
        + head("200 OK", "Content-Type: text/late", "Content-Length: 2") + Array("ok".utf8),
      status: 200, type: "text/late", body: "ok"),
    Answered(
      testDescription: "ended by the end of the connection",
      sent: head("200 OK", "Connection: close") + Array("to the end".utf8),
      status: 200, type: nil, body: "to the end"),
  ]

  @Test(arguments: answered, ["GET", "POST"])
  func `an answer is handed on as it is, whatever it holds`(row: Answered, method: String)
    async throws
  {
    let result = await Self.exchange(
      [.send(row.sent), .close], method: method, body: method == "GET" ? "" : "{}")
    let response = try result.get()
    #expect(response.status == row.status)
    #expect(response.headers["content-type"] == row.type)
    #expect(response.body == Array(row.body.utf8))
    for name in ["Content-Length", "Content-Encoding", "Transfer-Encoding", "X-Trailer"] {
      #expect(response.headers[name] == nil)
    }
  }

  @Test func `a redirect is not followed`() async throws {
    let server = ScriptedServer(
      answer: "HTTP/1.1 302 Found\r\nLocation: /login\r\nContent-Length: 0\r\n\r\n")
    let response = try await Self.outcome(
      of: HTTPOutgoing(method: "POST", url: server.url("/pay"), body: [1])
    ).get()
    #expect(response.status == 302 && response.headers["Location"] == "/login")
    #expect(server.exchanges.map(\.target) == ["/pay"])
    server.stop()
  }

  struct Broken: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let steps: [ScriptedServer.Step]
    let reason: String
  }

  static let broken = [
    Broken(
      testDescription: "truncated at 40 bytes",
      steps: [
        .send(head("200 OK", "Content-Length: 100") + [UInt8](repeating: 0x7B, count: 40)), .close,
      ], reason: "answer truncated"),
    Broken(
      testDescription: "gzip header on plain bytes",
      steps: [
        .send(
          head("200 OK", "Content-Encoding: gzip", "Content-Length: 20")
            + Array(#"{"status":"CREATED"}"#.utf8))
      ], reason: "answer cannot be decompressed"),
    Broken(
      testDescription: "gzip cut short",
      steps: [
        .send(
          head("200 OK", "Content-Encoding: gzip", "Content-Length: 100")
            + gzipBody.prefix(20)), .close,
      ], reason: "answer truncated"),
    Broken(
      testDescription: "an encoding that nobody asked for",
      steps: [.send(head("200 OK", "Content-Encoding: zzz", "Content-Length: 1") + [1])],
      reason: "answer cannot be decompressed"),
    Broken(
      testDescription: "reset after the request was sent", steps: [.reset],
      reason: "connection broken"),
    Broken(
      testDescription: "closed after the request was sent", steps: [.close],
      reason: "connection closed without an answer"),
    Broken(
      testDescription: "not HTTP", steps: [.send(Array("SSH-2.0-x\r\n\r\n".utf8)), .close],
      reason: "url or answer is not HTTP"),
    Broken(
      testDescription: "reset in the middle of the body",
      steps: [.send(head("200 OK", "Content-Length: 100") + [1]), .reset],
      reason: "connection broken"),
  ]

  @Test(arguments: broken)
  func `what breaks after the request was sent is unknown`(row: Broken) async {
    let result = await Self.exchange(row.steps)
    #expect(result == .failure(HTTPTransportError(.unknown, reason: row.reason)))
  }

  @Test func `a read time-out is unknown`() async {
    let result = await Self.exchange([.hold], deadline: .milliseconds(100))
    #expect(result == .failure(HTTPTransportError(.unknown, reason: "deadline over")))
  }

  @Test func `an answer that drips past the deadline is unknown`() async {
    let result = await Self.exchange(
      [.send(Self.head("200 OK", "Content-Length: 5") + [1]), .hold], deadline: .milliseconds(100))
    #expect(result == .failure(HTTPTransportError(.unknown, reason: "deadline over")))
  }

  @Test(arguments: [(99, true), (100, true), (101, false), (30 << 20, false)])
  func `a body up to the limit is read, a longer one is unknown`(count: Int, fits: Bool) async {
    let sent = Self.head("200 OK", "Content-Length: \(count)") + [UInt8](repeating: 7, count: count)
    let result = await Self.exchange([.send(sent)], bodyBytesMax: 100)
    let tooLong = HTTPTransportError(.unknown, reason: "answer longer than allowed")
    #expect(
      result
        == (fits
          ? .success(HTTPResponse(status: 200, body: [UInt8](repeating: 7, count: count)))
          : .failure(tooLong)))
  }

  @Test(arguments: [(20, true), (19, false)])
  func `the limit counts the bytes after decompression`(limit: Int, fits: Bool) async {
    let sent =
      Self.head("200 OK", "Content-Encoding: gzip", "Content-Length: \(gzipBody.count)") + gzipBody
    let result = await Self.exchange([.send(sent)], bodyBytesMax: limit)
    #expect((try? result.get().body.count) == (fits ? 20 : nil))
  }

  @Test(arguments: [(65_536, true), (65_537, false)])
  func `a head up to 64 KiB is read, a longer one is unknown`(size: Int, fits: Bool) async {
    var sent = Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n".utf8)
    while sent.count + 1_002 < size {
      sent += Array(("X-Fill: " + String(repeating: "a", count: 990) + "\r\n").utf8)
    }
    let last = size - sent.count - 7
    sent += Array(("A: " + String(repeating: "b", count: last) + "\r\n\r\n").utf8)
    #expect(sent.count == size)
    let result = await Self.exchange([.send(sent), .close])
    #expect((try? result.get().status) == (fits ? 200 : nil))
    if case .failure(let error) = result {
      #expect(error == HTTPTransportError(.unknown, reason: "answer head longer than allowed"))
    }
  }

  @Test func `a name that does not exist is not sent`() async {
    let result = await Self.outcome(
      of: HTTPOutgoing(method: "POST", url: "https://name.invalid/", body: [1]))
    #expect(result == .failure(HTTPTransportError(.notSent, reason: "name not resolved")))
  }

  @Test func `a failed TLS handshake is not sent`() async {
    let server = ScriptedServer(answer: "HTTP/1.1 200 OK\r\n\r\n")
    let result = await Self.outcome(
      of: HTTPOutgoing(method: "POST", url: "https://127.0.0.1:\(server.port)/", body: [1]))
    #expect(result == .failure(HTTPTransportError(.notSent, reason: "TLS handshake failed")))
    #expect(server.exchanges.isEmpty)
    server.stop()
  }

  @Test func `a refused connection is not sent`() async {
    let result = await ScriptedServer.withRefusedPort { port in
      await Self.outcome(
        of: HTTPOutgoing(method: "POST", url: "http://127.0.0.1:\(port)/", body: [1]))
    }
    #expect(
      result == .failure(HTTPTransportError(.notSent, reason: "connect refused or unreachable")))
  }

  @Test func `a TLS handshake that never ends is not sent`() async {
    // The script is not reached: the server waits for a request that does not come in plain.
    let server = ScriptedServer(isSilentToTLS: true) { _ in [.hold] }
    let result = await Self.outcome(
      of: HTTPOutgoing(
        method: "POST", url: "https://127.0.0.1:\(server.port)/", body: [1],
        deadline: .milliseconds(100)))
    #expect(result == .failure(HTTPTransportError(.notSent, reason: "deadline over")))
    server.stop()
  }
}
