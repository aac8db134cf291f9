import FuzzDriver
import HTTPExchange

@testable import HTTPListener

// The stream behind the first byte is decoded in one piece, and again cut into pieces whose length
// the first byte says. Both must make the same requests and refusal of it, within the limits.

/// Small, so that short inputs reach them.
private func makeLimits() -> HTTPListenerLimits {
  var limits = HTTPListenerLimits()
  limits.targetBytesMax = 40
  limits.headBytesMax = 300
  limits.headerCountMax = 6
  limits.bodyBytesMax = 50
  return limits
}

private func decode(
  _ bytes: ArraySlice<UInt8>, pieces: Int, limits: HTTPListenerLimits
) -> (requests: [DecodedRequest], refusal: Refusal?) {
  var decoder = RequestDecoder(limits: limits)
  var requests: [DecodedRequest] = []
  var rest = bytes
  do throws(Refusal) {
    while !rest.isEmpty {
      decoder.append(rest.prefix(pieces))
      rest = rest.dropFirst(pieces)
      while let request = try decoder.next() { requests.append(request) }
      precondition(
        decoder.heldBytes <= 4 * (limits.headBytesMax + bytes.count), "held input is bounded")
    }
  } catch { return (requests, error) }
  return (requests, nil)
}

private func check(_ request: DecodedRequest, _ limits: HTTPListenerLimits) {
  let head = request.head
  precondition(request.body.count <= limits.bodyBytesMax, "a body is within its limit")
  // An absolute form of HTTP/1.0 without Host brings one more.
  precondition(head.headers.fields.count <= limits.headerCountMax + 1, "header fields are too")
  precondition(head.target.utf8.count <= limits.targetBytesMax, "a target is too")
  precondition(head.target.hasPrefix("/") || head.target == "*", "a target is a path")
  precondition(
    head.headers.values("Content-Length").isEmpty
      || head.headers.values("Transfer-Encoding").isEmpty, "framing is unambiguous")
  let texts =
    [head.method, head.target] + head.headers.fields.flatMap { [$0.name, $0.value] }
  precondition(
    texts.allSatisfy { $0.utf8.allSatisfy { byte in byte >= 0x20 && byte != 0x7F || byte == 9 } },
    "no control character comes through")
  // What came in may be sent back: the encoder agrees on what a field is.
  var response = HTTPResponse(status: 200)
  for field in head.headers.fields { response.headers.add("X-\(field.name)", field.value) }
  precondition(
    ResponseEncoder.encode(response, omitsBody: false, closes: false, date: "") != nil,
    "a field that was read can be written")
}

// The body keeps to libFuzzer's contract: it reads the bytes only through fuzzBytes, which copies.
unsafe runFuzzer { start, count in
  // Start and count are those that this call was given.
  let bytes = unsafe fuzzBytes(start, count)
  guard let first = bytes.first else { return 0 }
  let limits = makeLimits()
  let stream = bytes.dropFirst()
  let whole = decode(stream, pieces: max(1, stream.count), limits: limits)
  let split = decode(stream, pieces: 1 + Int(first) % 64, limits: limits)
  precondition(
    whole.requests == split.requests && whole.refusal == split.refusal,
    "where a stream is cut changes nothing")
  for request in whole.requests { check(request, limits) }
  return 0
}
