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

  /// Describes a navigation.
  public init(url: String, target: Target = .mainFrame) {
    self.url = url
    self.target = target
  }
}

/// What the app does with a navigation.
public enum NavigationDecision: Hashable, Sendable {
  /// The web view loads it.
  case load
  /// Nothing loads and nothing opens; the session goes on as it was.
  case block
  /// The system opens it outside the web view.
  ///
  /// - Parameters:
  ///   - fallback: a web address to open instead if no app takes the first one.
  ///   - ends: how that ends the session; nil if it goes on.
  case openOutside(url: String, fallback: String?, ends: PageSessionEnd?)
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
