/// A URL taken apart for comparing, by RFC 3986. What could be read in two ways is not read.
struct ReturnURL: Hashable {
  /// A longer URL is none of ours; browsers and systems cut well below that.
  static let bytesMax = 8_192

  let scheme: String
  /// Lower-case host; nil if there is no authority (`myapp:result`).
  let host: String?
  let port: UInt16?
  /// Decoded, without an empty last one, so that `/a/` is `/a`.
  let segments: [String]
  /// The path as it stands, `/` if there is none.
  let path: String
  let parameters: [CheckoutReturn.Parameter]

  init?(_ text: String) {
    guard text.utf8.count <= Self.bytesMax, text.utf8.allSatisfy(Self.isPlain),
      let colon = text.firstIndex(of: ":")
    else { return nil }
    guard text[..<colon].utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    let scheme = text[..<colon].lowercased()
    guard Self.isScheme(scheme) else { return nil }
    self.scheme = scheme
    let rest = text[text.index(after: colon)...].prefix { $0 != "#" }
    let halves = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    parameters = halves.count == 2 ? Self.parameters(halves[1]) : []
    var path = halves[0]
    // Beyond ASCII, letters that look or fold alike are another host.
    guard path.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    if path.hasPrefix("//") {
      path = path.dropFirst(2)
      let authority = path.prefix { $0 != "/" }
      path = path.dropFirst(authority.count)
      guard let (host, port) = Self.split(authority: authority, scheme: scheme) else { return nil }
      self.host = host
      self.port = port
    } else {
      guard scheme != "http", scheme != "https" else { return nil }
      host = nil
      port = nil
    }
    guard let segments = Self.segments(path) else { return nil }
    self.segments = segments
    self.path = path.isEmpty ? "/" : String(path)
  }

  /// Whether `seen` lies at or under this URL.
  func covers(_ seen: ReturnURL) -> Bool {
    scheme == seen.scheme && host == seen.host && port == seen.port
      && seen.segments.starts(with: segments)
  }

  /// Whether `seen` is this page, whatever its query.
  func isSamePage(as seen: ReturnURL) -> Bool {
    scheme == seen.scheme && host == seen.host && port == seen.port && path == seen.path
  }

  /// How many parts, host first, `seen` has in common with this URL; nil if not even the scheme.
  func likeness(to seen: ReturnURL) -> Int? {
    guard scheme == seen.scheme else { return nil }
    guard host == seen.host else { return 0 }
    return 1 + zip(segments, seen.segments).prefix { $0 == $1 }.count
  }

  /// Neither space nor control, which parsers skip in different ways, nor `\`, which browsers
  /// take for `/`.
  private static func isPlain(_ byte: UInt8) -> Bool {
    byte > 0x20 && byte != 0x7F && byte != UInt8(ascii: "\\")
  }

  private static func isScheme(_ text: String) -> Bool {
    guard let first = text.utf8.first, (97...122).contains(first) else { return false }
    return text.utf8.allSatisfy {
      (97...122).contains($0) || (48...57).contains($0) || [43, 45, 46].contains($0)
    }
  }

  /// Host and port of an authority; nil with userinfo, which only serves to deceive, or with a
  /// port that is no number.
  private static func split(authority: Substring, scheme: String) -> (String, UInt16?)? {
    guard !authority.contains("@") else { return nil }
    let bracket = authority.lastIndex(of: "]") ?? authority.startIndex
    let colon = authority[bracket...].firstIndex(of: ":") ?? authority.endIndex
    let host = authority[..<colon].lowercased()
    let isWeb = scheme == "http" || scheme == "https"
    if isWeb, host.isEmpty { return nil }
    let digits = authority[colon...].dropFirst()
    if digits.isEmpty { return (host, isWeb ? (scheme == "http" ? 80 : 443) : nil) }
    guard digits.utf8.allSatisfy({ (48...57).contains($0) }), let port = UInt16(digits) else {
      return nil
    }
    return (host, port)
  }

  /// Decoded segments; nil if one climbs (`..`), hides a separator, or is not decodable.
  private static func segments(_ path: Substring) -> [String]? {
    var segments: [String] = []
    for part in path.split(separator: "/", omittingEmptySubsequences: false) {
      guard let segment = PercentText.decode(part), segment != ".", segment != "..",
        segment.utf8.allSatisfy({ isPlain($0) && $0 != UInt8(ascii: "/") || $0 == 0x20 })
      else { return nil }
      segments.append(segment)
    }
    if segments.last?.isEmpty == true { segments.removeLast() }
    return segments
  }

  /// All of them, in their order. A provider may have put its own behind a second `?`, so that one
  /// separates too; `+` stays what it is, as in every part of a URL but a form; a parameter with
  /// a broken escape is left out.
  private static func parameters(_ query: Substring) -> [CheckoutReturn.Parameter] {
    query.split { $0 == "&" || $0 == "?" }.compactMap { pair in
      let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = PercentText.decode(halves[0]),
        let value = PercentText.decode(halves.count == 2 ? halves[1] : "")
      else { return nil }
      return CheckoutReturn.Parameter(name: name, value: value)
    }
  }
}
