import HTTPExchange
import Testing

@testable import HTTPListener

private let withheld: [HTTPResponse] = [
  HTTPResponse(status: 200, headers: ["X": "a\r\nSet-Cookie: stolen=1"]),
  HTTPResponse(status: 200, headers: ["X": "a\nb"]),
  HTTPResponse(status: 200, headers: ["X": "a\rb"]),
  HTTPResponse(status: 200, headers: ["X": "a\0b"]),
  HTTPResponse(status: 200, headers: ["X\r\nY": "a"]),
  HTTPResponse(status: 200, headers: ["X Y": "a"]),
  HTTPResponse(status: 200, headers: ["": "a"]),
  HTTPResponse(status: 200, headers: ["Content-Length": "9"]),
  HTTPResponse(status: 200, headers: ["transfer-encoding": "chunked"]),
  HTTPResponse(status: 200, headers: ["Connection": "keep-alive"]),
  HTTPResponse(status: 200, headers: ["Keep-Alive": "timeout=5"]),
  HTTPResponse(status: 101, headers: ["Upgrade": "x"]),
  HTTPResponse(status: 100), HTTPResponse(status: 0), HTTPResponse(status: 600),
  HTTPResponse(status: 204, body: [1]), HTTPResponse(status: 304, body: [1]),
]

@Suite struct `Answers of handlers` {
  @Test(arguments: withheld)
  func `an answer that would break the framing becomes a bare 500 and a log line`(
    answer: HTTPResponse
  ) async throws {
    let log = LogLines()
    let request = Array("GET / HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n".utf8)
    try await serving(ClosureHandler { _ in answer }, log: log) { listener in
      let answers = await exchange(request, port: listener.port)
      #expect(answers.map(\.status) == [500])
      #expect(answers.first?.closes == true)
      #expect(answers.first?.head.contains("stolen") == false)
      #expect(answers.first?.text.contains("/problems/internal_error") == true)
    }
    #expect(log.all == ["answer withheld: its status or header fields must not be sent"])
  }

  @Test func `HEAD gets the length of the body but not the body`() async throws {
    let handler = ClosureHandler { _ in HTTPResponse(status: 200, body: Array("12345".utf8)) }
    try await serving(handler) { listener in
      let request = "HEAD / HTTP/1.1\r\nHost: x\r\n\r\n"
      let bytes = await onThread { [port = listener.port] in
        guard let client = RawClient(port: port) else { return [UInt8]() }
        client.send(request + request)
        client.endOutput()
        return client.receiveAll()
      }
      let answers = Answer.parse(bytes, isHEAD: true).answers
      #expect(answers.map(\.status) == [200, 200])
      #expect(answers.allSatisfy { $0.head.contains("\r\nContent-Length: 5") })
      #expect(!String(decoding: bytes, as: UTF8.self).contains("12345"))
    }
  }

  @Test(arguments: [204, 304])
  func `an answer without a body by its status has no length`(status: Int) async throws {
    try await serving(ClosureHandler { _ in HTTPResponse(status: status) }) { listener in
      let request = Array("GET / HTTP/1.1\r\nHost: x\r\n\r\n".utf8)
      let answers = await exchange(request + request, port: listener.port)
      #expect(answers.map(\.status) == [status, status])
      #expect(answers.allSatisfy { !$0.head.contains("Content-Length") })
    }
  }

  @Test func `a Date field of the handler replaces the listener's`() async throws {
    let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    let handler = ClosureHandler { _ in HTTPResponse(status: 200, headers: ["date": date]) }
    try await serving(handler) { listener in
      let answers = await exchange(
        Array("GET / HTTP/1.1\r\nHost: x\r\n\r\n".utf8), port: listener.port)
      let answer = try #require(answers.first)
      let dates = answer.head.split(separator: "\r\n").filter { $0.hasPrefix("Date") }
      #expect(dates.isEmpty)
      #expect(answer.head.contains("date: \(date)"))
    }
  }

  @Test(arguments: [
    (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
    (951_782_399, "Mon, 28 Feb 2000 23:59:59 GMT"), (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
    (1_709_251_199, "Thu, 29 Feb 2024 23:59:59 GMT"),
    (1_798_761_599, "Thu, 31 Dec 2026 23:59:59 GMT"),
    (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
  ])
  func `the Date field is written as RFC 9110 does`(second: Int, text: String) {
    #expect(DateField.format(second) == text)
  }

  @Test func `each refusal is a problem document of its status`() {
    for refusal in Refusal.allCases {
      let bytes = ResponseEncoder.encode(
        refusal.response, omitsBody: false, closes: true, date: "now")
      let answer = Answer.parse(bytes ?? []).answers.first
      #expect(answer?.status == refusal.status)
      #expect(answer?.text.contains("\"type\":\"/problems/\(refusal.rawValue)\"") == true)
    }
  }
}
