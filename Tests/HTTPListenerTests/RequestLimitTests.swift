import Testing

@testable import HTTPListener

private func letters(_ count: Int) -> String { String(repeating: "a", count: count) }

private func limits(_ change: (inout HTTPListenerLimits) -> Void) -> HTTPListenerLimits {
  var limits = HTTPListenerLimits()
  change(&limits)
  return limits
}

private func chunked(_ body: String) -> String {
  "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n\(body)"
}

/// A request that is at a limit with `extra` 0 and over it with `extra` 1.
struct LimitCase: Sendable, CustomTestStringConvertible {
  let name: String
  let refusal: Refusal
  let limits: HTTPListenerLimits
  let text: @Sendable (_ extra: Int) -> String
  var testDescription: String { name }
}

private let cases = [
  LimitCase(name: "target", refusal: .uriTooLong, limits: limits { $0.targetBytesMax = 20 }) {
    "GET /\(letters(19 + $0)) HTTP/1.1\r\nHost: x\r\n\r\n"
  },
  LimitCase(name: "head", refusal: .headersTooLarge, limits: limits { $0.headBytesMax = 100 }) {
    "GET / HTTP/1.1\r\nHost: x\r\nX: \(letters(68 + $0))\r\n\r\n"
  },
  LimitCase(
    name: "head without a line", refusal: .uriTooLong, limits: limits { $0.headBytesMax = 100 }
  ) { $0 == 0 ? "GET / HTTP/1.1\r\nHost: x\r\nX: \(letters(68))\r\n\r\n" : letters(101) },
  LimitCase(
    name: "header fields", refusal: .headersTooLarge, limits: limits { $0.headerCountMax = 5 }
  ) { "GET / HTTP/1.1\r\nHost: x\r\n\(String(repeating: "X: y\r\n", count: 4 + $0))\r\n" },
  LimitCase(
    name: "method", refusal: .malformedRequest, limits: limits { _ in }
  ) { "\(letters(RequestHeadParser.methodBytesMax + $0)) / HTTP/1.1\r\nHost: x\r\n\r\n" },
  LimitCase(name: "body", refusal: .tooLarge, limits: limits { $0.bodyBytesMax = 10 }) {
    "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: \(10 + $0)\r\n\r\n\(letters(10 + $0))"
  },
  LimitCase(name: "one chunk", refusal: .tooLarge, limits: limits { $0.bodyBytesMax = 10 }) {
    chunked("\($0 == 0 ? "a" : "b")\r\n\(letters(10 + $0))\r\n0\r\n\r\n")
  },
  LimitCase(name: "two chunks", refusal: .tooLarge, limits: limits { $0.bodyBytesMax = 10 }) {
    chunked("6\r\n\(letters(6))\r\n\(4 + $0)\r\n\(letters(4 + $0))\r\n0\r\n\r\n")
  },
  LimitCase(name: "chunk size digits", refusal: .malformedRequest, limits: limits { _ in }) {
    let zeros = String(repeating: "0", count: ChunkDecoder.sizeDigitsMax - 1 + $0)
    return chunked("\(zeros)1\r\na\r\n0\r\n\r\n")
  },
  LimitCase(name: "chunk extensions", refusal: .malformedRequest, limits: limits { _ in }) {
    let half = ChunkDecoder.extensionBytesMax / 2
    return chunked("1;\(letters(half))\r\na\r\n0;\(letters(half + $0))\r\n\r\n")
  },
  LimitCase(name: "trailer", refusal: .headersTooLarge, limits: limits { _ in }) {
    chunked("0\r\nT:\(letters(ChunkDecoder.trailerBytesMax - 2 + $0))\r\n\r\n")
  },
]

@Suite struct `Limits on requests` {
  @Test(arguments: cases)
  func `at the limit a request is served, over it refused`(limit: LimitCase) {
    let within = Decoded(limit.text(0), limits: limit.limits)
    #expect(within.refusal == nil)
    #expect(within.requests.count == 1)
    let over = Decoded(limit.text(1), limits: limit.limits)
    #expect(over.refusal == limit.refusal)
    #expect(over.requests.isEmpty)
  }
}
