/// Scheme, host and port of a provider's API, and nothing else.
public struct BaseURL: Sendable {
  /// The URL without a slash at the end.
  public let text: String
  /// Whether the scheme is `https`.
  public let isSecure: Bool
  /// Whether the host is this machine, by its literal name alone: nothing is looked up.
  public let isLoopback: Bool

  /// Reads a URL; nil if there is a user, path, query, fragment or odd character in it, so that
  /// no spelling makes a foreign host look like this machine.
  public init?(_ given: String) {
    let text = given.hasSuffix("/") ? String(given.dropLast()) : given
    let secure = "https://"
    let plain = "http://"
    guard let scheme = [secure, plain].first(where: text.hasPrefix) else { return nil }
    let authority = text.dropFirst(scheme.count)
    var host = authority
    if let colon = authority.lastIndex(of: ":"), !authority.hasSuffix("]") {
      let port = authority[authority.index(after: colon)...]
      guard port.utf8.allSatisfy({ (48...57).contains($0) }), let number = UInt16(port), number > 0
      else {
        return nil
      }
      host = authority[..<colon]
    }
    let isIPv6Loopback = host == "[::1]"
    guard isIPv6Loopback || Self.isName(host) else { return nil }
    self.text = text
    isSecure = scheme == secure
    isLoopback = isIPv6Loopback || host == "localhost" || Self.isLoopbackIPv4(host)
  }

  private static func isName(_ host: Substring) -> Bool {
    !host.isEmpty
      && host.utf8.allSatisfy { byte in
        switch byte {
        case 48...57, 97...122, 45, 46: true
        default: false
        }
      }
  }

  private static func isLoopbackIPv4(_ host: Substring) -> Bool {
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }
}
