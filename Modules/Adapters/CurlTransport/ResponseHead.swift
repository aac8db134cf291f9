import HTTPExchange

/// The header fields of an answer, out of the lines that libcurl hands over one by one.
struct ResponseHead {
  /// Heads of real answers stay below a tenth of this.
  static let bytesMax = 65_536

  private var fields: [(name: String, value: String)] = []
  private var byteCount = 0
  private var isComplete = false

  /// The fields of the last head: those of `100` and `103` before it do not count, and neither do
  /// trailers.
  var headers: HTTPHeaders {
    var headers = HTTPHeaders()
    for field in fields { headers.add(field.name, field.value) }
    return headers.withoutFraming()
  }

  /// Takes the next line, with its line end. False if there is more than anybody means to send.
  mutating func take(_ line: some Collection<UInt8>) -> Bool {
    byteCount += line.count
    guard byteCount <= Self.bytesMax else { return false }
    let text = trimmed(line)
    if text.isEmpty {
      isComplete = true
    } else if isComplete {
      // Another status line after an interim answer; anything else is a trailer.
      if text.starts(with: "HTTP/".utf8) { (fields, isComplete) = ([], false) }
    } else if let first = line.first, first == 0x20 || first == 0x09, let last = fields.popLast() {
      // A folded line, which RFC 9112 (5.2) has us read as one space.
      let value = last.value + " " + String(decoding: text, as: UTF8.self)
      fields.append((last.name, value))
    } else if let colon = text.firstIndex(of: 0x3A) {
      let value = trimmed(text[text.index(after: colon)...])
      fields.append(
        (
          String(decoding: text[..<colon], as: UTF8.self), String(decoding: value, as: UTF8.self)
        ))
    }
    return true
  }
}

/// Without white space and line ends at both sides.
private func trimmed(_ bytes: some Collection<UInt8>) -> ArraySlice<UInt8> {
  let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A }
  var rest = Array(bytes)[...]
  while let first = rest.first, isSpace(first) { rest.removeFirst() }
  while let last = rest.last, isSpace(last) { rest.removeLast() }
  return rest
}
