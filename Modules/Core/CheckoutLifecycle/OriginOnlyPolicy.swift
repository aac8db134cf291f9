/// The rules of a web view that loads the checkout's origin and nothing else (Futa, *Mobile SDKs*,
/// *What opens outside your app*).
///
/// Every other address opens outside and ends the session, so that a bank's credentials are never
/// typed inside the app; a receipt alone opens outside and leaves the session as it is.
public struct OriginOnlyPolicy: Hashable, Sendable {
  /// How a receipt is told from a page of the checkout. Futa does not document it.
  public struct ReceiptRule: Hashable, Sendable {
    /// A whole segment in the path of a page on the checkout's origin; nil for none.
    public var pathSegment: String?
    /// Whether a web page in a window of its own is one, on whatever origin.
    public var includesNewWindows: Bool

    /// The assumption: a page of the checkout below `receipts`.
    public init(pathSegment: String? = "receipts", includesNewWindows: Bool = false) {
      self.pathSegment = pathSegment
      self.includesNewWindows = includesNewWindows
    }
  }

  /// The origin that the app trusts.
  public let origin: CheckoutOrigin
  /// The payment's return address; without one, a return counts as leaving.
  public let returnURL: String?
  /// How a receipt is recognised.
  public let receipts: ReceiptRule

  /// Rules for one payment's page.
  public init(origin: CheckoutOrigin, returnURL: String?, receipts: ReceiptRule = ReceiptRule()) {
    self.origin = origin
    self.returnURL = returnURL
    self.receipts = receipts
  }

  /// What becomes of a navigation. An address that cannot be read for sure goes nowhere.
  public func decide(_ request: NavigationRequest) -> NavigationDecision {
    let url = request.url
    if request.target == .subframe { return decideSubframe(url) }
    guard url.utf8.count <= ReturnURL.bytesMax, let scheme = Self.scheme(of: url) else {
      return .block
    }
    // Also before the rules for apps: the return address may have a scheme of the app's own.
    if isReturn(url) { return .openOutside(url: url, fallback: nil, ends: .returned) }
    switch scheme {
    case "http", "https":
      guard let page = WebOrigin(of: url) else { return .block }
      if isReceipt(url, page, request.target) {
        return .openOutside(url: url, fallback: nil, ends: nil)
      }
      return origin.covers(url) ? .load : .openOutside(url: url, fallback: nil, ends: .left)
    case "intent":
      let intent = IntentAddress(url)
      guard intent.isSafe else { return .block }
      return .openOutside(url: url, fallback: intent.fallback, ends: .left)
    case _ where Self.neverOpened.contains(scheme):
      return .block
    default:
      return .openOutside(url: url, fallback: nil, ends: .left)
    }
  }

  /// Whether an address is the return address by origin and path; query and fragment do not count.
  public func isReturn(_ url: String) -> Bool {
    guard let returnURL, let expected = WebOrigin(of: returnURL), let seen = WebOrigin(of: url)
    else { return false }
    return expected == seen && expected.path(in: returnURL) == seen.path(in: url)
  }

  /// Nothing but the checkout's own frames loads inside the page, and nothing in a frame opens or
  /// ends anything.
  private func decideSubframe(_ url: String) -> NavigationDecision {
    let isOwn = origin.covers(url) || ["about:blank", "about:srcdoc"].contains(url.lowercased())
    return isOwn ? .load : .block
  }

  private func isReceipt(
    _ url: String, _ page: WebOrigin, _ target: NavigationRequest.Target
  ) -> Bool {
    if target == .newWindow, receipts.includesNewWindows { return true }
    guard let segment = receipts.pathSegment, origin.covers(url) else { return false }
    return page.path(in: url).split(separator: "/").contains { $0 == segment }
  }

  private static func scheme(of url: String) -> String? {
    guard url.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") }),
      let colon = url.firstIndex(of: ":")
    else { return nil }
    let scheme = url[..<colon].lowercased()
    guard let first = scheme.utf8.first, (97...122).contains(first),
      scheme.utf8.allSatisfy({
        (97...122).contains($0) || (48...57).contains($0) || [43, 45, 46].contains($0)
      })
    else { return nil }
    return scheme
  }

  /// Addresses that read the device, run as script or hold a page of their own.
  private static let neverOpened: Set<String> = [
    "about", "blob", "content", "data", "file", "filesystem", "javascript", "vbscript",
    "view-source",
  ]
}
