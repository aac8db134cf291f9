import CheckoutLifecycle
import PaymentModels

/// The web views of the simulated app, one for each checkout whose page is shown in one.
actor EmbeddedPages {
  /// Why a page is not put on the screen.
  enum Refusal: Error {
    /// The app trusts no origin, or another one than the page's.
    case untrusted
  }

  /// What became of a navigation in one of them.
  struct Turn: Sendable {
    let key: CheckoutKey
    let decision: NavigationDecision
    /// How it ended, if this was its end.
    let closing: PageSession.Closing?
  }

  private let origin: CheckoutOrigin?
  private var sessions: [(key: CheckoutKey, session: PageSession)] = []

  init(origin: CheckoutOrigin?) { self.origin = origin }

  /// Opens the page of a checkout; does nothing for one that is shown elsewhere.
  func open(_ record: CheckoutRecord, url: String) throws {
    guard record.strategy == .webView else { return }
    guard let policy = record.navigationPolicy(on: .iOS, trusting: origin) else {
      throw Refusal.untrusted
    }
    var session = PageSession(policy)
    guard session.navigate(to: NavigationRequest(url: url)) == .load else {
      throw Refusal.untrusted
    }
    sessions.removeAll { $0.key == record.key }
    sessions.append((record.key, session))
  }

  /// Closes the page of a checkout, or all; gives how each ended that had not ended before.
  func close(_ key: CheckoutKey? = nil) -> [Turn] {
    var turns: [Turn] = []
    for index in sessions.indices where key == nil || sessions[index].key == key {
      guard let closing = sessions[index].session.close() else { continue }
      turns.append(Turn(key: sessions[index].key, decision: .block, closing: closing))
    }
    sessions.removeAll { $0.session.closing != nil }
    return turns
  }

  /// The page on the screen goes to an address.
  func navigate(to url: String) -> [Turn] {
    let turns = sessions.indices.map { index in
      let decision = sessions[index].session.navigate(to: NavigationRequest(url: url))
      return Turn(
        key: sessions[index].key, decision: decision, closing: sessions[index].session.closing)
    }
    sessions.removeAll { $0.session.closing != nil }
    return turns
  }

  /// The page on the screen tells its state; gives whether each took it.
  func hear(_ message: PageMessage, from url: String) -> [(key: CheckoutKey, isTaken: Bool)] {
    sessions.indices.map { index in
      (
        sessions[index].key,
        sessions[index].session.hear(message, from: url, isMainFrame: true)
      )
    }
  }
}
