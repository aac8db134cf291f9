import HTTPExchange
import HTTPListener
import Testing

/// A second request that must never be served: whoever sends the first meant it as its body, or
/// a proxy in front took it for one.
private let hidden = "GET /hidden HTTP/1.1\r\nHost: x\r\n\r\n"

private func post(_ rest: String) -> String {
  "POST /front HTTP/1.1\r\nHost: x\r\n\(rest)"
}

/// A body in one chunk, and the hidden request behind it.
private func chunked(_ fields: String) -> String {
  post("\(fields)\r\n0\r\n\r\n\(hidden)")
}

/// The hidden request as a body by its length, and as a request without it.
private func measured(_ fields: String) -> String { post("\(fields)\r\n\(hidden)") }

private let twoLengths = [
  Probe("CL, then TE", chunked("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n"), [400]),
  Probe("TE, then CL", chunked("Transfer-Encoding: chunked\r\nContent-Length: 5\r\n"), [400]),
  Probe("CL 0 and TE", chunked("Content-Length: 0\r\nTransfer-Encoding: chunked\r\n"), [400]),
  Probe("CL 0, then CL", measured("Content-Length: 0\r\nContent-Length: 37\r\n"), [400]),
  Probe("CL, then CL 0", measured("Content-Length: 37\r\nContent-Length: 0\r\n"), [400]),
  Probe("CL twice in other case", measured("content-length: 0\r\nCONTENT-LENGTH: 0\r\n"), [400]),
  Probe("CL as a list", measured("Content-Length: 0, 37\r\n"), [400]),
  Probe("CL in hexadecimal", measured("Content-Length: 0x25\r\n"), [400]),
  Probe("CL with a point", measured("Content-Length: 0.0\r\n"), [400]),
  Probe("CL with an inner space", measured("Content-Length: 0 37\r\n"), [400]),
  Probe("CL in other digits", measured("Content-Length: \u{FF10}\r\n"), [400]),
  Probe("CL in quotes", measured("Content-Length: \"0\"\r\n"), [400]),
]

private let oddEncodings = [
  Probe("TE with a space before the colon", chunked("Transfer-Encoding : chunked\r\n"), [400]),
  Probe("TE with a tab before the colon", chunked("Transfer-Encoding\t: chunked\r\n"), [400]),
  Probe("TE behind a space", chunked(" Transfer-Encoding: chunked\r\n"), [400]),
  Probe("TE folded", chunked("Transfer-Encoding:\r\n chunked\r\n"), [501]),
  Probe("TE behind a folded field", chunked("X: a\r\n\tTransfer-Encoding: chunked\r\n"), [400]),
  Probe("TE behind a bare LF", chunked("X: a\nTransfer-Encoding: chunked\r\n"), [400]),
  Probe("TE behind a bare CR", chunked("X: a\rTransfer-Encoding: chunked\r\n"), [400]),
  Probe("TE behind a NUL", chunked("X: a\0Transfer-Encoding: chunked\r\n"), [400]),
  Probe("TE with a vertical tab", chunked("Transfer-Encoding: \u{0B}chunked\r\n"), [400]),
  Probe("TE with a NUL", chunked("Transfer-Encoding: chunked\0\r\n"), [400]),
  Probe("TE in quotes", chunked("Transfer-Encoding: \"chunked\"\r\n"), [501]),
  Probe("TE chunked twice in one", chunked("Transfer-Encoding: chunked, chunked\r\n"), [501]),
  Probe("TE chunked, identity", chunked("Transfer-Encoding: chunked, identity\r\n"), [501]),
  Probe("TE identity, chunked", chunked("Transfer-Encoding: identity, chunked\r\n"), [501]),
  Probe("TE with an empty element", chunked("Transfer-Encoding: , chunked\r\n"), [501]),
  Probe("TE with a parameter", chunked("Transfer-Encoding: chunked;q=1\r\n"), [501]),
  Probe("TE empty", chunked("Transfer-Encoding:\r\n"), [501]),
  Probe(
    "TE twice",
    chunked("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n"), [400]),
  Probe("TE with a long s", chunked("Tran\u{17F}fer-Encoding: chunked\r\n"), [400]),
  Probe(
    "TE with an underscore and a length",
    chunked(
      "Transfer_Encoding: chunked\r\nContent-Length: 5\r\nConnection: close\r\n"), [200]),
]

