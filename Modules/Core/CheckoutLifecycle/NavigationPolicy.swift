/// What becomes of each navigation of a page in an app's web view: one function for every
/// provider.
///
/// *Origin-only* (Futa, "Mobile SDKs", *What opens outside your app*): the checkout's origin loads
/// and nothing else; every other address opens outside and ends the session, so that a bank's
/// credentials are never typed inside the app. *Hosted* (Tabby, Tebex, SEB): web pages load, banks
/// included, and other apps' addresses go to the system while the session goes on. In both, the
/// return address is looked for first, since it may have a scheme of the app's own, and what
/// happens inside a frame neither returns nor ends anything.
public struct NavigationPolicy: Hashable, Sendable {
  /// What may load.
  public enum Scope: Hashable, Sendable {
    /// The origin that the app trusts, and nothing else.
    case checkoutOrigin(CheckoutOrigin)
    /// The provider's page and where it leads.
    case anyWebPage
  }

  /// How a receipt is told from a page of the checkout. No provider documents it.
  public struct ReceiptRule: Hashable, Sendable {
    /// A whole segment in the path of a page on the checkout's origin; where any page may load,
    /// of a window of its own. Nil for none.
    public var pathSegment: String?
    /// Whether a web page in a window of its own is one, on whatever origin.
    public var includesNewWindows: Bool

    /// The assumption: a page below `receipts`.
    public init(pathSegment: String? = "receipts", includesNewWindows: Bool = false) {
      self.pathSegment = pathSegment
      self.includesNewWindows = includesNewWindows
    }
  }

  /// Windows that may lie over the page: a bank's, and one that the bank opens in turn.
  public static let depthMax = 2

  /// What may load.
  public let scope: Scope
  /// The payment's return addresses; nil if there are none, and a return counts as leaving.
  public let returns: ReturnURLMatcher?
  /// Where the app runs.
  public let platform: PresentationStrategy.Platform
  /// How a receipt is recognised.
  public var receipts = ReceiptRule()
  /// Whether a new window's web address loads in the page's own view, as in Tebex's example,
  /// rather than in a child view, which keeps `window.opener` alive.
  public var loadsNewWindowsInPlace = false

  /// Rules for one payment's page.
  public init(
    scope: Scope, returns: ReturnURLMatcher?, platform: PresentationStrategy.Platform,
    receipts: ReceiptRule = ReceiptRule(), loadsNewWindowsInPlace: Bool = false
  ) {
    self.scope = scope
    self.returns = returns
    self.platform = platform
    self.receipts = receipts
    self.loadsNewWindowsInPlace = loadsNewWindowsInPlace
  }

  /// What becomes of a navigation. An address that cannot be read for sure goes nowhere.
  public func decide(_ request: NavigationRequest) -> NavigationDecision {
    guard let scheme = AddressScheme(of: request.url) else { return .block }
    if request.target == .subframe { return decideSubframe(request, scheme) }
    if let seen = returns?.match(request.url) {
      switch scope {
      case .checkoutOrigin: return outside(request.url, ends: .returned)
      case .anyWebPage: return .interceptReturn(seen)
      }
    }
    switch scheme {
    case .web: return decideWeb(request)
    case .empty: return decideEmpty(request)
    case .intent: return decideIntent(request.url)
    case .app: return outside(request.url, ends: end)
    case .forbidden, .inPage: return .block
    }
  }

  // MARK: Main frame and windows

  private func decideWeb(_ request: NavigationRequest) -> NavigationDecision {
    let url = request.url
    switch scope {
    case .checkoutOrigin(let origin):
      guard let page = WebOrigin(of: url) else { return .block }
      let isOwn = origin.covers(url)
      if isReceipt(request, page, isOwn: isOwn) || isOwn && request.isDownload {
        return receipt(url)
      }
      guard isOwn else { return outside(url, ends: .left) }
      return request.target == .newWindow ? .loadInPlace : .load
    case .anyWebPage:
      // A bank's address may be longer than any that the kit compares.
      let page = WebOrigin(of: url)
      if request.isDownload { return page == nil ? .block : receipt(url) }
      guard request.target == .newWindow else { return .load }
      if let page, isReceipt(request, page, isOwn: true) { return receipt(url) }
      guard request.depth < Self.depthMax else { return .block }
      return loadsNewWindowsInPlace && !request.isPost ? .loadInPlace : .openChild
    }
  }

