/// What a checkout page told the app that shows it: news for the screen, never proof, and never
/// kept. A page can say anything, so only ``word`` may be written anywhere.
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

  /// The state if it has the form of one (up to 32 letters and underscores), else `other`: what a
  /// payer types into the page must not end up in a line or a file.
  public var word: String {
    let isWord = state.utf8.allSatisfy { (97...122).contains($0) || $0 == UInt8(ascii: "_") }
    return isWord && (1...32).contains(state.utf8.count) ? state : "other"
  }
}

/// One showing of a checkout page in an app's web view, from its opening to its end, as a value.
///
/// ```swift
/// var session = PageSession(policy)
/// switch session.navigate(to: request) { … }      // load, block, open outside, …
/// if let closing = session.close() { … }          // once; then ask the server
/// ```
public struct PageSession: Hashable, Sendable {
  /// How it ended, told once.
  public struct Closing: Hashable, Sendable {
    /// Why.
    public let reason: PageSessionEnd
    /// What the page last said, false if it never spoke. Advisory, like all that a page says.
    public let isFinal: Bool
  }

  /// Its rules.
  public let policy: NavigationPolicy
  /// What the page last said; nil until it has spoken.
  public private(set) var message: PageMessage?
  /// How it ended; nil while it goes on.
  public private(set) var closing: Closing?
  /// Whether the page has handed the payer to another app and has not moved since.
  public private(set) var isAway = false
  /// Windows over the page.
  public private(set) var windows = 0

  /// A page that was just opened.
  public init(_ policy: NavigationPolicy) { self.policy = policy }

  /// Decides a navigation, and ends the session where that does.
  public mutating func navigate(to request: NavigationRequest) -> NavigationDecision {
    guard closing == nil else { return .block }
    let decision = policy.decide(request)
    switch decision {
    case .openOutside(_, let end?): finish(end)
    case .openOutside(_, nil): isAway = true
    case .interceptReturn: finish(.returned)
    case .openChild: windows += 1
    case .load, .loadInPlace: isAway = isAway && request.target == .subframe
    case .block, .openReceipt: break
    }
    return decision
  }

  /// A window over the page closed itself or was closed: the page goes on.
  public mutating func closeWindow() { windows = max(0, windows - 1) }

  /// Takes a message of the page, if it came from the main frame of the one origin that the app
  /// trusts; where any page may load, nobody is trusted.
  ///
  /// - Returns: whether it was taken.
  public mutating func hear(
    _ message: PageMessage, from url: String, isMainFrame: Bool
  ) -> Bool {
    guard closing == nil, isMainFrame, case .checkoutOrigin(let origin) = policy.scope,
      origin.covers(url)
    else { return false }
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
    windows = 0
  }
}