private let oddChunks = [
  ("size with a sign", "+0\r\n\r\n"), ("size below zero", "-1\r\n\r\n"),
  ("size with 0x", "0x0\r\n\r\n"), ("size behind a space", " 0\r\n\r\n"),
  ("size before a space", "0 \r\n\r\n"), ("size before a bare CR", "0\rx\r\n\r\n"),
  ("size before a bare LF", "0\n\r\n"), ("no size", "\r\n\r\n"),
  ("bare LF in an extension", "0;a\nb\r\n\r\n"), ("bare CR in an extension", "0;a\rb\r\n\r\n"),
  ("NUL in an extension", "0;a\0b\r\n\r\n"), ("data without its end", "1\r\nab\r\n0\r\n\r\n"),
  ("data with a bare LF", "1\r\na\n0\r\n\r\n"), ("trailer folded", "0\r\nX: a\r\n b\r\n\r\n"),
  ("trailer with a space before the colon", "0\r\nX : a\r\n\r\n"),
  ("trailer with a bare LF", "0\r\nX: a\nY: b\r\n\r\n"),
].map { name, body in
  Probe("chunk: \(name)", post("Transfer-Encoding: chunked\r\n\r\n\(body)\(hidden)"), [400])
}

private let hosts = [
  ("none", "", 400), ("two", "Host: x\r\nHost: y\r\n", 400),
  ("the same twice", "Host: x\r\nHost: x\r\n", 400), ("a list", "Host: x, y\r\n", 400),
  ("with a user", "Host: a@x\r\n", 400), ("with a path", "Host: x/a\r\n", 400),
  ("with a backslash", "Host: x\\y\r\n", 400), ("with a space", "Host: x y\r\n", 400),
  ("folded", "Host: x\r\n y\r\n", 400), ("a space before the colon", "Host : x\r\n", 400),
  ("behind a space", " Host: x\r\n", 400), ("not ASCII", "Host: \u{E9}\r\n", 400),
]

@Suite struct `Requests that hide another` {
  @Test(arguments: twoLengths + oddEncodings + oddChunks)
  func `each is refused, and the hidden request is never served`(probe: Probe) async throws {
    try await serving { listener in
      let answers = await exchange(probe.bytes, port: listener.port)
      #expect(answers.map(\.status) == probe.statuses)
      #expect(answers.last?.closes == true)
      #expect(!answers.contains { $0.head.contains("X-Target: /hidden") })
    }
  }

  @Test func `a trailer never becomes a field of the request`() async throws {
    let seen = ClosureHandler { request in
      HTTPResponse(
        status: 200,
        headers: ["X-Fields": request.headers.fields.map(\.name).joined(separator: ",")])
    }
    try await serving(seen) { listener in
      let request = post(
        "Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
          + "0\r\nAuthorization: Bearer x\r\nContent-Length: 37\r\nHost: y\r\n\r\n")
      let answers = await exchange(Array(request.utf8), port: listener.port)
      #expect(answers.map(\.status) == [200])
      #expect(
        answers.first?.head.contains("X-Fields: Host,Transfer-Encoding,Connection\r\n") == true)
    }
  }

  @Test(arguments: hosts)
  func `there is one Host, and it is one`(
    name: String, fields: String, status: Int
  ) async throws {
    try await serving { listener in
      let request = "GET / HTTP/1.1\r\n\(fields)Connection: close\r\n\r\n"
      let answers = await exchange(Array(request.utf8), port: listener.port)
      #expect(answers.map(\.status) == [status], "\(name)")
    }
  }
}
