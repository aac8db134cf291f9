/// Longer URLs are refused by many servers; ours are a few hundred bytes.
private let urlBytesMax = 8_192

/// Longer than any registered method.
private let methodBytesMax = 32

extension HTTPOutgoing {
  /// Why the request may not go out, nil if it may; a constant text. Every transport asks first.
  ///
  /// What passes can neither begin a second header field or request inside the first, nor leave
  /// HTTP.
  public var refusal: String? {
    if !isToken(method) || method.utf8.count > methodBytesMax { return "method is not a token" }
    // White space, controls and everything beyond ASCII must come percent-encoded.
    if url.utf8.count > urlBytesMax || !url.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) {
      return "url has bytes that a url cannot have, or too many"
    }
    let scheme = url.prefix { $0 != ":" }.lowercased()
    if scheme != "http" && scheme != "https" { return "url is neither http nor https" }
    for field in headers.fields {
      if !isToken(field.name) { return "header name is not a token" }
      if !field.value.utf8.allSatisfy({ $0 == 0x09 || $0 >= 0x20 && $0 != 0x7F }) {
        return "header value has control characters"
      }
    }
    // A second length beside the true one lets two servers read two different requests.
    if headers["Content-Length"] != nil || headers["Transfer-Encoding"] != nil {
      return "framing headers belong to the transport"
    }
    return deadline > .zero ? nil : "deadline over before the start"
  }
}

extension HTTPHeaders {
  /// The fields without those about the transfer, for an answer whose body is whole and decoded.
  public func withoutFraming() -> HTTPHeaders {
    let framing = [
      "connection", "content-encoding", "content-length", "keep-alive", "transfer-encoding",
    ]
    var kept = HTTPHeaders()
    for field in fields where !framing.contains(where: { equalIgnoringCase($0, field.name) }) {
      kept.add(field.name, field.value)
    }
    return kept
  }
}

/// RFC 9110, section 5.6.2.
private func isToken(_ text: String) -> Bool {
  !text.isEmpty
    && text.utf8.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
      default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
      }
    }
}
