/// Whether `text` is printable ASCII without a space, and not empty.
public func isVisible(_ text: String) -> Bool {
  !text.isEmpty && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
}

/// Whether `text` can be a header's name, a part of a path or a word as it is. The bound keeps a
/// pasted file out of every request.
public func isToken(_ text: some StringProtocol) -> Bool {
  (1...100).contains(text.utf8.count)
    && text.utf8.allSatisfy { byte in
      switch byte {
      case 48...57, 65...90, 97...122, 45, 95: true
      default: false
      }
    }
}

/// Whether `text` is empty or a path of plain words, without a slash at the end.
public func isPath(_ text: Substring) -> Bool {
  text.isEmpty
    || text.hasPrefix("/")
      && text.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        .allSatisfy(isToken)
}

/// Scheme, host and port of a web address, in lower case and without the scheme's own port; nil if
/// it is none, names a user, or has a character that two programs may read differently.
public func webOrigin(of url: String) -> String? {
  guard url.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") }),
    let colon = url.firstIndex(of: ":")
  else { return nil }
  let scheme = url[..<colon].lowercased()
  guard scheme == "http" || scheme == "https", url[colon...].hasPrefix("://") else { return nil }
  let rest = url[colon...].dropFirst(3)
  let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }.lowercased()
  guard !authority.contains("@") else { return nil }
  let bracket = authority.lastIndex(of: "]") ?? authority.startIndex
  let portMark = authority[bracket...].firstIndex(of: ":")
  let host = authority[..<(portMark ?? authority.endIndex)]
  guard !host.isEmpty else { return nil }
  guard let portMark else { return "\(scheme)://\(host)" }
  let digits = authority[authority.index(after: portMark)...]
  guard digits.utf8.allSatisfy({ (48...57).contains($0) }), let port = UInt16(digits), port > 0
  else { return nil }
  return port == (scheme == "http" ? 80 : 443)
    ? "\(scheme)://\(host)" : "\(scheme)://\(host):\(port)"
}
