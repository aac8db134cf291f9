import CurlTransport
import HTTPExchange
import Testing

@Suite("Requests that libcurl never sees, or refuses")
struct RefusedRequestTests {
  @Test(arguments: [
    HTTPOutgoing(method: "GET", url: "http://127.0.0.1:9/", headers: ["X": "a\r\nInjected: 1"]),
    HTTPOutgoing(method: "GET", url: "http://127.0.0.1:9/ HTTP/1.1\r\nX: 1"),
    HTTPOutgoing(method: "GET", url: "file:///etc/passwd"),
  ])
  func `a request that could smuggle or leave HTTP is not sent`(request: HTTPOutgoing) async {
    let transport = CurlTransport()
    let error = await CurlTransportTests.error(transport, request)
    #expect(error == HTTPTransportError(.notSent, reason: request.refusal ?? ""))
    await transport.close()
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
