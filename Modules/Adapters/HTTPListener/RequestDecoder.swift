/// Turns the bytes of a connection into requests, one after the other, however they are split.
///
/// A value without input or output, so that tests and the fuzzer drive it directly.
package struct RequestDecoder {
  private enum Stage {
    case head
    case length(RequestHead, Int)
    case chunked(RequestHead, ChunkDecoder)
  }

  private let limits: HTTPListenerLimits
  private var stage = Stage.head
  /// Input that is not used yet, from `start` on. Empty, without storage, once all is used.
  private var buffer: [UInt8] = []
  private var start = 0
  /// Up to where the head has been searched for its end, so that dripped bytes cost no more.
  private var scanned = 0
  private var skippedEmptyLine = false
  private var owesContinue = false

  package init(limits: HTTPListenerLimits) {
    self.limits = limits
  }

  /// Whether no byte of a request has come.
  var isIdle: Bool {
    if case .head = stage { start == buffer.count } else { false }
  }

  /// Whether a head is complete and its body is not.
  var isInBody: Bool {
    if case .head = stage { false } else { true }
  }

  /// Bytes of storage for input that is not used yet.
  package var heldBytes: Int { buffer.capacity }

  /// Adds input.
  package mutating func append(_ bytes: ArraySlice<UInt8>) {
    buffer.removeFirst(start)
    scanned -= start
    start = 0
    buffer.append(contentsOf: bytes)
  }

  /// The next whole request, or nil if more input is needed. After a refusal the connection
  /// cannot go on.
  package mutating func next() throws(Refusal) -> DecodedRequest? {
    if case .head = stage {
      guard let end = try headEnd() else { return nil }
      let head = try RequestHeadParser.parse(buffer[start..<end], limits: limits)
      use(upTo: end)
      owesContinue = head.expectsContinue && start == buffer.count
      switch head.framing {
      case .none: return finish(head, [])
      case .length(let count): stage = .length(head, count)
      case .chunked: stage = .chunked(head, ChunkDecoder(bodyBytesMax: limits.bodyBytesMax))
      }
    }
    return try nextBody()
  }

  /// Whether the peer waits for `100 Continue`; true once for a request.
  mutating func takeContinue() -> Bool {
    defer { owesContinue = false }
    return owesContinue && isInBody
  }

  private mutating func nextBody() throws(Refusal) -> DecodedRequest? {
    switch stage {
    case .head: return nil
    case .length(let head, let count):
      guard buffer.count - start >= count else { return nil }
      let body = Array(buffer[start..<(start + count)])
      use(upTo: start + count)
      return finish(head, body)
    case .chunked(let head, var chunks):
      // The stage lets go of the decoder while it grows, else each piece would copy the body.
      stage = .head
      use(upTo: try chunks.take(buffer[start...]))
      if chunks.isDone { return finish(head, chunks.body) }
      stage = .chunked(head, chunks)
      return nil
    }
  }

  private mutating func finish(_ head: RequestHead, _ body: [UInt8]) -> DecodedRequest {
    stage = .head
    skippedEmptyLine = false
    owesContinue = false
    return DecodedRequest(head: head, body: body)
  }

  private mutating func use(upTo index: Int) {
    start = index
    if start == buffer.count { (buffer, start) = ([], 0) }
    scanned = start
  }

  /// The index behind the empty line that ends a head. Refuses at once what no later byte can
  /// mend: a control character, a line feed or carriage return on its own.
  private mutating func headEnd() throws(Refusal) -> Int? {
    skipEmptyLine()
    let scanEnd = min(buffer.count, start + limits.headBytesMax)
    while scanned < scanEnd {
      let byte = buffer[scanned]
      if byte == carriageReturn {
        guard scanned + 1 < buffer.count else { return nil }
        guard buffer[scanned + 1] == lineFeed else { throw .malformedRequest }
      } else if byte == lineFeed {
        guard scanned > start, buffer[scanned - 1] == carriageReturn else {
          throw .malformedRequest
        }
        if scanned >= start + 3, buffer[scanned - 2] == lineFeed {
          return scanned + 1
        }
      } else if !Characters.isFieldContent(byte) {
        throw .malformedRequest
      }
      scanned += 1
    }
    guard buffer.count - start > limits.headBytesMax else { return nil }
    throw buffer[start..<scanEnd].contains(lineFeed) ? .headersTooLarge : .uriTooLong
  }

  /// RFC 9112 section 2.2: an empty line before a request is passed over; here only one.
  private mutating func skipEmptyLine() {
    guard !skippedEmptyLine, buffer.count - start >= 2, buffer[start] == carriageReturn,
      buffer[start + 1] == lineFeed
    else { return }
    skippedEmptyLine = true
    use(upTo: start + 2)
  }
}
