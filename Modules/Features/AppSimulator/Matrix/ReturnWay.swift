import CheckoutLifecycle

/// By which way a return comes back to the app. Raw values are the words that an app process
/// reads.
enum ReturnWay: String, Sendable {
  /// The system opens the app with a link, and starts it if it does not run.
  case link
  /// The browser session of the system ends with it; it dies with the app's process.
  case callback
  /// The page in the app's web view goes there; it dies with the app's process too.
  case navigation = "navigate"
}

extension PresentationStrategy {
  /// The way of its returns.
  var returnWay: ReturnWay {
    switch self {
    case .authSession: .callback
    case .webView: .navigation
    case .safariView, .customTab, .systemBrowser: .link
    }
  }
}
