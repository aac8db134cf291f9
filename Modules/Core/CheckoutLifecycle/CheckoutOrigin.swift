/// The origin of a hosted checkout that an app trusts with its web view: a setting of the app,
/// never something that came over the network.
///
/// An https origin; or plain http to the developer's own machine, with a port (Futa, *Mobile
/// SDKs*). The app's own transport policy must allow plain http besides.
public struct CheckoutOrigin: Hashable, Sendable, CustomStringConvertible {
  /// Where the app runs, which decides what is the developer's own machine.
  public enum Platform: Hashable, Sendable {
    /// `127.0.0.1` and `localhost`, which a simulator reaches and a device does not.
    case iOS
    /// The same and the emulator's `10.0.2.2`, all of them in a debuggable app only.
    case android(isDebuggable: Bool)
  }

  private let origin: WebOrigin

  /// Reads a setting; nil if it is no origin to be trusted: another scheme, http elsewhere or
  /// without a port, a path, a query, a user, or characters that two programs may read differently.
  public init?(_ text: String, on platform: Platform) {
    guard let origin = WebOrigin(of: text), origin.isWhole(text) else { return nil }
    switch origin.scheme {
    case "https": break
    case "http":
      guard origin.hasExplicitPort, Self.isOwnMachine(origin.host, on: platform) else { return nil }
    default: return nil
    }
    self.origin = origin
  }

  /// Whether a page of this address may be loaded: same scheme, host and port, and nothing else.
  public func covers(_ url: String) -> Bool { WebOrigin(of: url) == origin }

  /// Scheme, host and port, the scheme's own port left out.
  public var description: String { origin.description }

  private static func isOwnMachine(_ host: String, on platform: Platform) -> Bool {
    switch platform {
    case .iOS: ["127.0.0.1", "localhost"].contains(host)
    case .android(let isDebuggable):
      isDebuggable && ["127.0.0.1", "localhost", "10.0.2.2"].contains(host)
    }
  }
}

/// Scheme, host and port of an address that has an authority, compared as browsers do.
struct WebOrigin: Hashable, CustomStringConvertible {
  let scheme: String
  let host: String
  /// The port, the scheme's own filled in for http and https.
  let port: UInt16?
  /// Whether the port stood in the text; not part of the origin.
  let hasExplicitPort: Bool
  /// Length of the text up to the end of the authority, bytes; not part of the origin.
  private let byteCount: Int

  /// Takes the origin off an address; nil if there is none to be sure of.
  init?(of url: String) {
    // `\` is `/` to a browser, white space and controls are dropped by some and not by others.
    guard url.utf8.count <= ReturnURL.bytesMax,
      url.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") }),
      let colon = url.firstIndex(of: ":"), url[colon...].hasPrefix("://")
    else { return nil }
    let scheme = url[..<colon].lowercased()
    let authority = url[colon...].dropFirst(3).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    // A user only serves to deceive; `%` would be decoded by some.
    guard !scheme.isEmpty, !authority.isEmpty, !authority.contains("@"), !authority.contains("%")
    else { return nil }
    let bracket = authority.lastIndex(of: "]") ?? authority.startIndex
    let portStart = authority[bracket...].firstIndex(of: ":") ?? authority.endIndex
    let digits = authority[portStart...].dropFirst()
    let ownPort: UInt16? = ["http": 80, "https": 443][scheme]
    guard digits.isEmpty || digits.utf8.allSatisfy({ (48...57).contains($0) }),
      digits.isEmpty || UInt16(digits).map({ $0 > 0 }) == true
    else { return nil }
    let host = authority[..<portStart].lowercased()
    guard !host.isEmpty else { return nil }
    self.scheme = scheme
    self.host = host
    port = UInt16(digits) ?? ownPort
    hasExplicitPort = !digits.isEmpty
    byteCount = url[..<authority.endIndex].utf8.count
  }

  /// Whether a text is this origin and nothing behind it.
  func isWhole(_ text: String) -> Bool { text.utf8.count == byteCount }

  /// What stands behind the authority, up to a query or fragment; `/` if there is nothing.
  func path(in url: String) -> String {
    let rest = String(decoding: url.utf8.dropFirst(byteCount), as: UTF8.self)
      .prefix { $0 != "?" && $0 != "#" }
    return rest.isEmpty ? "/" : String(rest)
  }

  static func == (left: WebOrigin, right: WebOrigin) -> Bool {
    left.scheme == right.scheme && left.host == right.host && left.port == right.port
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(scheme)
    hasher.combine(host)
    hasher.combine(port)
  }

  var description: String {
    let ownPort: UInt16? = ["http": 80, "https": 443][scheme]
    return port == ownPort ? "\(scheme)://\(host)" : "\(scheme)://\(host):\(port ?? 0)"
  }
}
