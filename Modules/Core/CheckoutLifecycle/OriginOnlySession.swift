/// What a checkout page told the app that shows it: news for the screen, never proof.
public struct PageMessage: Hashable, Sendable {
  /// The provider's id of the payment.
  public var payment: String
  /// The state that the page shows, in the provider's words.
  public var state: String
  /// Whether the page calls it final.
  public var isFinal: Bool

  /// Collects the values.
  public init(payment: String, state: String, isFinal: Bool) {
    self.payment = payment
    self.state = state
    self.isFinal = isFinal
  }
}

/// One showing of a checkout page in an app's web view, from its opening to its end, as a value.
///
/// ```swift
/// var session = OriginOnlySession(policy)
/// switch session.navigate(to: request) { … }      // load, block or open outside
/// if let closing = session.close() { … }          // once; then ask the server
/// ```
public struct OriginOnlySession: Hashable, Sendable {
  /// How it ended, told once.
  public struct Closing: Hashable, Sendable {
    /// Why.
    public let reason: PageSessionEnd
    /// What the page last said, false if it never spoke. Advisory, like all that a page says.
    public let isFinal: Bool
  }

  /// Its rules.
  public let policy: OriginOnlyPolicy
  /// What the page last said; nil until it has spoken.
  public private(set) var message: PageMessage?
  /// How it ended; nil while it goes on.
  public private(set) var closing: Closing?

  /// A page that was just opened.
  public init(_ policy: OriginOnlyPolicy) { self.policy = policy }

  /// Decides a navigation, and ends the session where that does.
  public mutating func navigate(to request: NavigationRequest) -> NavigationDecision {
    guard closing == nil else { return .block }
    let decision = policy.decide(request)
    if case .openOutside(_, _, let end?) = decision { finish(end) }
    return decision
  }

  /// Takes a message of the page, if it came from the checkout's own main frame.
  ///
  /// - Returns: whether it was taken.
  public mutating func hear(
    _ message: PageMessage, from url: String, isMainFrame: Bool
  ) -> Bool {
    guard closing == nil, isMainFrame, policy.origin.covers(url) else { return false }
    self.message = message
    return true
  }

  /// The payer or the app closes the page, or its screen went.
  ///
  /// - Returns: how it ended; nil if it had ended before, so that the end is told once.
  public mutating func close() -> Closing? {
    guard closing == nil else { return nil }
    finish(.closed)
    return closing
  }

  private mutating func finish(_ reason: PageSessionEnd) {
    closing = Closing(reason: reason, isFinal: message?.isFinal ?? false)
  }
}
