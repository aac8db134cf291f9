@testable import CurlTransport
import HTTPExchange
import TestSupport
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
  func `what could smuggle a second field or leave HTTP is refused`(request: HTTPOutgoing) async {
    #expect(refusal(of: request) != nil)
    let transport = CurlTransport()
    #expect(await CurlTransportTests.error(transport, request)?.kind == .notSent)
    await transport.close()
  }

  static let allowed: [HTTPOutgoing] = [
    HTTPOutgoing(method: "GET", url: url, headers: ["X": "tab\tand Café"]),
    HTTPOutgoing(method: String(repeating: "A", count: 32), url: url),
    HTTPOutgoing(method: "GET", url: "HTTPS://name.invalid/"),
    HTTPOutgoing(method: "GET", url: url + String(repeating: "a", count: 8_192 - url.utf8.count)),
  ]

  @Test(arguments: allowed)
  func `everything up to the limits is allowed`(request: HTTPOutgoing) {
    #expect(refusal(of: request) == nil)
  }

  @Test(arguments: [
    "http://user:secret@127.0.0.1:9/", "http://127.0.0.1:99999/", "http://", "http:///path",
    "http://[::1", "http://127.0.0.1:9x/",
  ])
  func `a url that libcurl refuses is not sent`(url: String) async {
    let transport = CurlTransport()
    let error = await CurlTransportTests.error(transport, HTTPOutgoing(method: "GET", url: url))
    #expect(error?.kind == .notSent)
    await transport.close()
  }
}
