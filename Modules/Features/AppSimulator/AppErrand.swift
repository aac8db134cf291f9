public import CheckoutLifecycle

/// What an app process is started for.
public enum AppErrand: Hashable, Sendable {
  /// The payer taps "pay". Nil takes the strategy that the kit recommends.
  case buy(CheckoutRequest, strategy: PresentationStrategy?)
  /// The app is started anew: what its store holds open is taken up.
  case resume
  /// The system starts the app anew for a link, which comes before anything else does.
  case launch(link: String)
}

/// How an app process ended, as its exit code.
public enum AppExit: Int32, Hashable, Sendable {
  /// Every checkout of the errand is paid, there was none, or the process was told to quit.
  case done = 0
  /// A checkout is proven unpaid, or its page did not open.
  case notPaid = 1
  /// The store cannot be read, so nothing was begun.
  case storeUnavailable = 74
  /// Still confirming: start it again to ask again.
  case unresolved = 75
}

/// A moment at which the end of the process is hard on the payment. Raw values stand in the
/// process's lines and in scripts.
public enum CrashPoint: String, Hashable, Sendable, CaseIterable {
  /// The key is stored; the create was not sent.
  case intentStored = "intent_stored"
  /// The server has answered the create; the device has kept nothing of the answer.
  case createdNotStored = "created_not_stored"
  /// The payment is stored; its page is not open.
  case idStoredPageNotOpen = "id_stored_page_not_open"
  /// The page is on the screen, and the device knows that.
  case pageOpen = "page_open"
}
