import HTTPExchange
import HTTPListener

/// The stream behind the first byte is decoded in one piece, and again cut into pieces whose length
/// the first byte says. Both must make the same requests and refusal of it, within the limits.
func checkRequestStream(_ input: [UInt8]) throws(BrokenClaim) {
  guard let first = input.first else { return }
  let limits = makeLimits()
  let stream = input.dropFirst()
  let whole = try decode(stream, pieces: max(1, stream.count), limits: limits)
  let split = try decode(stream, pieces: 1 + Int(first) % 64, limits: limits)
  try hold(
    whole.requests == split.requests && whole.refusal == split.refusal,
    "where a stream is cut changes nothing")
  for request in whole.requests { try check(request, limits) }
}

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
) throws(BrokenClaim) -> (requests: [DecodedRequest], refusal: Refusal?) {
  var decoder = RequestDecoder(limits: limits)
  var requests: [DecodedRequest] = []
  var rest = bytes
  while !rest.isEmpty {
    decoder.append(rest.prefix(pieces))
    rest = rest.dropFirst(pieces)
    do throws(Refusal) {
      while let request = try decoder.next() { requests.append(request) }
    } catch { return (requests, error) }
    try hold(
      decoder.heldBytes <= 4 * (limits.headBytesMax + bytes.count), "held input is bounded")
  }
  return (requests, nil)
}

private func check(
  _ request: DecodedRequest, _ limits: HTTPListenerLimits
) throws(BrokenClaim) {
  let head = request.head
  try hold(request.body.count <= limits.bodyBytesMax, "a body is within its limit")
  // An absolute form of HTTP/1.0 without Host brings one more.
  try hold(head.headers.fields.count <= limits.headerCountMax + 1, "header fields are too")
  try hold(head.target.utf8.count <= limits.targetBytesMax, "a target is too")
  try hold(head.target.hasPrefix("/") || head.target == "*", "a target is a path")
  try hold(
    head.headers.values("Content-Length").isEmpty
      || head.headers.values("Transfer-Encoding").isEmpty, "framing is unambiguous")
  let texts = [head.method, head.target] + head.headers.fields.flatMap { [$0.name, $0.value] }
  try hold(
    texts.allSatisfy { $0.utf8.allSatisfy { byte in byte >= 0x20 && byte != 0x7F || byte == 9 } },
    "no control character comes through")
  // What came in may be sent back: the encoder agrees on what a field is.
  var response = HTTPResponse(status: 200)
  for field in head.headers.fields { response.headers.add("X-\(field.name)", field.value) }
  try hold(
    ResponseEncoder.encode(response, omitsBody: false, closes: false, date: "") != nil,
    "a field that was read can be written")
}
