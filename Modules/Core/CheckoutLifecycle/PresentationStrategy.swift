/// How the hosted page is put before the payer. Raw values stand in the device store.
///
/// What each can tell and who owns what stands in ``PresentationTraits``; which a provider's
/// document allows, in ``PresentationRule`` and ``PresentationRefusal``.
public enum PresentationStrategy: String, Hashable, Sendable, CaseIterable {
  /// `ASWebAuthenticationSession`: the system's browser over the app, which ends at a callback.
  case authSession = "auth_session"
  /// `SFSafariViewController`: the system's browser inside the app.
  case safariView = "safari_view"
  /// A `WKWebView` or Android `WebView` that the app embeds and whose navigation it sees.
  case webView = "web_view"
  /// An Android Custom Tab: the payer's browser in a window of the app.
  case customTab = "custom_tab"
  /// The payer's browser itself, with return links into the app.
  case systemBrowser = "system_browser"

  /// Where the app runs.
  public enum Platform: String, Hashable, Sendable, CaseIterable {
    /// iOS and iPadOS.
    case iOS = "ios"
    /// Android.
    case android
  }
}

/// Why a page could not be put on the screen. Nothing was opened then, so the checkout stays as
/// it was and can be taken up again.
public enum PresentationFailure: String, Error, Hashable, Sendable, CaseIterable {
  /// The screen that should show it is not up itself.
  case notOnScreen = "not_on_screen"
  /// That screen shows something else, such as the page of another payment.
  case busy
  /// No browser takes the address.
  case noBrowser = "no_browser"
  /// Anything else, such as an address that the app does not trust.
  case other
}
