import HTTPExchange
import TestSupport
import Testing
import URLSessionTransport

@Suite("Transport over URLSession", .timeLimit(.minutes(1)))
struct URLSessionTransportTests {
  static func outcome(of request: HTTPOutgoing) async -> Result<HTTPResponse, HTTPTransportError> {
    do throws(HTTPTransportError) {
      return .success(try await URLSessionTransport().send(request))
    } catch { return .failure(error) }
  }

  static func answer(_ text: String) -> [ScriptedServer.Step] { [.send(Array(text.utf8)), .close] }

  @Test(arguments: ["GET", "POST", "PUT", "DELETE"])
  func `request and answer arrive as they are`(method: String) async throws {
    let server = ScriptedServer { _ in
      Self.answer("HTTP/1.1 502 Bad\r\nContent-Type: text/html\r\nContent-Length: 2\r\n\r\nno")
    }
    let body: [UInt8] = method == "POST" || method == "PUT" ? [0, 255, 10] : []
    let response = try await Self.outcome(
      of: HTTPOutgoing(
        method: method, url: server.url("/a?b=%2F"), headers: ["X-One": "1"], body: body)
    ).get()
    #expect(response.status == 502)
    #expect(response.headers == ["Content-Type": "text/html"])
    #expect(response.body == Array("no".utf8))
    let exchange = try #require(server.exchanges.first)
    #expect(exchange.method == method && exchange.target == "/a?b=%2F" && exchange.body == body)
    #expect(exchange.head.contains("X-One: 1"))
    server.stop()
  }

  @Test func `a redirect is not followed`() async throws {
    let server = ScriptedServer { _ in
      Self.answer("HTTP/1.1 302 Found\r\nLocation: /login\r\nContent-Length: 0\r\n\r\n")
    }
    let response = try await Self.outcome(
      of: HTTPOutgoing(method: "POST", url: server.url("/pay"), body: [1])
    ).get()
    #expect(response.status == 302 && response.headers["Location"] == "/login")
    #expect(server.exchanges.map(\.target) == ["/pay"])
    server.stop()
  }

  @Test(arguments: [(99, true), (100, true), (101, false)])
  func `a body up to the limit is read, a longer one is unknown`(count: Int, fits: Bool) async {
    let body = String(repeating: "a", count: count)
    let server = ScriptedServer { _ in
      Self.answer("HTTP/1.1 200 OK\r\nContent-Length: \(count)\r\n\r\n\(body)")
    }
    let result = await Self.outcome(
      of: HTTPOutgoing(method: "GET", url: server.url(), bodyBytesMax: 100))
    let tooLong = HTTPTransportError(.unknown, reason: "answer longer than allowed")
    #expect(
      result
        == (fits
          ? .success(HTTPResponse(status: 200, body: Array(body.utf8))) : .failure(tooLong)))
    server.stop()
  }

  @Test func `a time-out is unknown`() async {
    let server = ScriptedServer { _ in [.hold] }
    let result = await Self.outcome(
      of: HTTPOutgoing(method: "GET", url: server.url(), deadline: .milliseconds(100)))
    #expect(result == .failure(HTTPTransportError(.unknown, reason: "deadline over")))
    server.stop()
  }

  @Test func `a reset after the request is unknown`() async {
    let server = ScriptedServer { _ in [.reset] }
    let result = await Self.outcome(of: HTTPOutgoing(method: "GET", url: server.url()))
    #expect(result == .failure(HTTPTransportError(.unknown, reason: "exchange failed")))
    server.stop()
  }

  @Test func `a cancelled exchange is unknown, at any moment`() async {
    let server = ScriptedServer { _ in [.hold] }
    let url = server.url()
    for yields in 0..<10 {
      let task = Task { await Self.outcome(of: HTTPOutgoing(method: "GET", url: url)) }
      for _ in 0..<yields { await Task.yield() }
      task.cancel()
      let result = await task.value
      #expect(result == .failure(HTTPTransportError(.unknown, reason: "cancelled")))
    }
    server.stop()
  }

  @Test func `a refused connection and a name that does not exist are not sent`() async {
    let refused = await ScriptedServer.withRefusedPort { port in
      await Self.outcome(of: HTTPOutgoing(method: "POST", url: "http://127.0.0.1:\(port)/"))
    }
    #expect(
      refused == .failure(HTTPTransportError(.notSent, reason: "connect refused or unreachable")))
    let unnamed = await Self.outcome(of: HTTPOutgoing(method: "POST", url: "http://name.invalid/"))
    #expect(unnamed == .failure(HTTPTransportError(.notSent, reason: "name not resolved")))
  }

  @Test func `a failure that the session does not name is unknown`() async {
    // FoundationNetworking has no code for a failed TLS handshake; the cautious class is right.
    let server = ScriptedServer { _ in [.close] }
    let result = await Self.outcome(
      of: HTTPOutgoing(method: "POST", url: "https://127.0.0.1:\(server.port)/"))
    #expect(result == .failure(HTTPTransportError(.unknown, reason: "exchange failed")))
    #expect(server.exchanges.isEmpty)
    server.stop()
  }

  @Test func `a request that could smuggle is not sent`() async {
    let result = await Self.outcome(
      of: HTTPOutgoing(method: "GET", url: "http://127.0.0.1:9/", headers: ["X": "a\r\nB: c"]))
    #expect(
      result
        == .failure(HTTPTransportError(.notSent, reason: "header value has control characters")))
  }
}
