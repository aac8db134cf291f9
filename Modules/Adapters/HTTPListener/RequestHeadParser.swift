import HTTPExchange

/// Reads request line and header fields as RFC 9112 writes them, without its leniencies: what two
/// programs could read differently is refused, since that difference is how requests are smuggled.
struct RequestHeadParser {
  /// Longer methods are of no registered kind; the longest of those has 17 characters.
  static let methodBytesMax = 32

  private var rest: ArraySlice<UInt8>
  private let limits: HTTPListenerLimits

  /// Reads a head that ends with its empty line.
  static func parse(
    _ bytes: ArraySlice<UInt8>, limits: HTTPListenerLimits
  ) throws(Refusal) -> RequestHead {
    var parser = RequestHeadParser(rest: bytes, limits: limits)
    return try parser.head()
  }

  private mutating func head() throws(Refusal) -> RequestHead {
    let (method, target, minorVersion) = try requestLine()
    var headers = HTTPHeaders()
    var message = MessageFields()
    var line = try nextLine()
    while !line.isEmpty {
      guard headers.fields.count < limits.headerCountMax else { throw .headersTooLarge }
      let (name, value) = try Self.field(line)
      try message.note(name, value)
      // The name is ASCII; a value that is not UTF-8 would have to be altered to become a String.
      guard let text = String(validating: value, as: UTF8.self) else { throw .malformedRequest }
      headers.add(String(decoding: name, as: UTF8.self), text)
      line = try nextLine()
    }
    guard rest.isEmpty else { throw .malformedRequest }
    let framing = try message.framing(minorVersion: minorVersion, limits: limits)
    // RFC 9112 section 3.2.2: the authority of an absolute form replaces the Host field.
    if let authority = target.authority { headers["Host"] = authority }
    return RequestHead(
      method: method, target: target.target, headers: headers, framing: framing,
      isPersistent: minorVersion == 1 && !message.saysClose,
      expectsContinue: minorVersion == 1 && message.expectsContinue)
  }

  private mutating func nextLine() throws(Refusal) -> ArraySlice<UInt8> {
    guard let end = rest.firstIndex(of: carriageReturn), end + 1 < rest.endIndex,
      rest[end + 1] == lineFeed
    else { throw .malformedRequest }
    let line = rest[..<end]
    rest = rest[(end + 2)...]
    return line
  }

  private mutating func requestLine() throws(Refusal) -> (String, RequestTarget, Int) {
    let line = try nextLine()
    let parts = line.split(separator: 0x20, maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 3 else { throw .malformedRequest }
    let (method, target, version) = (parts[0], parts[1], Array(parts[2]))
    guard !method.isEmpty, method.count <= Self.methodBytesMax,
      method.allSatisfy(Characters.isToken)
    else { throw .malformedRequest }
    guard version.count == 8, version.starts(with: "HTTP/".utf8), version[6] == 0x2E,
      Characters.isDigit(version[5]), Characters.isDigit(version[7])
    else { throw .malformedRequest }
    guard version[5] == 0x31, version[7] <= 0x31 else { throw .versionNotSupported }
    guard target.count <= limits.targetBytesMax else { throw .uriTooLong }
    let methodText = String(decoding: method, as: UTF8.self)
    return (
      methodText, try RequestTarget(target, method: methodText), Int(version[7] - 0x30)
    )
  }

  /// Name and value; a space before the colon and a folded line are not taken for a name.
  private static func field(
    _ line: ArraySlice<UInt8>
  ) throws(Refusal) -> (ArraySlice<UInt8>, ArraySlice<UInt8>) {
    guard let colon = line.firstIndex(of: 0x3A) else { throw .malformedRequest }
    let name = line[..<colon]
    var value = line[(colon + 1)...].drop(while: Characters.isBlank)
    while let last = value.last, Characters.isBlank(last) { value.removeLast() }
    guard !name.isEmpty, name.allSatisfy(Characters.isToken),
      value.allSatisfy(Characters.isFieldContent)
    else { throw .malformedRequest }
    return (name, value)
  }
}

/// The target of a request line, in one of the three forms that an origin server takes.
private struct RequestTarget {
  let target: String
  /// Host and port of an absolute form.
  let authority: String?

  init(_ bytes: ArraySlice<UInt8>, method: String) throws(Refusal) {
    // Printable ASCII without `#`, which never stands in a target.
    guard bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x23 }) else {
      throw .malformedRequest
    }
    if bytes.first == 0x2F || (bytes.elementsEqual("*".utf8) && method == "OPTIONS") {
      (target, authority) = (String(decoding: bytes, as: UTF8.self), nil)
      return
    }
    guard let colon = bytes.firstIndex(of: 0x3A),
      bytes[..<colon].isCaseless("http") || bytes[..<colon].isCaseless("https"),
      bytes[colon...].starts(with: "://".utf8)
    else { throw .malformedRequest }
    let host = bytes[(colon + 3)...].prefix { $0 != 0x2F && $0 != 0x3F }
    // Not a host character: `@`, so user information is refused.
    guard !host.isEmpty, host.allSatisfy(Characters.isHost) else { throw .malformedRequest }
    let path = String(decoding: bytes[host.endIndex...], as: UTF8.self)
    target = path.hasPrefix("/") ? path : "/" + path
    authority = String(decoding: host, as: UTF8.self)
  }
}
