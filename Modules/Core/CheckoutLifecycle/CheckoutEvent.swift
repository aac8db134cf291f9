/// Everything that can happen to a checkout. Only ``created(_:)`` and ``serverAnswered(_:)`` carry
/// proof; all others are hints or news of the device itself.
public enum CheckoutEvent: Hashable, Sendable {
  /// The payer tapped "pay": the first time, again, or after an interruption.
  case started
  /// The store has kept the record of this revision.
  case stored(revision: Int64)
  /// The store has not kept the record of this revision.
  case storeFailed(revision: Int64)
  /// The server answered the create.
  case created(PaymentAnswer)
  /// A try of the create brought no answer; it is being repeated under the same key.
  case createDelayed
  /// The create is given up.
  case createFailed(CheckoutObstacle)
  /// The page is on the screen.
  case opened
  /// The page could not be put on the screen: nothing was opened.
  case openFailed(PresentationFailure)
  /// A link came that matches one of the payment's return URLs.
  case returned(CheckoutReturn)
  /// The page is gone: closed, backed out of, or ended by the system.
  case closed
  /// The page handed the payer to another app, such as a bank's, and is still there.
  case wentOutside
  /// A script of the page told a state; `isFinal` if it calls that final. News, not proof: the
  /// server hears of it, and the page stays for the payer to read.
  case pageSpoke(isFinal: Bool)
  /// The app left the foreground.
  case backgrounded
  /// The app came to the foreground.
  case foregrounded
  /// The process is new and found this checkout in the store.
  case relaunched
  /// The screen that shows the checkout was built anew, such as after a rotation.
  case viewRecreated
  /// The payer left the screen that shows the checkout.
  case viewLeft
  /// A push came; whatever it says, it means "ask".
  case pushed
  /// The user signed out of the app: the page goes, and the run of reads ends. Nobody may be shown
  /// or asked about this any more, so whoever runs the lifecycle sends it nothing until the user is
  /// back, and then ``relaunched`` or ``started``; `CheckoutSession` does so.
  case signedOut
  /// The server answered a read.
  case serverAnswered(PaymentAnswer)
  /// A read brought no answer; the run of reads goes on.
  case serverFailed
  /// The run of reads ended without proof.
  case watchCapped
  /// The page has waited long enough for an answer after a return.
  case teardownDue
}

/// A return URL that came back. It says where the page sent the payer and proves nothing.
public struct CheckoutReturn: Hashable, Sendable {
  /// Which of the registered URLs it was.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The one for "paid".
    case success
    /// The one for "gave up".
    case cancel
    /// The one for "refused".
    case failure
  }

  /// A query parameter, decoded.
  public struct Parameter: Hashable, Sendable {
    /// The name.
    public var name: String
    /// The value.
    public var value: String

    /// Pairs a name with a value.
    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// Which of the registered URLs it was.
  public var kind: Kind
  /// Parameters of its query in their order, as hints: they help to find the payment.
  public var parameters: [Parameter]

  /// Builds a return.
  public init(kind: Kind, parameters: [Parameter] = []) {
    self.kind = kind
    self.parameters = parameters
  }
}

/// Why a checkout does not get as far as its page. Nothing was paid and nothing failed at the
/// provider; ``CheckoutEvent/started`` takes it up again.
public enum CheckoutObstacle: String, Hashable, Sendable, CaseIterable {
  /// The device could not keep the record, so the page must not open.
  case storage
  /// The server could not be reached in the time given.
  case unreachable
  /// The server refused the request; the same request would be refused again.
  case refused
  /// The order is being paid with other terms, perhaps on another device: neither failed nor paid.
  /// Nothing was made here; once that is over, start again.
  case beingPaidElsewhere = "being_paid_elsewhere"
  /// The app's token is no longer good; sign in, then start again.
  case signInNeeded = "sign_in_needed"
  /// The server's answer names no page that may be shown: no web address, a return address without
  /// a scheme, or one that a browser session cannot wait for.
  case unusablePayment = "unusable_payment"
  /// The screen that should show the page is not up.
  case notOnScreen = "not_on_screen"
  /// That screen shows something else.
  case busy
  /// No browser takes the page.
  case noBrowser = "no_browser"
  /// The page could not be put on the screen for another reason.
  case page

  init(_ failure: PresentationFailure) {
    switch failure {
    case .notOnScreen: self = .notOnScreen
    case .busy: self = .busy
    case .noBrowser: self = .noBrowser
    case .other: self = .page
    }
  }
}