  /// An empty window is where a page begins that a script fills; in place of the checkout it is
  /// neither a return nor a failure.
  private func decideEmpty(_ request: NavigationRequest) -> NavigationDecision {
    guard scope == .anyWebPage else { return .block }
    guard request.target == .newWindow else { return .load }
    return request.depth < Self.depthMax ? .openChild : .block
  }

  /// Only Android knows intents; elsewhere there is but their web address.
  private func decideIntent(_ url: String) -> NavigationDecision {
    let intent = IntentAddress(url)
    guard intent.isSafe else { return .block }
    switch platform {
    case .android:
      // Tabby: a Custom Tab keeps the process in the foreground, "far better than a plain
      // `Intent.ACTION_VIEW` browser launch"; Futa: "in the system browser".
      let opening = OutsideOpening(
        url: url, carrier: .system, fallback: intent.fallback,
        fallbackCarrier: scope == .anyWebPage ? .customTab : .system)
      return .openOutside(opening, ends: end)
    case .iOS:
      guard let fallback = intent.fallback else { return .block }
      let carrier: OutsideCarrier = scope == .anyWebPage ? .authSession : .system
      return .openOutside(OutsideOpening(url: fallback, carrier: carrier), ends: end)
    }
  }

  private func isReceipt(
    _ request: NavigationRequest, _ page: WebOrigin, isOwn: Bool
  ) -> Bool {
    if request.target == .newWindow, receipts.includesNewWindows { return true }
    guard let segment = receipts.pathSegment, isOwn else { return false }
    return page.path(in: request.url).split(separator: "/").contains { $0 == segment }
  }

  // MARK: Frames

  /// Nothing in a frame returns; and without the payer's tap nothing in a frame goes anywhere.
  private func decideSubframe(
    _ request: NavigationRequest, _ scheme: AddressScheme
  ) -> NavigationDecision {
    switch (scope, scheme) {
    case (_, .empty): return .load
    case (.checkoutOrigin(let origin), _): return origin.covers(request.url) ? .load : .block
    case (.anyWebPage, .web), (.anyWebPage, .inPage): return .load
    case (.anyWebPage, .app) where request.hasGesture: return outside(request.url, ends: end)
    case (.anyWebPage, .intent) where request.hasGesture: return decideIntent(request.url)
    case (.anyWebPage, .app), (.anyWebPage, .intent), (.anyWebPage, .forbidden): return .block
    }
  }

  // MARK: Ways out

  /// How another app's address ends the session.
  private var end: PageSessionEnd? { scope == .anyWebPage ? nil : .left }

  private func outside(_ url: String, ends end: PageSessionEnd?) -> NavigationDecision {
    .openOutside(OutsideOpening(url: url, carrier: .system), ends: end)
  }

  /// Futa: "in the system browser on Android, in SFSafariViewController on iOS".
  private func receipt(_ url: String) -> NavigationDecision {
    .openReceipt(OutsideOpening(url: url, carrier: platform == .iOS ? .inAppSafari : .system))
  }
}

/// What kind of address it is, by its scheme in whatever case.
enum AddressScheme {
  case web
  /// `about:blank` or `about:srcdoc`: the page that a window or frame begins with.
  case empty
  /// Built inside the page: harmless in a frame, a page of the attacker's own at the top.
  case inPage
  case intent
  /// Reads the device or runs as script.
  case forbidden
  /// Some app's.
  case app

  /// Nil if it cannot be read for sure: `\` is `/` to a browser, white space and controls are
  /// dropped by some and not by others.
  init?(of url: String) {
    guard url.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") }),
      let colon = url.firstIndex(of: ":"), case let scheme = url[..<colon].lowercased(),
      let first = scheme.utf8.first, (97...122).contains(first),
      scheme.utf8.allSatisfy({
        (97...122).contains($0) || (48...57).contains($0) || [43, 45, 46].contains($0)
      })
    else { return nil }
    let rest = url[colon...].dropFirst()
    switch scheme {
    case "http", "https":
      // Something must stand where the host belongs.
      guard rest.hasPrefix("//"), let next = rest.dropFirst(2).first, !"/?#".contains(next) else {
        return nil
      }
      self = .web
    case "about":
      let name = rest.prefix { $0 != "?" && $0 != "#" }.lowercased()
      self = ["blank", "srcdoc"].contains(name) ? .empty : .forbidden
    case "data", "blob": self = .inPage
    case "intent" where url.utf8.count <= ReturnURL.bytesMax: self = .intent
    case "content", "file", "filesystem", "javascript", "vbscript", "view-source":
      self = .forbidden
    default:
      guard url.utf8.count <= ReturnURL.bytesMax else { return nil }
      self = .app
    }
  }
}
