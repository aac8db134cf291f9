import HTTPExchange
import Testing

@Suite("What may go out")
struct OutgoingCheckTests {
  static let url = "http://127.0.0.1:9/"

  static let refused: [HTTPOutgoing] = [
    HTTPOutgoing(method: "GET", url: url, headers: ["X": "a\r\nInjected: 1"]),
    HTTPOutgoing(method: "GET", url: url, headers: ["X": "a\nInjected: 1"]),
    HTTPOutgoing(method: "GET", url: url, headers: ["X": "a\rb"]),
    HTTPOutgoing(method: "GET", url: url, headers: ["X": "a\u{0}b"]),
    HTTPOutgoing(method: "GET", url: url, headers: ["X": "a\u{7F}"]),
    HTTPOutgoing(method: "GET", url: url, headers: ["X: 1\r\nY": "a"]),
    HTTPOutgoing(method: "GET", url: url, headers: ["X ": "a"]),
    HTTPOutgoing(method: "GET", url: url, headers: ["": "a"]),
    HTTPOutgoing(method: "GET", url: url, headers: ["content-length": "5"]),
    HTTPOutgoing(method: "GET", url: url, headers: ["Transfer-Encoding": "chunked"]),
    HTTPOutgoing(method: "GET / HTTP/1.1\r\nX: 1", url: url),
    HTTPOutgoing(method: "", url: url),
    HTTPOutgoing(method: String(repeating: "A", count: 33), url: url),
    HTTPOutgoing(method: "GET", url: "http://127.0.0.1:9/ HTTP/1.1\r\nX: 1"),
    HTTPOutgoing(method: "GET", url: "http://127.0.0.1:9/a b"),
    HTTPOutgoing(method: "GET", url: "http://127.0.0.1:9/a\u{0}"),
    HTTPOutgoing(method: "GET", url: "http://127.0.0.1:9/é"),
    HTTPOutgoing(method: "GET", url: "file:///etc/passwd"),
    HTTPOutgoing(method: "GET", url: "ftp://127.0.0.1/"),
    HTTPOutgoing(method: "GET", url: "/v1/payments"),
    HTTPOutgoing(method: "GET", url: ""),
    HTTPOutgoing(method: "GET", url: url, deadline: .zero),
    HTTPOutgoing(method: "GET", url: url + String(repeating: "a", count: 8_193 - url.utf8.count)),
  ]

  @Test(arguments: refused)
  func `what could smuggle a second field or leave HTTP is refused`(request: HTTPOutgoing) {
    #expect(request.refusal != nil)
  }

  static let allowed: [HTTPOutgoing] = [
    HTTPOutgoing(method: "GET", url: url, headers: ["X": "tab\tand Café"]),
    HTTPOutgoing(method: String(repeating: "A", count: 32), url: url),
    HTTPOutgoing(method: "GET", url: "HTTPS://name.invalid/"),
    HTTPOutgoing(method: "GET", url: url + String(repeating: "a", count: 8_192 - url.utf8.count)),
  ]

  @Test(arguments: allowed)
  func `everything up to the limits is allowed`(request: HTTPOutgoing) {
    #expect(request.refusal == nil)
  }

  @Test func `fields about the transfer are taken out, whatever their case`() {
    let headers: HTTPHeaders = [
      "content-length": "1", "X": "a", "Transfer-Encoding": "chunked", "CONNECTION": "close",
      "Keep-Alive": "5", "Content-Encoding": "gzip", "Content-Type": "b", "x": "c",
    ]
    #expect(headers.withoutFraming() == ["X": "a", "Content-Type": "b", "x": "c"])
  }
}
