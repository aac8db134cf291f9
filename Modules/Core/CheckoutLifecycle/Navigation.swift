/// Something that a page in an app's web view is about to load, server redirects included.
public struct NavigationRequest: Hashable, Sendable {
  /// Where it is to be loaded.
  public enum Target: Hashable, Sendable {
    /// In place of the page.
    case mainFrame
    /// Inside the page.
    case subframe
    /// In a window of its own (`target=_blank`, `window.open`).
    case newWindow
  }

  /// The address as the web view names it.
  public var url: String
  /// Where it is to be loaded.
  public var target: Target
  /// Whether a tap of the payer caused it, as far as the web view says.
  public var hasGesture = false
  /// Whether it carries a form, which would be lost on the way to another view.
  public var isPost = false
  /// Whether its answer is a file to be kept rather than a page.
  public var isDownload = false
  /// Windows above the asking one: 0 for the page itself, 1 for a window that it has opened.
  public var depth = 0

  /// Describes a navigation.
  public init(
    url: String, target: Target = .mainFrame, hasGesture: Bool = false, isPost: Bool = false,
    isDownload: Bool = false, depth: Int = 0
  ) {
    self.url = url
    self.target = target
    self.hasGesture = hasGesture
    self.isPost = isPost
    self.isDownload = isDownload
    self.depth = depth
  }
}

/// What the app does with a navigation.
public enum NavigationDecision: Hashable, Sendable {
  /// The view that asked loads it.
  case load
  /// The page's own view loads what was meant for a window of its own.
  case loadInPlace
  /// Nothing loads and nothing opens; the session goes on as it was.
  case block
  /// It goes outside the web view; `ends` says how that ends the session, nil if it goes on.
  case openOutside(OutsideOpening, ends: PageSessionEnd?)
  /// It is a return: nothing loads, and the checkout is told (``CheckoutEvent/returned(_:)``).
  case interceptReturn(CheckoutReturn)
  /// A view of its own, made with the configuration that the web view hands over, so that the
  /// page keeps its hold on the window.
  case openChild
  /// A receipt or another file: it goes outside, and the session goes on.
  case openReceipt(OutsideOpening)
}

/// An address on its way out of the web view. A host that opens addresses in a way of its own
/// takes it from here.
public struct OutsideOpening: Hashable, Sendable {
  /// The address, byte for byte as the page named it.
  public let url: String
  /// Who opens it.
  public let carrier: OutsideCarrier
  /// A web address to open instead if no app takes the first one; else the payer is told that the
  /// app is missing, and may try again.
  public var fallback: String?
  /// Who opens the fallback: the same unless told.
  public var fallbackCarrier: OutsideCarrier

  /// Describes an opening.
  public init(
    url: String, carrier: OutsideCarrier, fallback: String? = nil,
    fallbackCarrier: OutsideCarrier? = nil
  ) {
    self.url = url
    self.carrier = carrier
    self.fallback = fallback
    self.fallbackCarrier = fallbackCarrier ?? carrier
  }
}

/// Who opens an address outside the web view.
public enum OutsideCarrier: String, Hashable, Sendable, CaseIterable {
  /// `ASWebAuthenticationSession`, which keeps the app in the foreground.
  case authSession = "auth_session"
  /// A Custom Tab, for the same reason.
  case customTab = "custom_tab"
  /// `SFSafariViewController`, for something to be looked at.
  case inAppSafari = "in_app_safari"
  /// The system: the app of the address, or the payer's browser.
  case system
}

/// Why the session of a page inside an app ended. It says what the payer did and never whether
/// anything was paid: after each of them the app asks its server.
public enum PageSessionEnd: String, Hashable, Sendable, CaseIterable {
  /// The payer closed the page, the app did, or the screen that held it went.
  case closed
  /// The payer went back to the shop's return address.
  case returned
  /// The payer went anywhere else, the bank included; the payment may well succeed.
  case left
}

/// An Android intent address taken apart: `intent://…#Intent;scheme=…;…;end`.
struct IntentAddress {
  /// Whether it may be handed to the system: a component or selector would reach parts of other
  /// apps that no web page should.
  let isSafe: Bool
  /// The web address for those who lack the app; nil if it is none.
  let fallback: String?

  init(_ url: String) {
    let extras = url.split(separator: "#", maxSplits: 1).dropFirst().first.map(String.init) ?? ""
    let parts = extras.split(separator: ";").map(String.init)
    isSafe =
      parts.first == "Intent"
      && parts.allSatisfy {
        let name = $0.prefix { $0 != "=" }.lowercased()
        return name != "component" && name != "sel"
      }
    let name = "S.browser_fallback_url="
    fallback = parts.first { $0.hasPrefix(name) }
      .flatMap { PercentText.decode($0.dropFirst(name.count)) }
      .flatMap { ["http", "https"].contains(WebOrigin(of: $0)?.scheme) ? $0 : nil }
  }
}
