/// What a hosted page, or whoever shows it, can tell the app. None of it is proof.
///
/// Navigations inside a web view are judged first (``NavigationPolicy``); what is left of them
/// for the checkout is ``returned``, ``wentOutside`` or nothing.
public enum PageSignal: String, Hashable, Sendable, CaseIterable {
  /// The page is on the screen.
  case opened
  /// It could not be put there.
  case openFailed = "open_failed"
  /// A return URL came: as a link of the system, a callback or a navigation.
  case returned
  /// The page is gone.
  case closed
  /// The page handed the payer to another app and is still there.
  case wentOutside = "went_outside"
  /// A script of the page said something.
  case pageSpoke = "page_spoke"
}
